package dev.heatline.collector.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heatline.formats.FormatException;
import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import dev.heatline.formats.jfr.JfrFormat;
import dev.heatline.model.Profile;
import dev.heatline.wire.RecordingSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FlightRecorderTest {

    static List<Path> jvms() {
        return Target.jvms();
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void whatIsSwitchedOnIsRecorded(Path home) {
        try (Target target = Target.busy(home)) {
            Jvm jvm = target.jvm();
            assertThat(FlightRecorder.find(jvm)).isEmpty();
            FlightRecording recording = FlightRecorder.start(jvm, RecordingSettings.DEFAULT);
            assertThat(recording.stackDepth()).isEqualTo(512);
            assertThat(recording.cpuInterval()).isEqualTo("10ms");
            boolean cpuTime = recording.events().contains("jdk.CPUTimeSample");
            assertThat(cpuTime).isEqualTo(jvm.feature() >= 25);
            assertThat(recording.events().contains("jdk.ExecutionSample")).isEqualTo(!cpuTime);

            String samples = cpuTime ? "cpu-samples" : "samples";
            String time = cpuTime ? "cpu-time" : "cpu";
            Profile profile =
                    Target.await(
                            "samples, allocations, contentions",
                            () ->
                                    newest(recording)
                                            .filter(it -> it.column(samples).isPresent())
                                            .filter(it -> it.column("allocated").isPresent())
                                            .filter(it -> it.column("blocked").isPresent()));
            long nanos = profile.column(samples).orElseThrow().total() * 10_000_000;
            if (cpuTime) {
                // A sample that comes late stands for more than one interval.
                assertThat(profile.column(time).orElseThrow().total())
                        .isGreaterThanOrEqualTo(nanos);
            } else {
                assertThat(profile.column(time).orElseThrow().total()).isEqualTo(nanos);
            }
            assertThat(profile.provenance().count("truncated")).isZero();
            assertThat(methods(profile)).anyMatch(it -> it.contains("Busy.burn"));
            assertThat(methods(profile)).anyMatch(it -> it.contains("Busy.allocate"));
            assertThat(methods(profile)).anyMatch(it -> it.contains("Busy.enter"));
            assertThat(target.output()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void aRunningRecordingIsFoundAgainAndChangedWithoutAGap(Path home) {
        try (Target target = Target.busy(home)) {
            FlightRecording first = FlightRecorder.start(target.jvm(), RecordingSettings.DEFAULT);
            Jvm again = Jvms.find(target.pid()).orElseThrow();
            assertThat(FlightRecorder.start(again, RecordingSettings.DEFAULT).settings())
                    .isEqualTo(first.settings());
            assertThat(recordings(again)).hasSize(1).first().extracting("id").isEqualTo(1);

            FlightRecording changed =
                    FlightRecorder.change(
                            again,
                            RecordingSettings.DEFAULT
                                    .withCpuInterval(Duration.ofMillis(50))
                                    .withAllocationsPerSecond(0)
                                    .withWaitThreshold(Optional.empty()));
            assertThat(changed.cpuInterval()).isEqualTo("50ms");
            assertThat(changed.events())
                    .doesNotContain("jdk.ObjectAllocationSample", "jdk.ThreadPark")
                    .contains("jdk.ActiveSetting");
            assertThat(changed.repository()).isEqualTo(first.repository());
            assertThat(recordings(again)).hasSize(1).first().extracting("id").isEqualTo(2);
            Jvm later = Jvms.find(target.pid()).orElseThrow();
            assertThat(FlightRecorder.find(later).map(FlightRecording::settings))
                    .contains(changed.settings());
            assertThat(later.announced().map(FlightRecording::settings))
                    .contains(changed.settings());
            assertThat(target.output()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void stoppingLeavesNothingOfOursAndAllOfOthers(Path home) {
        try (Target target = Target.busy(home)) {
            Jvm jvm = target.jvm();
            try (DiagnosticCommands commands = DiagnosticCommands.of(jvm)) {
                commands.run(
                        "JFR.start name=others settings=none disk=true"
                                + " +jdk.GCHeapSummary#enabled=true");
            }
            List<RecordingList.Entry> others = recordings(jvm);
            FlightRecording recording = FlightRecorder.start(jvm, RecordingSettings.DEFAULT);
            assertThat(recording.stackDepth()).as("the others' choice").isEqualTo(64);
            FlightRecorder.change(
                    jvm, RecordingSettings.DEFAULT.withCpuInterval(Duration.ofMillis(20)));
            assertThat(recordings(jvm)).hasSize(2).containsAll(others);

            FlightRecorder.stop(jvm);
            assertThat(recordings(jvm)).isEqualTo(others).hasSize(1);
            Jvm after = Jvms.find(target.pid()).orElseThrow();
            assertThat(after.announcement()).isEmpty();
            assertThat(FlightRecorder.find(after)).isEmpty();
            assertThatThrownBy(() -> FlightRecorder.change(after, RecordingSettings.DEFAULT))
                    .isInstanceOf(JvmException.class)
                    .hasMessageContaining("no recording");
            FlightRecorder.stop(after);
            assertThat(target.output()).isEmpty();
        }
    }

    @Test
    void aJvmThatRefusesAttachIsLeftAlone() {
        try (Target target = Target.busy(Target.JVM_25, "-XX:+DisableAttachMechanism")) {
            Jvm jvm = target.jvm();
            assertThat(jvm.obstacle()).get().asString().contains("-javaagent:heatline-agent.jar");
            assertThatThrownBy(() -> FlightRecorder.start(jvm, RecordingSettings.DEFAULT))
                    .isInstanceOf(JvmException.class)
                    .hasMessageContaining("JVM " + target.pid())
                    .hasMessageContaining("refuses attach");
            assertThat(FlightRecorder.find(jvm)).isEmpty();
            assertThat(target.output()).isEmpty();
        }
    }

    @Test
    void aJvmThatHasEndedIsNoSurprise() throws Exception {
        try (Target target = Target.busy(Target.JVM_25)) {
            Jvm jvm = target.jvm();
            FlightRecorder.start(jvm, RecordingSettings.DEFAULT);
            target.kill();
            assertThat(Jvms.find(target.pid())).isEmpty();
            assertThat(Jvms.list()).noneMatch(it -> it.pid() == target.pid());
            assertThatThrownBy(() -> FlightRecorder.stop(jvm))
                    .isInstanceOf(JvmException.class)
                    .hasMessageContaining("has ended");
            assertThat(ProfilingCost.of(jvm)).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void whatTheRecorderUsesIsReadFromOutside(Path home) {
        try (Target target = Target.busy(home)) {
            Jvm jvm = target.jvm();
            assertThat(ProfilingCost.of(jvm).orElseThrow().recorderNanos()).isZero();
            FlightRecorder.start(jvm, RecordingSettings.DEFAULT);
            ProfilingCost first = ProfilingCost.of(jvm).orElseThrow();
            ProfilingCost used =
                    Target.await(
                            "the recorder wrote",
                            () ->
                                    ProfilingCost.of(jvm)
                                            .map(cost -> cost.since(first))
                                            .filter(cost -> cost.recorderBytes() > 1000)
                                            .filter(cost -> cost.cpuNanos() > 100_000_000));
            assertThat(used.recorderNanos()).isPositive();
            assertThat(used.since(used)).isEqualTo(new ProfilingCost(0, 0, 0));
        }
    }

    private static List<RecordingList.Entry> recordings(Jvm jvm) {
        try (DiagnosticCommands commands = DiagnosticCommands.of(jvm)) {
            return RecordingList.parse(commands.run("JFR.check verbose=true"));
        }
    }

    private static List<String> methods(Profile profile) {
        return IntStream.range(0, profile.consumerCount())
                .mapToObj(id -> profile.consumerAt(id).display())
                .toList();
    }

    /** What was flushed so far into the newest chunk. */
    static Optional<Profile> newest(FlightRecording recording) {
        try (Stream<Path> files = Files.list(recording.repository())) {
            Optional<Path> chunk =
                    files.filter(it -> it.toString().endsWith(".jfr")).sorted().reduce((_, b) -> b);
            if (chunk.isEmpty()) {
                return Optional.empty();
            }
            try (Source source = Source.open(chunk.get())) {
                return Optional.of(new JfrFormat().read(source, ReadOptions.DEFAULT));
            }
        } catch (FormatException e) {
            // Nothing was flushed yet.
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
