package dev.heatline.collector.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.heatline.collector.spool.SmallDisk;
import dev.heatline.formats.FormatException;
import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import dev.heatline.formats.jfr.JfrFormat;
import dev.heatline.model.Profile;
import dev.heatline.wire.Announcement;
import dev.heatline.wire.Announcements;
import dev.heatline.wire.ProcessKey;
import dev.heatline.wire.RecordingSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
                                    .withWaitThreshold(Optional.empty()),
                            "");
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
    void whatRunsWithOtherSettingsIsLeftAsItIsUntilItIsChanged(Path home) {
        try (Target target = Target.busy(home)) {
            Jvm jvm = target.jvm();
            RecordingSettings less =
                    RecordingSettings.DEFAULT.withCpuInterval(Duration.ofMillis(50));
            assertThat(FlightRecorder.startOrFind(jvm, less, "less").asWanted()).isTrue();
            assertThat(FlightRecorder.startOrFind(jvm, less, "less").asWanted()).isTrue();
            FlightRecorder.Found left =
                    FlightRecorder.startOrFind(jvm, RecordingSettings.DEFAULT, "");
            assertThat(left.asWanted()).isFalse();
            assertThat(left.recording().reduction()).isEqualTo("less");
            assertThat(left.recording().cpuInterval()).isEqualTo("50ms");
            assertThat(recordings(jvm)).hasSize(1).first().extracting("id").isEqualTo(1);

            List<Integer> running = new ArrayList<>();
            FlightRecorder.change(
                    jvm,
                    RecordingSettings.DEFAULT,
                    "",
                    () -> recordings(jvm).forEach(each -> running.add(each.id())));
            assertThat(running).as("while it is read").containsExactly(1, 2);
            assertThat(recordings(jvm)).hasSize(1).first().extracting("id").isEqualTo(2);
            assertThat(FlightRecorder.find(jvm).orElseThrow().reduction()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void stoppingLeavesNothingOfOursAndAllOfOthers(Path home) {
        try (Target target = Target.busy(home)) {
            Jvm jvm = target.jvm();
            try (DiagnosticCommands commands = DiagnosticCommands.of(jvm)) {
                commands.run("JFR.start name=others settings=profile disk=true");
                commands.run("JFR.start name=others settings=profile disk=true");
                assertThat(commands.run("JFR.check verbose=true")).hasSizeGreaterThan(16 << 10);
            }
            List<RecordingList.Entry> others = recordings(jvm);
            FlightRecording recording = FlightRecorder.start(jvm, RecordingSettings.DEFAULT);
            assertThat(recording.stackDepth()).as("the others' choice").isEqualTo(64);
            FlightRecorder.change(
                    jvm, RecordingSettings.DEFAULT.withCpuInterval(Duration.ofMillis(20)), "");
            assertThat(recordings(jvm)).hasSize(3).containsAll(others);

            FlightRecorder.stop(jvm);
            assertThat(recordings(jvm)).isEqualTo(others).hasSize(2);
            Jvm after = Jvms.find(target.pid()).orElseThrow();
            assertThat(after.announcement()).isEmpty();
            assertThat(FlightRecorder.find(after)).isEmpty();
            assertThatThrownBy(() -> FlightRecorder.change(after, RecordingSettings.DEFAULT, ""))
                    .isInstanceOf(JvmException.class)
                    .hasMessageContaining("no recording");
            FlightRecorder.stop(after);
            assertThat(target.output()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void oneCollectorAtATimeAndAKilledOneLosesItsClaim(Path home) throws Exception {
        Process other = new ProcessBuilder("sleep", "600").start();
        try (Target target = Target.busy(home)) {
            Jvm jvm = target.jvm();
            FlightRecording recording = FlightRecorder.start(jvm, RecordingSettings.DEFAULT);
            Announcement ours = Announcements.here().of(jvm.process()).orElseThrow();
            assertThat(ours.collector()).contains(ProcessKey.current());
            Announcements.here().write(ours.with(ProcessKey.of(other.pid())));
            for (Runnable attempt :
                    List.<Runnable>of(
                            () -> FlightRecorder.start(jvm, RecordingSettings.DEFAULT),
                            () -> FlightRecorder.change(jvm, RecordingSettings.DEFAULT, ""))) {
                assertThatThrownBy(attempt::run)
                        .isInstanceOf(JvmException.class)
                        .hasMessageContaining("another Heatline collector, process " + other.pid())
                        .extracting(e -> ((JvmException) e).about(jvm))
                        .asString()
                        .startsWith("it is profiled by another");
            }
            FlightRecorder.stop(jvm);
            assertThat(recordings(jvm)).hasSize(1);

            other.destroyForcibly().waitFor();
            assertThat(FlightRecorder.start(jvm, RecordingSettings.DEFAULT)).isEqualTo(recording);
            assertThat(recordings(jvm)).hasSize(1).first().extracting("id").isEqualTo(1);
            FlightRecorder.stop(jvm);
            assertThat(recordings(jvm)).isEmpty();
        } finally {
            other.destroyForcibly();
        }
    }

    @Test
    void whatNobodyWroteDownOrIsFromTheFutureIsReadFromTheBeginning() throws Exception {
        try (Target target = Target.busy(Target.JVM_25)) {
            Jvm jvm = target.jvm();
            Instant before = Instant.now().truncatedTo(ChronoUnit.MILLIS);
            FlightRecording begun = FlightRecorder.start(jvm, RecordingSettings.DEFAULT);
            assertThat(begun.since()).isAfterOrEqualTo(before);
            try (Stream<Path> chunks = Files.list(begun.repository())) {
                assertThat(chunks)
                        .allSatisfy(chunk -> assertThat(begun.since()).isBefore(modified(chunk)));
            }

            Announcement ours = Announcements.here().of(jvm.process()).orElseThrow();
            Announcements.here()
                    .write(
                            new Announcement(
                                    ours.process(),
                                    false,
                                    Map.of(),
                                    ours.settings(),
                                    ours.repository(),
                                    ours.stackDepth(),
                                    ours.sinceMillis() + 3_600_000,
                                    "",
                                    "",
                                    Optional.empty()));
            assertThat(FlightRecorder.find(jvm).orElseThrow().since()).isEqualTo(Instant.EPOCH);
            Announcements.here().delete(jvm.process());
            assertThat(FlightRecorder.start(jvm, RecordingSettings.DEFAULT).since())
                    .isEqualTo(Instant.EPOCH);
        }
    }

    private static Instant modified(Path file) {
        try {
            return Files.getLastModifiedTime(file).toInstant();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void whatCannotBeFollowedIsNotLeftRunning(Path home) throws Exception {
        assumeThat(ProcessKey.user(ProcessKey.current().pid())).as("this is root").hasValue(0);
        try (Target target = Target.busy(home)) {
            Jvm jvm = target.jvm();
            Path repository;
            try (DiagnosticCommands commands = DiagnosticCommands.of(jvm)) {
                commands.run("JFR.start name=others settings=none disk=true");
                String start = "Repository path: ";
                repository =
                        commands.run("JFR.configure")
                                .lines()
                                .filter(line -> line.startsWith(start))
                                .map(line -> Path.of(line.substring(start.length())))
                                .findFirst()
                                .orElseThrow();
            }
            Files.setAttribute(repository, "unix:uid", 54_321);
            assertThatThrownBy(() -> FlightRecorder.start(jvm, RecordingSettings.DEFAULT))
                    .isInstanceOf(JvmException.class)
                    .hasMessageContaining("another user's");
            assertThat(recordings(jvm)).extracting("name").containsExactly("others");
            assertThat(target.jvm().announcement()).isEmpty();
            Files.setAttribute(repository, "unix:uid", 0);
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void whereThereIsLittleRoomNothingIsBegunAndOtherwiseAQuarterOfItUsed(
            Path home, @TempDir Path folder) throws Exception {
        for (String option :
                List.of(
                        "-Djava.io.tmpdir=" + folder,
                        "-XX:FlightRecorderOptions=repository=" + folder)) {
            try (SmallDisk disk = SmallDisk.mount(folder, 128)) {
                Target target = Target.busy(home, option);
                try (target) {
                    Jvm jvm = target.jvm();
                    Path other = disk.leave(40);
                    assertThatThrownBy(() -> FlightRecorder.start(jvm, RecordingSettings.DEFAULT))
                            .isInstanceOf(JvmException.class)
                            .hasMessageContaining("is not recorded until 64 MB are free in");
                    assertThat(recordings(jvm)).isEmpty();
                    assertThat(target.jvm().announcement()).isEmpty();

                    Files.delete(other);
                    FlightRecorder.start(jvm, RecordingSettings.DEFAULT);
                    try (DiagnosticCommands commands = DiagnosticCommands.of(jvm)) {
                        assertThat(commands.run("JFR.check")).containsPattern("maxsize=3[12]\\.");
                    }
                    assertThat(target.output()).isEmpty();
                }
            }
        }
    }

    @Test
    void anAnswerWithoutEndIsNotReadToItsEnd() {
        try (Target target = Target.busy(Target.JVM_25);
                DiagnosticCommands commands = DiagnosticCommands.of(target.jvm())) {
            assertThatThrownBy(() -> commands.run("VM.symboltable -verbose"))
                    .isInstanceOf(JvmException.class)
                    .hasMessageContaining("answers with more than");
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void aJvmThatRefusesAttachIsLeftAlone(Path home) {
        try (Target target = Target.busy(home, "-XX:+DisableAttachMechanism")) {
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
                                            .filter(cost -> cost.recorderBytes().orElse(0) > 1000)
                                            .filter(cost -> cost.cpuNanos() > 100_000_000));
            assertThat(used.recorderNanos()).isPositive();
            assertThat(used.since(used)).isEqualTo(new ProfilingCost(0, 0, OptionalLong.of(0)));
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
