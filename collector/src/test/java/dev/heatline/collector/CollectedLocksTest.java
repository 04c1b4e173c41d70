package dev.heatline.collector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.collector.jvm.FlightRecording;
import dev.heatline.collector.jvm.Target;
import dev.heatline.collector.locks.LockWatch;
import dev.heatline.model.ContentionAspect;
import dev.heatline.model.ContentionBuilder;
import dev.heatline.model.Contentions;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import dev.heatline.wire.LockTrace;
import dev.heatline.wire.RecordingSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A collector that traces the locks of real JVMs. */
final class CollectedLocksTest {
    private static final String APP = "contending";
    private static final double PLENTY = 1_000;

    @TempDir private Path temporary;

    private final List<String> said = new CopyOnWriteArrayList<>();
    @AutoClose private final Receiver server = new Receiver();

    static List<Path> jvms() {
        return Target.jvms();
    }

    private Collector collector(double budget, Duration interval, Duration period) {
        return collector(budget, interval, period, Target.AGENT);
    }

    private Collector collector(double budget, Duration interval, Duration period, Path agent) {
        return Collector.start(
                new CollectorOptions(
                        server.address(),
                        Optional.empty(),
                        Optional.empty(),
                        temporary.resolve("spool"),
                        1 << 26,
                        interval,
                        budget,
                        RecordingSettings.DEFAULT
                                .withAllocationsPerSecond(0)
                                .withWaitThreshold(Optional.of(Duration.ofMillis(1))),
                        Optional.of(agent),
                        Optional.empty(),
                        Optional.of(Pattern.compile("^" + APP + "$"))),
                period,
                said::add);
    }

    private static Target contending(Path home) {
        Target target =
                Target.contenders(home, List.of("-Dheatline.app=" + APP), "monitor", "", "60");
        assertThat(target.jvmThatSaid("ready").pid()).isEqualTo(target.pid());
        target.tell("go");
        return target;
    }

    private boolean isReceived(Predicate<Profile> wanted) {
        return server.profiles().stream().anyMatch(wanted);
    }

    private static boolean blames(Profile profile, String owner) {
        if (!Contentions.areIn(profile)) {
            return false;
        }
        Profile owners = Contentions.by(profile, List.of(ContentionAspect.OWNER_CHAIN));
        return IntStream.range(0, owners.consumerCount())
                .anyMatch(id -> owners.consumerAt(id).name().contains(owner));
    }

    /** What the flight recorder tells of monitors stands in the threads' own call chains. */
    private static boolean isTheRecorders(Profile profile) {
        return profile.column("blocked").stream()
                .flatMapToInt(column -> IntStream.range(0, column.rows()).map(column::node))
                .anyMatch(node -> !isTraced(profile, node));
    }

    private static long ran(Profile profile) {
        return profile.provenance().count(Provenance.CORRECTED_MICROS);
    }

    private static long ranTraced(Profile profile) {
        return profile.provenance().count(Provenance.LOCKS_TRACED_MICROS);
    }

    private static boolean isTraced(Profile profile, int node) {
        return profile.path(node).getFirst().equals(ContentionBuilder.ROOT);
    }

    private static boolean isTraced(Target target) throws IOException {
        return trace(target).isPresent();
    }

    private static Optional<Path> trace(Target target) throws IOException {
        try (DirectoryStream<Path> traces =
                Files.newDirectoryStream(
                        Path.of("/tmp"), "heatline-locks-" + target.pid() + "-*")) {
            for (Path folder : traces) {
                return Optional.of(folder.resolve("trace"));
            }
        }
        return Optional.empty();
    }

    /** Time the tracer took so far: it has something to tell. */
    private static long tracerNanos(Target target) throws IOException {
        Path trace = trace(target).orElseThrow();
        try (InputStream in = Files.newInputStream(trace)) {
            // A file that was made just now is still empty.
            byte[] header =
                    Arrays.copyOf(in.readNBytes(LockTrace.HEADER_SIZE), LockTrace.HEADER_SIZE);
            return ByteBuffer.wrap(header)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .getLong(LockTrace.TRACER_NANOS);
        } catch (NoSuchFileException e) {
            return 0;
        }
    }

