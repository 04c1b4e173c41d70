package dev.heatline.collector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.collector.jvm.FlightRecorder;
import dev.heatline.collector.jvm.FlightRecording;
import dev.heatline.collector.jvm.ProfilingCost;
import dev.heatline.collector.jvm.Target;
import dev.heatline.collector.spool.Entry;
import dev.heatline.collector.spool.SmallDisk;
import dev.heatline.collector.spool.Spool;
import dev.heatline.formats.jfr.LiveRecording;
import dev.heatline.formats.jfr.LiveRecording.Position;
import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.Execution;
import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.RowSeconds;
import dev.heatline.wire.Announcement;
import dev.heatline.wire.RecordingSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole collector, real JVMs, and a server that takes everything. */
class CollectorTest {
    private static final AtomicInteger COUNT = new AtomicInteger();

    /** Collectors that run at the same time leave each other's JVMs alone. */
    private final String app = "collected" + COUNT.incrementAndGet();

    @TempDir private Path temporary;

    private final List<String> said = new CopyOnWriteArrayList<>();
    @AutoClose private final Receiver server = new Receiver();

    static List<Path> jvms() {
        return Target.jvms();
    }

    private Collector collector(Path spool, Duration interval) {
        return Collector.start(options(spool, interval, 1), said::add);
    }

    private CollectorOptions options(Path spool, Duration interval, double budget) {
        return new CollectorOptions(
                server.address(),
                Optional.empty(),
                Optional.empty(),
                spool,
                1 << 26,
                interval,
                budget,
                RecordingSettings.DEFAULT,
                Optional.empty(),
                Optional.empty(),
                Optional.of(Pattern.compile("^" + app + "$")));
    }

    /** One whose budget is so small that it soon records less. */
    private Collector collectorThatRecordsLess(Path spool) {
        CollectorOptions usual = options(spool, Duration.ofSeconds(1), 1e-6);
        return Collector.start(usual, Duration.ofSeconds(1), said::add);
    }

    private long samples() {
        return Program.samples(Program.totals(server.profiles()));
    }

    @OnJvmsAtOnce
    void endingSwitchesRecordersOffAndSendsTheLastProfiles(Path home) throws Exception {
        Path spool = temporary.resolve("spool");
        try (Program program = Program.start(home, app, temporary)) {
            try (Collector collector = collector(spool, Duration.ofHours(1))) {
                Program.awaitThat(
                        "samples are recorded", () -> Program.samples(program.recorded()) > 0);
                assertThat(collector).isNotNull();
            }
            assertThat(samples()).isPositive();
            assertThat(FlightRecorder.find(program.jvm())).isEmpty();
            assertThat(program.command("JFR.check")).doesNotContain("heatline");
            assertThat(entries(spool)).isEmpty();
            assertThat(said).isEmpty();
        }
    }

    @OnJvmsAtOnce
    void whatWasRecordedBetweenCollectorsIsReadBeforeSettingsChange(Path home) throws Exception {
        Path spool = temporary.resolve("spool");
        try (Program program =
                Program.start(home, app, temporary, "-javaagent:" + Target.AGENT + "=app=" + app)) {
            Program.awaitThat("the agent records", () -> program.jvm().announced().isPresent());
            try (Collector collector = collectorThatRecordsLess(spool)) {
                Program.awaitThat("less is recorded", () -> !reduction(program).isEmpty());
                assertThat(collector).isNotNull();
            }
            String left = reduction(program);
            assertThat(left).isNotEmpty();
            Instant begin = Instant.now();
            for (int chunk = 0; chunk < 2; chunk++) {
                long before = bytes(program.repository());
                Program.awaitThat(
                        "more is recorded", () -> bytes(program.repository()) > before + 5_000);
                // Another recording that begins or ends begins another chunk.
                program.command("JFR.start", "name=other", "settings=none");
                program.command("JFR.stop", "name=other");
            }
            Instant end = Instant.now();
            said.clear();
            try (Collector collector = collector(spool, Duration.ofSeconds(1))) {
                Program.awaitThat("all is recorded again", () -> reduction(program).isEmpty());
                int profiles = server.profiles().size();
                Program.awaitThat(
                        "samples with these settings come",
                        () -> server.profiles().size() > profiles + 1);
                assertThat(collector).isNotNull();
            }
            assertThat(said).isEmpty();
            Provenance all = Operations.merge(List.copyOf(server.profiles())).provenance();
            assertThat(all.count(LiveRecording.LOST_CHUNKS)).isZero();
            assertThat(all.count(LiveRecording.MISSING_MILLIS)).isZero();
            assertThat(server.profiles())
                    .as("what lies between says what was left out")
                    .anySatisfy(
                            profile -> {
                                Provenance its = profile.provenance();
                                assertThat(its.from().orElseThrow()).isBefore(end);
                                assertThat(its.until().orElseThrow()).isAfter(begin);
                                assertThat(its.fact(Provenance.REDUCED)).isEqualTo(left);
                            });
            assertThat(last().fact(Provenance.REDUCED)).isEmpty();
        }
    }

