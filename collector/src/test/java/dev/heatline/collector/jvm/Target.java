package dev.heatline.collector.jvm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** A program on a real JVM, which a test looks at from outside. Ends with the test. */
final class Target implements AutoCloseable {
    static final Path JVM_25 = Path.of(System.getProperty("java.home"));
    static final Path AGENT = Path.of("../agent/target/heatline-agent.jar").toAbsolutePath();

    private static final Path JVMS = Path.of("/usr/lib/jvm");
    private static final Path CLASSES = compile("Busy", "Curious");
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long PAUSE_NANOS = 10_000_000;

    private final Process process;
    private final Path output;

    private Target(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** All JVMs to test on: the one that runs the tests, and 17 if there is one. */
    static List<Path> jvms() {
        List<Path> jvms = new ArrayList<>(List.of(JVM_25));
        try (Stream<Path> homes = Files.list(JVMS)) {
            homes.filter(Target::is17).sorted().findFirst().ifPresent(jvms::add);
        } catch (IOException e) {
            System.err.println("no JDKs under " + JVMS + ": 17 is not tested");
        }
        return jvms;
    }

    private static boolean is17(Path home) {
        try {
            return Files.isExecutable(home.resolve("bin/java"))
                    && Files.readString(home.resolve("release")).contains("JAVA_VERSION=\"17.");
        } catch (IOException e) {
            return false;
        }
    }

    private static Path compile(String... names) {
        try {
            Path folder = Files.createTempDirectory("targets");
            folder.toFile().deleteOnExit();
            for (String name : names) {
                String source = "src/test/java/dev/heatline/collector/jvm/" + name + ".java";
                String[] arguments = {"--release", "17", "-d", folder.toString(), source};
                if (ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments) != 0) {
                    throw new IllegalStateException(name + " does not compile");
                }
            }
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts {@link Busy}. */
    static Target busy(Path jvm, String... options) {
        return start(jvm, List.of(options), Busy.class.getName());
    }

    static Target start(Path jvm, List<String> options, String main, String... args) {
        List<String> command = new ArrayList<>();
        command.add(jvm.resolve("bin/java").toString());
        command.addAll(options);
        command.addAll(List.of("-Xmx64m", "-cp", CLASSES.toString(), main));
        command.addAll(List.of(args));
        return start(command);
    }

    static Target start(List<String> command) {
        try {
            Path output = Files.createTempFile("target", ".txt");
            output.toFile().deleteOnExit();
            ProcessBuilder builder =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(output.toFile());
            builder.environment().put("HEATLINE_LABEL_ZONE", "eu");
            return new Target(builder.start(), output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long pid() {
        return process.pid();
    }

    /** As it is listed, once its main class runs. */
    Jvm jvm() {
        return await(
                "is listed with its JDK",
                // Asked first: what is listed then is from after the agent.
                () ->
                        isUp()
                                ? Jvms.find(pid()).filter(jvm -> !jvm.main().isEmpty())
                                : Optional.empty());
    }

    /** The threads of the program are there only after all of the JVM's own. */
    private boolean isUp() {
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid() + "/task"))) {
            return threads.anyMatch(
                    thread -> {
                        try {
                            return Files.readString(thread.resolve("comm")).startsWith("waiter");
                        } catch (IOException e) {
                            return false;
                        }
                    });
        } catch (IOException e) {
            return false;
        }
    }

    /** All that it printed. */
    String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int exit() throws InterruptedException {
        if (!process.waitFor(PATIENCE_NANOS, TimeUnit.NANOSECONDS)) {
            throw new AssertionError("the target does not end: " + output());
        }
        return process.exitValue();
    }

    /** Looks again and again until there is something to see. */
    static <T> T await(String what, Supplier<Optional<T>> look) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < PATIENCE_NANOS) {
            Optional<T> seen = look.get();
            if (seen.isPresent()) {
                return seen.get();
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        throw new AssertionError("not within a minute: " + what);
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Lets it end by itself, so that it deletes its files. */
    @Override
    public void close() {
        process.destroy();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
    }
}