    /** What is listed as left out. */
    private static String announced(Target target) {
        return target.jvmThatSaid("ready").announced().map(FlightRecording::reduction).orElse("");
    }

    private static boolean hasTracer(Target target) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + target.pid() + "/task"))) {
            for (Path thread : threads.toList()) {
                if (Files.readString(thread.resolve("comm")).startsWith("Heatline locks")) {
                    return true;
                }
            }
        }
        return false;
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void tooDearLocksAreLeftToTheRecorder(Path home) throws Exception {
        try (Target target = contending(home);
                Collector collector =
                        collector(1e-9, Duration.ofSeconds(1), Duration.ofSeconds(4))) {
            Program.awaitThat("locks are traced", () -> hasTracer(target) && isTraced(target));
            Program.awaitThat("owners come", () -> isReceived(it -> blames(it, "asLong")));
            assertThat(server.profiles()).noneMatch(CollectedLocksTest::isTheRecorders);
            Program.awaitThat(
                    "it is too dear", () -> said.stream().anyMatch(it -> it.contains("no locks")));
            Program.awaitThat("it is announced", () -> announced(target).contains("no locks"));
            Program.awaitThat("all is taken back", () -> !hasTracer(target) && !isTraced(target));
            Program.awaitThat(
                    "the recorder is asked", () -> isReceived(CollectedLocksTest::isTheRecorders));
            assertThat(server.profiles())
                    .filteredOn(profile -> ranTraced(profile) > 1)
                    .isNotEmpty()
                    .allMatch(profile -> ranTraced(profile) == ran(profile))
                    .noneMatch(CollectedLocksTest::isTheRecorders);
            assertThat(collector).isNotNull();
            assertThat(target.isAlive()).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void whereLocksCannotBeTracedThatIsSaidOnceAndNothingElse(Path home) throws Exception {
        try (Target target = contending(home);
                Collector collector =
                        collector(
                                PLENTY,
                                Duration.ofSeconds(1),
                                Duration.ofSeconds(4),
                                temporary.resolve("no-agent.jar"))) {
            Program.awaitThat("intervals come", () -> server.profiles().size() >= 3);
            Program.awaitThat(
                    "the recorder is asked", () -> isReceived(CollectedLocksTest::isTheRecorders));
            assertThat(said).singleElement().asString().contains("are not traced");
            assertThat(collector).isNotNull();
            assertThat(target.isAlive()).isTrue();
        }
    }

    /** Somebody was there first, for a while only. */
    @ParameterizedTest
    @MethodSource("jvms")
    void locksThatSomebodyElseTracesAreTracedOnceThatIsOver(Path home) throws Exception {
        try (Target target = contending(home)) {
            LockWatch other = LockWatch.start(target.jvmThatSaid("ready"), Target.AGENT);
            try (Collector collector =
                    collector(PLENTY, Duration.ofSeconds(1), Duration.ofSeconds(4))) {
                Program.awaitThat(
                        "that is said",
                        () -> said.stream().anyMatch(it -> it.contains("are not traced")));
                other.close();
                Program.awaitThat("owners come", () -> isReceived(it -> blames(it, "asLong")));
                assertThat(said).hasSize(2).last().asString().contains("are traced now");
                assertThat(collector).isNotNull();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void whatAKilledJvmTracedIsNotLost(Path home) throws Exception {
        try (Target target = contending(home);
                Collector collector =
                        collector(PLENTY, Duration.ofHours(1), Duration.ofMinutes(1))) {
            Program.awaitThat("locks are traced", () -> isTraced(target));
            Program.awaitThat("locks are contended", () -> tracerNanos(target) > 1_000_000);
            target.kill();
            Program.awaitThat("owners come", () -> isReceived(it -> blames(it, "asLong")));
            Program.awaitThat("nothing is left behind", () -> !isTraced(target));
            assertThat(collector).isNotNull();
            assertThat(said).isEmpty();
        }
    }
}