    private static String reduction(Program program) {
        return program.jvm().announced().map(FlightRecording::reduction).orElse("");
    }

    private Provenance last() {
        return server.profiles().stream()
                .map(Profile::provenance)
                .max(Comparator.comparing(its -> its.until().orElseThrow()))
                .orElseThrow();
    }

    @OnJvmsAtOnce
    void aJvmThatEndsWhileItIsToldToStopIsNotWorthALine(Path home) throws Exception {
        try (Program program = Program.start(home, app, temporary)) {
            Collector collector = collector(temporary.resolve("spool"), Duration.ofSeconds(1));
            try (collector) {
                Program.awaitThat("samples come", () -> samples() > 0);
                String follower = "following " + program.jvm();
                program.pause();
                Thread closing = Thread.ofPlatform().start(collector::close);
                Program.awaitThat("it is told to stop", () -> isStopping(follower));
                program.kill();
                closing.join();
            }
            assertThat(said).isEmpty();
        }
    }

    private static boolean isStopping(String follower) {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(each -> each.getKey().getName().equals(follower))
                .flatMap(each -> Stream.of(each.getValue()))
                .anyMatch(
                        frame ->
                                frame.getClassName().equals(FlightRecorder.class.getName())
                                        && frame.getMethodName().equals("stop"));
    }

    @OnJvmsAtOnce
    void everyProfileSaysWhatTheJvmHadOfTheCpus(Path home) throws Exception {
        try (Program program = Program.start(home, app, temporary);
                Collector collector =
                        collector(temporary.resolve("spool"), Duration.ofSeconds(1))) {
            Program.awaitThat("profiles come", () -> server.profiles().size() > 2);
            assertThat(program.isAlive()).isTrue();
            assertThat(collector).isNotNull();
        }
        long counted = 0;
        long corrected = 0;
        for (Profile profile : server.profiles()) {
            counted += profile.provenance().count(Provenance.PROFILED_MICROS);
            corrected += profile.provenance().count(Provenance.CORRECTED_MICROS);
            assertThat(profile.provenance().stealShare()).isBetween(0.0, 1.0);
        }
        assertThat(corrected).isPositive().isCloseTo(counted, Percentage.withPercentage(20));
        Profile all = Operations.merge(List.copyOf(server.profiles()));
        Column ofThreads = all.requireColumn("corrected");
        assertThat(ofThreads.total() / 1_000).isCloseTo(corrected, Percentage.withPercentage(1));
        assertThat(threads(all, ofThreads))
                .as("under the names that the recorder knows")
                .contains(Consumer.thread("main", "burner"));
    }

    @OnJvmsAtOnce
    void everySampleIsKnownByItsSecond(Path home) throws Exception {
        try (Program program = Program.start(home, app, temporary)) {
            try (Collector collector = collector(temporary.resolve("spool"), Duration.ofHours(1))) {
                Program.awaitThat(
                        "samples are recorded", () -> Program.samples(program.recorded()) > 1000);
                assertThat(collector).isNotNull();
            }
        }
        Profile profile = Operations.merge(List.copyOf(server.profiles()));
        long[] even = samplesBySecond(profile, "even");
        long[] odd = samplesBySecond(profile, "odd");

        // What is called at the end of a second may still run in the next: once in two seconds.
        Provenance provenance = profile.provenance();
        long turns =
                1
                        + (provenance.untilNanos() - provenance.fromNanos())
                                / (2 * Resource.NANOS_PER_SECOND);
        assertThat(even[0]).isGreaterThan(2 * turns);
        assertThat(odd[1]).isGreaterThan(2 * turns);
        assertThat(even[1]).as("of %s", even[0]).isLessThanOrEqualTo(turns);
        assertThat(odd[0]).as("of %s", odd[1]).isLessThanOrEqualTo(turns);
    }

