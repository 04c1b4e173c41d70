package dev.heatline.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A small program in a JVM of its own, for verbs that look at one. Ends with the test. */
record JavaProgram(Process process) implements AutoCloseable {

    private static final Path HOME = Path.of(System.getProperty("java.home"));

    /** All JDKs to test on: the one that runs the tests, and 17 if there is one. */
    static List<Path> homes() {
        List<Path> homes = new ArrayList<>(List.of(HOME));
        try (Stream<Path> all = Files.list(Path.of("/usr/lib/jvm"))) {
            all.filter(JavaProgram::is17).sorted().limit(1).forEach(homes::add);
        } catch (IOException e) {
            System.err.println("no JDK 17 found: JVMs of 17 not tested");
        }
        return homes;
    }

    private static boolean is17(Path home) {
        try {
            return Files.isExecutable(home.resolve("bin/java"))
                    && Files.readString(home.resolve("release")).contains("JAVA_VERSION=\"17.");
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Starts a program and waits until it has printed {@code up}.
     *
     * @param name of its class
     * @param source its class, which goes on until it is killed
     */
    static JavaProgram start(Path folder, String name, String source, String... options)
            throws IOException {
        return start(HOME, folder, name, source, options);
    }

    /** The same on the JDK of this home, 17 or newer. */
    static JavaProgram start(Path home, Path folder, String name, String source, String... options)
            throws IOException {
        Path file = Files.writeString(folder.resolve(name + ".java"), source);
        List<String> command = new ArrayList<>();
        command.add(home.resolve("bin/java").toString());
        command.addAll(List.of(options));
        command.add(file.toString());
        Process process = new ProcessBuilder(command).start();
        String said = process.inputReader().readLine();
        if (!"up".equals(said)) {
            process.destroyForcibly();
            throw new AssertionError(name + " says " + said);
        }
        return new JavaProgram(process);
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
