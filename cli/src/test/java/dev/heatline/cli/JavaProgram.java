package dev.heatline.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A small program in a JVM of its own, for verbs that look at one. Ends with the test. */
record JavaProgram(Process process) implements AutoCloseable {

    /**
     * Starts a program and waits until it has printed {@code up}.
     *
     * @param name of its class
     * @param source its class, which goes on until it is killed
     */
    static JavaProgram start(Path folder, String name, String source, String... options)
            throws IOException {
        Path file = Files.writeString(folder.resolve(name + ".java"), source);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
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