    /** How many samples of a method were taken in even and in odd seconds. */
    private static long[] samplesBySecond(Profile profile, String method) {
        long[] samples = new long[2];
        for (String resource : List.of("samples", "cpu-samples")) {
            Optional<Column> column = profile.column(resource);
            for (int row = 0; row < column.map(Column::rows).orElse(0); row++) {
                RowSeconds seconds = column.orElseThrow().seconds();
                if (profile.consumerOf(column.orElseThrow().node(row)).name().equals(method)) {
                    for (int part = seconds.start(row); part < seconds.end(row); part++) {
                        long second = seconds.second(part);
                        samples[(int) (second % 2)] += seconds.amount(part);
                    }
                }
            }
        }
        return samples;
    }

    private static Set<Consumer> threads(Profile profile, Column column) {
        return IntStream.range(0, column.rows())
                .mapToObj(row -> profile.consumerAt(column.thread(row)))
                .collect(Collectors.toSet());
    }

    @OnJvmsAtOnce
    void aRecordingThatSomebodyStoppedIsSwitchedOnAgain(Path home) throws Exception {
        try (Program program = Program.start(home, app, temporary);
                Collector collector =
                        collector(temporary.resolve("spool"), Duration.ofSeconds(1))) {
            Program.awaitThat("samples come", () -> samples() > 0);
            assertThat(program.command("JFR.stop", "name=heatline")).contains("Stopped recording");
            Instant stopped = Instant.now();
            Program.awaitThat(
                    "samples come again",
                    () ->
                            server.profiles().stream()
                                    .flatMap(it -> it.provenance().from().stream())
                                    .anyMatch(from -> from.isAfter(stopped)));
            assertThat(collector).isNotNull();
            assertThat(program.command("JFR.check")).contains("heatline");
            assertThat(said).isEmpty();
        }
    }

    @OnJvmsAtOnce
    void aJvmThatIsKilledAndStartedAgainIsFollowedAgain(Path home) throws Exception {
        Map<String, Long> expected = new TreeMap<>();
        List<String> instances = new ArrayList<>();
        try (Collector collector = collector(temporary.resolve("spool"), Duration.ofSeconds(1))) {
            for (String life : List.of("first", "second")) {
                try (Program program = Program.start(home, app, temporary.resolve(life))) {
                    String instance = program.jvm().execution().instance();
                    instances.add(instance);
                    Program.awaitThat(
                            "its samples come",
                            () -> server.profiles().stream().anyMatch(it -> isOf(it, instance)));
                    program.kill();
                    program.recorded()
                            .forEach(
                                    (resource, total) ->
                                            expected.merge(resource, total, Long::sum));
                }
            }
            Program.awaitThat(
                    "all of " + expected, () -> Program.totals(server.profiles()).equals(expected));
            assertThat(collector).isNotNull();
        }
        assertThat(server.profiles())
                .allMatch(it -> instances.stream().anyMatch(instance -> isOf(it, instance)));
        assertThat(said).isEmpty();
    }

    private static boolean isOf(Profile profile, String instance) {
        return profile.provenance().fact(Provenance.INSTANCE).equals(instance);
    }

    @OnJvmsAtOnce
    void whatHindersSomeIsSaidOnceAndDoesNotHinderOthers(Path home) throws Exception {
        String name = "-Dheatline.app=" + app;
        try (Target refusing = Target.busy(home, name, "-XX:+DisableAttachMechanism");
                Target off = Target.busy(home, name, "-XX:-FlightRecorder");
                Program program = Program.start(home, app, temporary);
                Collector collector =
                        collector(temporary.resolve("spool"), Duration.ofSeconds(1))) {
            Program.awaitThat("all is said", () -> said.size() >= 2);
            Program.awaitThat("samples come", () -> samples() > 0);
            assertThat(said)
                    .satisfiesExactlyInAnyOrder(
                            it -> assertThat(it).contains(refusing.pid() + " ", "refuses attach"),
                            it -> assertThat(it).contains(off.pid() + " ", "is switched off"));
            for (Target each : List.of(refusing, off)) {
                assertThat(each.isAlive()).isTrue();
                assertThat(each.output()).doesNotContain("Full thread dump");
            }
            assertThat(program.isAlive()).isTrue();
            assertThat(collector).isNotNull();
        }
    }

