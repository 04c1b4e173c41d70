package dev.heatline.collector.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.collector.spool.SmallDisk;
import dev.heatline.model.Execution;
import dev.heatline.wire.Announcement;
import dev.heatline.wire.Announcements;
import dev.heatline.wire.ProcessKey;
import dev.heatline.wire.RecordingSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The agent's jar in real JVMs, seen from outside by the collector and from inside. */
class AgentTest {
    private static final String OPTIONS = "=app=shop,version=1.2,instance=a,label.zone=us";

    static List<Path> jvms() {
        return Target.jvms();
    }

    private static String agent(String options) {
        return "-javaagent:" + Target.AGENT + options;
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void theCollectorFindsWhatTheAgentStartedEvenWithoutAttach(Path home) {
        try (Target target = Target.busy(home, agent(OPTIONS), "-XX:+DisableAttachMechanism")) {
            Jvm jvm = target.jvm();
            assertThat(jvm.execution())
                    .isEqualTo(
                            new Execution("shop", "1.2", "a", new TreeMap<>(Map.of("zone", "us"))));
            FlightRecording recording = FlightRecorder.find(jvm).orElseThrow();
            assertThat(FlightRecorder.start(jvm, RecordingSettings.DEFAULT)).isEqualTo(recording);
            assertThat(target.jvm().announcement().flatMap(Announcement::collector))
                    .contains(ProcessKey.current());
            FlightRecorder.stop(jvm);
            assertThat(recording.stackDepth()).isEqualTo(512);
            assertThat(recording.cpuInterval()).isEqualTo("10ms");
            String samples = jvm.feature() >= 25 ? "cpu-samples" : "samples";
            Target.await(
                    "samples are flushed",
                    () ->
                            FlightRecorderTest.newest(recording)
                                    .filter(it -> it.column(samples).isPresent()));
            assertThat(jvm.announcement().map(Announcement::problem)).contains("");
            assertThat(target.output()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void whatTheAgentStartedCanBeChangedFromOutsideAndStaysOn(Path home) {
        try (Target target = Target.busy(home, agent(""))) {
            Jvm jvm = target.jvm();
            FlightRecording announced = jvm.announced().orElseThrow();
            assertThat(FlightRecorder.start(jvm, RecordingSettings.DEFAULT)).isEqualTo(announced);
            assertThat(announced.reduction()).isEmpty();
            RecordingSettings less =
                    RecordingSettings.DEFAULT.withCpuInterval(Duration.ofMillis(20));
            FlightRecorder.change(jvm, less, "less");
            FlightRecording changed = recording(target);
            assertThat(changed.cpuInterval()).isEqualTo("20ms");
            assertThat(changed.reduction()).isEqualTo("less");
            FlightRecorder.change(jvm, less, "even less");
            assertThat(recording(target).settings()).isEqualTo(changed.settings());
            assertThat(recording(target).reduction()).isEqualTo("even less");
            assertThat(FlightRecorder.start(jvm, less))
                    .as("wanted so")
                    .isEqualTo(recording(target));
            assertThat(recording(target).reduction()).isEmpty();
            changed = recording(target);

            FlightRecorder.stop(target.jvm());
            assertThat(recording(target)).isEqualTo(changed);
            assertThat(FlightRecorder.find(target.jvm())).contains(changed);
            Announcement left = target.jvm().announcement().orElseThrow();
            assertThat(left.byAgent()).isTrue();
            assertThat(left.collector()).isEmpty();
            assertThat(target.output()).isEmpty();
        }
    }

    private static FlightRecording recording(Target target) {
        return target.jvm().announced().orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void theApplicationSeesNothingOfIt(Path home) throws Exception {
        try (Target target =
                Target.start(
                        home,
                        List.of(agent(OPTIONS)),
                        Curious.class.getName(),
                        "dev.heatline.agent.Start",
                        "dev.heatline.wire.Announcement",
                        "heatline.dev.heatline.agent.Start",
                        "org.jspecify.annotations.Nullable")) {
            assertThat(target.exit()).isZero();
            assertThat(target.output().lines())
                    .hasSize(4)
                    .allSatisfy(it -> assertThat(it).startsWith("no "));
            assertThat(Announcements.here().all()).doesNotContainKey(target.pid());
            for (String folder : List.of("/tmp/heatline_" + user(), "/run/heatline")) {
                assertThat(Path.of(folder, String.valueOf(target.pid()))).doesNotExist();
            }
        }
    }

    private static String user() {
        return System.getProperty("user.name");
    }

    @Test
    void wrongOptionsAreAnnouncedAndHurtNobody() {
        try (Target target = Target.busy(Target.JVM_25, agent("=app=shop,,colour=blue"))) {
            Jvm jvm = target.jvm();
            assertThat(jvm.execution().application()).isEqualTo("shop");
            assertThat(jvm.execution().labels()).containsEntry("zone", "eu");
            assertThat(jvm.announced()).isPresent();
            assertThat(jvm.announcement().orElseThrow().problem()).contains("colour=blue");
            assertThat(target.output()).isEmpty();
        }
    }

    @Test
    void aRepositoryThatCannotBeWrittenIsAnnouncedAndHurtsNobody() throws Exception {
        try (Target target =
                Target.busy(
                        Target.JVM_25, agent(OPTIONS), "-Djava.io.tmpdir=/proc/no-such-folder")) {
            Jvm jvm = target.jvm();
            assertThat(jvm.announced()).isEmpty();
            assertThat(jvm.announcement().orElseThrow().problem())
                    .contains("the flight recorder does not start");
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void nothingIsRecordedOnAFullDiskAndTheJvmLives(Path home, @TempDir Path folder)
            throws Exception {
        try (SmallDisk disk = SmallDisk.mount(folder, 128)) {
            Path other = disk.leave(40);
            Target target =
                    Target.busy(
                            home,
                            agent("=colour=blue"),
                            "-XX:FlightRecorderOptions=repository=" + folder);
            try (target) {
                Jvm jvm = target.jvm();
                assertIsSuspended(jvm.announcement().orElseThrow(), folder);

                Files.delete(other);
                awaitSamples(target);
                disk.leave(20);
                Announcement suspended =
                        Target.await(
                                "nothing is recorded",
                                () -> target.jvm().announcement().filter(it -> !it.isOn()));
                assertIsSuspended(suspended, folder);
                assertThat(FlightRecorder.find(jvm)).isEmpty();
                disk.fill();
                long nanos = cpuNanos(jvm) + 5_000_000_000L;
                Target.await(
                        "it works on", () -> Optional.of(jvm).filter(it -> cpuNanos(it) > nanos));

                Files.delete(other);
                awaitSamples(target);
                assertThat(target.jvm().announcement().orElseThrow().problem())
                        .contains("colour=blue")
                        .doesNotContain("free");
                assertThat(target.output()).isEmpty();
            }
        }
    }

    private static void assertIsSuspended(Announcement announcement, Path folder) {
        assertThat(announcement.isOn()).isFalse();
        assertThat(announcement.problem())
                .contains("colour=blue")
                .contains("is not recorded until 64 MB are free in " + folder);
    }

    private static void awaitSamples(Target target) {
        FlightRecording recording = Target.await("it is recorded", () -> target.jvm().announced());
        String samples = target.jvm().feature() >= 25 ? "cpu-samples" : "samples";
        Target.await(
                "samples are flushed",
                () ->
                        FlightRecorderTest.newest(recording)
                                .filter(it -> it.column(samples).isPresent()));
    }

    private static long cpuNanos(Jvm jvm) {
        return ProfilingCost.of(jvm).orElseThrow().cpuNanos();
    }

    @Test
    void aRuntimeWithoutRecorderIsSaidSoAndRunsOn(@TempDir Path folder) {
        Path image = folder.resolve("image");
        int made =
                ToolProvider.findFirst("jlink")
                        .orElseThrow()
                        .run(
                                System.out,
                                System.err,
                                "--add-modules",
                                "java.base,java.instrument",
                                "--output",
                                image.toString());
        assertThat(made).isZero();
        assertThat(Files.isExecutable(image.resolve("bin/java"))).isTrue();
        try (Target target = Target.busy(image, agent(OPTIONS))) {
            Jvm jvm = target.jvm();
            assertThat(jvm.obstacle()).get().asString().contains("jdk.jfr");
            assertThat(jvm.announcement().orElseThrow().problem()).contains("jdk.jfr");
            assertThat(FlightRecorder.find(jvm)).isEmpty();
            assertThat(target.output()).isEmpty();
        }
    }
}
