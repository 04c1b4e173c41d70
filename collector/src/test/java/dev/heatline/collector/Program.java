package dev.heatline.collector;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.Target;
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
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** A busy program on a real JVM, whose recordings stay where the test can read them. */
final class Program implements AutoCloseable {
    private final Path home;
    private final Path repositories;
    private final Target target;

    private Program(Path home, Path repositories, Target target) {
        this.home = home;
        this.repositories = repositories;
        this.target = target;
    }

    /**
     * Starts it.
     *
     * @param app what it is called in profiles
     * @param folder for its recordings
     */
    static Program start(Path home, String app, Path folder, String... options) throws IOException {
        Path repositories = Files.createDirectories(folder.resolve("repositories"));
        List<String> all = new ArrayList<>();
        all.add("-Dheatline.app=" + app);
        all.add("-XX:FlightRecorderOptions=repository=" + repositories);
        all.addAll(List.of(options));
        return new Program(home, repositories, Target.busy(home, all.toArray(String[]::new)));
    }

    /** As it is listed. */
    Jvm jvm() {
        return target.jvm();
    }

    /** The folder its recorder writes to; others are made and deleted before it. */
    Path repository() throws IOException {
        return Target.await(
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
        command.add(String.valueOf(target.pid()));
        command.addAll(List.of(words));
        Process jcmd = new ProcessBuilder(command).redirectErrorStream(true).start();
        String answer = new String(jcmd.getInputStream().readAllBytes(), UTF_8);
        jcmd.waitFor();
        return answer;
    }

    boolean isAlive() {
        return target.isAlive();
    }

    /** So that it answers nobody. */
    void pause() throws IOException, InterruptedException {
        String pid = String.valueOf(target.pid());
        new ProcessBuilder("kill", "-STOP", pid).start().waitFor();
    }

    void kill() throws InterruptedException {
        target.kill();
    }

    /** All that its recorder wrote and that is still there. */
    Map<String, Long> recorded() throws IOException {
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

    /** What is seen of threads from outside, and in no recording. */
    private static final Set<String> FROM_OUTSIDE = Set.of("corrected", "steal");

    /** The total of every resource that is recorded. */
    static Map<String, Long> totals(Collection<Profile> profiles) {
        Map<String, Long> totals = new TreeMap<>();
        if (!profiles.isEmpty()) {
            for (Column column : Operations.merge(List.copyOf(profiles)).columns()) {
                totals.put(column.resource().name(), column.total());
            }
        }
        totals.keySet().removeAll(FROM_OUTSIDE);
        return totals;
    }

    static void awaitThat(String what, Callable<Boolean> condition) throws Exception {
        Target.await(what, () -> condition.call() ? Optional.of(true) : Optional.empty());
    }

    @Override
    public void close() {
        target.close();
    }
}