    /** The JVM finds its recorder all the same. */
    @OnJvmsAtOnce
    void anApplicationWithoutTheModuleOfTheRecorderIsProfiled(Path home) throws Exception {
        try (Program program = Program.start(home, app, temporary, "--limit-modules=java.base");
                Collector collector =
                        collector(temporary.resolve("spool"), Duration.ofSeconds(1))) {
            Program.awaitThat("samples come", () -> samples() > 10);
            assertThat(program.isAlive()).isTrue();
            assertThat(collector).isNotNull();
            assertThat(said).isEmpty();
        }
    }

    /** Where CPU time is sampled, samples by the clock are somebody else's. */
    @Test
    void whatOthersRecordIsNotOurs() throws Exception {
        try (Program program = Program.start(Target.JVM_25, app, temporary)) {
            assertThat(program.jvm().feature()).isGreaterThanOrEqualTo(25);
            String on = "+jdk.ExecutionSample#enabled=true";
            String often = "+jdk.ExecutionSample#period=10ms";
            assertThat(program.command("JFR.start", "name=others", "settings=none", on, often))
                    .contains("Started recording");
            try (Collector collector =
                    collector(temporary.resolve("spool"), Duration.ofSeconds(1))) {
                Program.awaitThat(
                        "both are recorded",
                        () ->
                                program.recorded()
                                        .keySet()
                                        .containsAll(Set.of("samples", "cpu-samples")));
                Program.awaitThat("samples come", () -> samples() > 10);
                assertThat(collector).isNotNull();
            }
        }
        assertThat(Program.totals(server.profiles()))
                .containsKey("cpu-samples")
                .doesNotContainKeys("samples", "cpu");
        assertThat(said).isEmpty();
    }

    @OnJvmsAtOnce
    void aFullDiskHarmsNobodyAndLosesNothing(Path home, @TempDir Path folder) throws Exception {
        try (SmallDisk disk = SmallDisk.mount(folder);
                Program program = Program.start(home, app, temporary);
                Collector collector = collector(folder.resolve("spool"), Duration.ofSeconds(1))) {
            Program.awaitThat("samples come", () -> samples() > 0);
            // What others recorded too is still there when the JVM was killed.
            program.command("JFR.start", "name=other", "settings=none");
            Path other = disk.fill();
            Program.awaitThat(
                    "it is said",
                    () -> {
                        // What was uploaded meanwhile left some room.
                        disk.fill();
                        return said.stream().anyMatch(it -> it.contains("No space left"));
                    });
            int profiles = server.profiles().size();
            long before = bytes(program.repository());
            Program.awaitThat(
                    "more is recorded", () -> bytes(program.repository()) > before + 20_000);
            assertThat(program.isAlive()).isTrue();
            assertThat(server.profiles()).hasSize(profiles);
            Files.delete(other);
            Program.awaitThat("profiles come again", () -> server.profiles().size() > profiles);
            program.kill();
            Map<String, Long> expected = program.recorded();
            Program.awaitThat(
                    "all of " + expected, () -> Program.totals(server.profiles()).equals(expected));
            assertThat(collector).isNotNull();
            assertThat(said).hasSize(2).last().isEqualTo("profiles can be kept again");
        }
    }

    @OnJvmsAtOnce
    void nothingIsRecordedOnAFullDiskAndTheJvmLives(Path home, @TempDir Path folder)
            throws Exception {
        try (SmallDisk disk = SmallDisk.mount(folder, 128);
                Program program = Program.start(home, app, folder);
                Collector collector =
                        collector(temporary.resolve("spool"), Duration.ofSeconds(1))) {
            Program.awaitThat("samples come", () -> samples() > 0);
            Path other = disk.leave(20);
            Program.awaitThat("it is said", () -> !said.isEmpty());
            assertThat(said)
                    .singleElement()
                    .asString()
                    .contains("is not recorded until 64 MB are free in " + folder);
            assertThat(program.command("JFR.check")).doesNotContain("heatline");
            Announcement announced = program.jvm().announcement().orElseThrow();
            assertThat(announced.isOn()).isFalse();
            assertThat(announced.problem()).contains("until 64 MB are free");

            disk.fill();
            long nanos = cpuNanos(program) + 5_000_000_000L;
            Program.awaitThat("it works on", () -> cpuNanos(program) > nanos);
            Instant full = Instant.now();
            Files.delete(other);
            Program.awaitThat(
                    "samples come again",
                    () ->
                            server.profiles().stream()
                                    .flatMap(it -> it.provenance().from().stream())
                                    .anyMatch(from -> from.isAfter(full)));
            assertThat(said).hasSize(2).last().asString().endsWith("is recorded again");
            announced = program.jvm().announcement().orElseThrow();
            assertThat(announced.isOn()).isTrue();
            assertThat(announced.problem()).isEmpty();
            Profile all = Operations.merge(List.copyOf(server.profiles()));
            assertThat(all.provenance().count(LiveRecording.MISSING_MILLIS)).isPositive();
            assertThat(lost(server.profiles())).isZero();
            assertThat(collector).isNotNull();
        }
    }

