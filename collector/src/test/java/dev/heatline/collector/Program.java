package dev.heatline.collector;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.Jvms;
import dev.heatline.formats.FormatException;
import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import dev.heatline.formats.jfr.JfrFormat;
import dev.heatline.model.Column;
import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** A busy program on a real JVM, whose recordings stay where the test can read them. */
final class Program implements AutoCloseable {
    private static final Path JVM_25 = Path.of(System.getProperty("java.home"));
    private static final Path JVMS = Path.of("/usr/lib/jvm");
    private static final Path CLASSES = compiled();
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long PAUSE_NANOS = 20_000_000;

    private final Path home;
    private final Path repositories;
    private final Process process;

    private Program(Path home, Path repositories, Process process) {
        this.home = home;
        this.repositories = repositories;
        this.process = process;
    }

    /** The JVM that runs the tests, and 17 if there is one. */
    static List<Path> jvms() throws IOException {
        List<Path> jvms = new ArrayList<>(List.of(JVM_25));
        try (Stream<Path> homes = Files.list(JVMS)) {
            homes.filter(Program::is17).sorted().findFirst().ifPresent(jvms::add);
        }
        return jvms;
    }

    private static boolean is17(Path home) {
        try {
            return Files.readString(home.resolve("release")).contains("JAVA_VERSION=\"17.");
        } catch (IOException e) {
            return false;
        }
    }

    private static Path compiled() {
        try {
            Path folder = Files.createTempDirectory("programs");
            folder.toFile().deleteOnExit();
            String source = "src/test/java/dev/heatline/collector/jvm/Busy.java";
            String[] arguments = {"--release", "17", "-d", folder.toString(), source};
            if (ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments) != 0) {
                throw new IllegalStateException(source + " does not compile");
            }
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Starts it.
     *
     * @param app what it is called in profiles
     * @param folder for its recordings
     */
    static Program start(Path home, String app, Path folder, String... options) throws IOException {
        Path repositories = Files.createDirectories(folder.resolve("repositories"));
        List<String> command = new ArrayList<>(List.of(home.resolve("bin/java").toString()));
        command.add("-Xmx64m");
        command.add("-Dheatline.app=" + app);
        command.add("-XX:FlightRecorderOptions=repository=" + repositories);
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", CLASSES.toString(), "dev.heatline.collector.jvm.Busy"));
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("output.txt").toFile())
                        .start();
        return new Program(home, repositories, process);
    }

    /** As it is listed. */
    Jvm jvm() throws Exception {
        return await(
                "it is listed",
                () -> Jvms.find(process.pid()).filter(jvm -> !jvm.main().isEmpty()));
    }

    /** The folder its recorder writes to; others are made and deleted before it. */
    Path repository() throws Exception {
        return await(
                "it records",
                () -> {
                    try (Stream<Path> files = Files.walk(repositories)) {
                        return files.filter(file -> file.toString().endsWith(".jfr"))
                                .map(Path::getParent)
                                .findFirst();
                    } catch (UncheckedIOException e) {
                        return Optional.empty();
                    }
                });
    }

    /** What jcmd answers. */
    String command(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(home.resolve("bin/jcmd").toString());
        command.add(String.valueOf(process.pid()));
        command.addAll(List.of(words));
        Process jcmd = new ProcessBuilder(command).redirectErrorStream(true).start();
        String answer = new String(jcmd.getInputStream().readAllBytes(), UTF_8);
        jcmd.waitFor();
        return answer;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** All that its recorder wrote and that is still there. */
    Map<String, Long> recorded() throws Exception {
        List<Profile> chunks = new ArrayList<>();
        try (Stream<Path> files = Files.list(repository())) {
            for (Path file : files.filter(name -> name.toString().endsWith(".jfr")).toList()) {
                read(file).ifPresent(chunks::add);
            }
        }
        return totals(chunks);
    }

    /** Empty as long as nothing was flushed into it. */
    private static Optional<Profile> read(Path chunk) {
        try (Source source = Source.open(chunk)) {
            return Optional.of(new JfrFormat().read(source, ReadOptions.DEFAULT));
        } catch (FormatException e) {
            return Optional.empty();
        }
    }

    /** How many samples of these totals, by the clock or by CPU time where the JVM can. */
    static long samples(Map<String, Long> totals) {
        return totals.getOrDefault("samples", 0L) + totals.getOrDefault("cpu-samples", 0L);
    }

    /** The total of every resource. */
    static Map<String, Long> totals(Collection<Profile> profiles) {
        Map<String, Long> totals = new TreeMap<>();
        if (!profiles.isEmpty()) {
            for (Column column : Operations.merge(List.copyOf(profiles)).columns()) {
                totals.put(column.resource().name(), column.total());
            }
        }
        return totals;
    }

    /** Asks until there is an answer. */
    static <T> T await(String what, Callable<Optional<T>> question) throws Exception {
        long start = System.nanoTime();
        while (System.nanoTime() - start < PATIENCE_NANOS) {
            Optional<T> answer = question.call();
            if (answer.isPresent()) {
                return answer.get();
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        throw new AssertionError("not within a minute: " + what);
    }

    static void awaitThat(String what, Callable<Boolean> condition) throws Exception {
        await(what, () -> condition.call() ? Optional.of(true) : Optional.empty());
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
