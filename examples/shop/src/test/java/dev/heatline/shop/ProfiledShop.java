package dev.heatline.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import dev.heatline.formats.jfr.JfrFormat;
import dev.heatline.model.CallGraph;
import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.Profile;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.h2.jdbcx.JdbcConnectionPool;

/**
 * A shop that served a fixed number of requests in a JVM of its own, and what JFR saw of it.
 *
 * <p>JFR begins when the shop has served its first half: before that, on a busy machine, methods
 * that wait for their compilation look hotter than the hot spot.
 */
final class ProfiledShop {
    private static final String EVENTS =
            "settings=none,delay=6s"
                    + ",+jdk.ExecutionSample#enabled=true,+jdk.ExecutionSample#period=5ms"
                    + ",+jdk.ObjectAllocationSample#enabled=true"
                    + ",+jdk.ObjectAllocationSample#throttle=300/s"
                    + ",+jdk.JavaMonitorEnter#enabled=true,+jdk.JavaMonitorEnter#threshold=1ms"
                    + ",+jdk.ThreadPark#enabled=true,+jdk.ThreadPark#threshold=1ms"
                    + ",+jdk.ThreadSleep#enabled=true,+jdk.ThreadSleep#threshold=1ms"
                    + ",+jdk.ThreadSleep#stackTrace=true";

    private final Path recording;
    private final Path output;
    private final Process process;

    private ProfiledShop(Path recording, Path output, Process process) {
        this.recording = recording;
        this.output = output;
        this.process = process;
    }

    /** Starts a shop and its load; it ends by itself. */
    static ProfiledShop start(Path jvm, String version, Path folder) throws IOException {
        Path recording = folder.resolve(version + ".jfr");
        Path output = folder.resolve(version + ".txt");
        Process process =
                new ProcessBuilder(
                                jvm.resolve("bin/java").toString(),
                                "-Xmx256m",
                                "-XX:FlightRecorderOptions=stackdepth=1024",
                                "-XX:StartFlightRecording=filename=" + recording + "," + EVENTS,
                                "-cp",
                                classPath(),
                                Main.class.getName(),
                                "--version",
                                version,
                                "--port",
                                "0",
                                "--self-load",
                                "--rate",
                                "400",
                                "--requests",
                                "4800")
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        return new ProfiledShop(recording, output, process);
    }

    private static String classPath() {
        URL h2 = JdbcConnectionPool.class.getProtectionDomain().getCodeSource().getLocation();
        return Path.of("target", "classes") + File.pathSeparator + h2.getPath();
    }

    /** Waits for its end and reads the recording. */
    Profile read() throws IOException, InterruptedException {
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("ended").isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(Files.readString(output)).isZero();
        assertThat(Files.readString(output)).contains("at http://127.0.0.1:");
        try (Source source = Source.open(recording)) {
            return new JfrFormat().read(source, new ReadOptions(List.of(), _ -> {}));
        }
    }

    /** What a method of the shop used of a resource itself, such as {@code Search.relevance}. */
    static long self(Profile profile, String resource, String method) {
        CallGraph graph = CallGraph.of(profile, profile.requireColumn(resource));
        return shopMethods(profile)
                .filter(id -> name(profile.consumerAt(id)).equals(method))
                .mapToLong(graph::base)
                .sum();
    }

    /** The method of the shop that used the most of a resource itself. */
    static String hottest(Profile profile, String resource) {
        return shopMethods(profile)
                .mapToObj(id -> name(profile.consumerAt(id)))
                .max((a, b) -> Long.compare(self(profile, resource, a), self(profile, resource, b)))
                .orElseThrow();
    }

    private static IntStream shopMethods(Profile profile) {
        return IntStream.range(0, profile.consumerCount())
                .filter(id -> profile.consumerAt(id).owner().startsWith("dev.heatline.shop."));
    }

    /** The total of a resource over all stacks with a fitting frame. */
    static long under(Profile profile, String resource, Predicate<String> frame) {
        Column column = profile.requireColumn(resource);
        return IntStream.range(0, column.rows())
                .filter(
                        row ->
                                profile.path(column.node(row)).stream()
                                        .anyMatch(consumer -> frame.test(name(consumer))))
                .mapToLong(column::value)
                .sum();
    }

    /** {@code Class.method} in the shop, with the package elsewhere. */
    private static String name(Consumer method) {
        return (method.owner() + '.' + method.name()).replace("dev.heatline.shop.", "");
    }
}