    private static long cpuNanos(Program program) {
        return ProfilingCost.of(program.jvm()).orElseThrow().cpuNanos();
    }

    @OnJvmsAtOnce
    void aJvmThatIsKilledLeavesNothingBehind(Path home) throws Exception {
        try (Program program = Program.start(home, app, temporary);
                Collector collector =
                        collector(temporary.resolve("spool"), Duration.ofSeconds(1))) {
            Program.awaitThat("samples come", () -> samples() > 0);
            Path repository = program.repository();
            program.kill();
            Program.awaitThat("it is deleted", () -> !Files.exists(repository));
            assertThat(repository.getParent()).isEmptyDirectory();
            assertThat(collector).isNotNull();
        }
        assertThat(said).isEmpty();
        assertThat(lost(server.profiles())).isZero();
    }

    private static long lost(Collection<Profile> profiles) {
        Profile all = Operations.merge(List.copyOf(profiles));
        return all.provenance().count(LiveRecording.LOST_CHUNKS);
    }

    /** It is told by its name from those the collector follows, so nobody ever begins to. */
    @OnJvmsAtOnce
    void aJvmThatIsKilledBeforeItIsFollowedIsReadToItsEnd(Path home) throws Exception {
        Path folder = temporary.resolve("spool");
        try (Program program =
                Program.start(home, "unfollowed", temporary, OrphansTest.RECORDING)) {
            try (Spool spool = Spool.open(folder, 1 << 26, said::add)) {
                Mark mark = new Mark(Position.START, program.jvm().process());
                append(spool, program.repository().toString(), mark.written());
            }
            try (Collector collector = collector(folder, Duration.ofSeconds(1))) {
                Program.awaitThat("the spool is emptied", () -> !server.profiles().isEmpty());
                Program.awaitThat("samples", () -> Program.samples(program.recorded()) > 10);
                program.kill();
                Map<String, Long> expected = program.recorded();
                Program.awaitThat(
                        "all of " + expected,
                        () -> Program.totals(server.profiles()).equals(expected));
                assertThat(collector).isNotNull();
            }
        }
        assertThat(said).isEmpty();
    }

    @Test
    void whatEndsAThreadUnexpectedlyEndsTheCollector() throws Exception {
        Path folder = temporary.resolve("spool");
        try (Spool spool = Spool.open(folder, 1 << 20, said::add)) {
            append(spool, "source", "position");
        }
        CollectorOptions unreachable = CollectorOptions.of("http://localhost:1", folder);
        try (Collector collector =
                Collector.start(
                        unreachable,
                        remark -> {
                            said.add(remark);
                            throw new IllegalStateException("standard error is closed");
                        })) {
            assertThat(collector.awaitFailure()).hasMessage("standard error is closed");
        }
    }

    /** An empty profile. */
    private static void append(Spool spool, String source, String position) {
        Instant from = Instant.ofEpochSecond(1);
        Execution shop = new Execution("shop", "", "");
        spool.append(
                new Entry("id", shop, from, from.plusSeconds(1), source, position),
                new ProfileBuilder().build(Provenance.NONE));
    }

    private static long bytes(Path repository) throws IOException {
        try (Stream<Path> files = Files.list(repository)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        }
    }

    private static List<Path> entries(Path spool) throws IOException {
        try (Stream<Path> files = Files.list(spool)) {
            return files.filter(file -> file.toString().endsWith(".entry")).toList();
        }
    }
}
