package dev.heatline.collector.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.heatline.wire.CallRequest;
import dev.heatline.wire.ProcessKey;
import dev.heatline.wire.RecordingSettings;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** JVMs of other users, behind other file systems, and with other pids. Only root can make them. */
class ElsewhereTest {
    private static final int NAMELESS = 54_321;

    /** Where the targets find it. */
    private static final String AGENT = "-javaagent:/mnt/a/heatline-agent.jar=app=shop";

    static List<Path> jvms() {
        return Target.jvms();
    }

    @BeforeAll
    static void beRoot() throws IOException, InterruptedException {
        assumeThat(ProcessKey.user(ProcessKey.current().pid())).as("this is root").hasValue(0);
        Process unshare = new ProcessBuilder("unshare", "-mpf", "--mount-proc", "true").start();
        assumeThat(unshare.waitFor()).as("unshare works here").isZero();
    }

    @AfterEach
    void leaveNothing() throws IOException {
        Target.deleteAnnouncementsOf(NAMELESS);
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void aJvmWithATemporaryFolderOfItsOwnIsRecorded(Path home) {
        try (Target target = Target.busyWithOwnTmp(home)) {
            isRecordedUnderItsRoot(target);
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void aJvmInAContainerIsRecorded(Path home) {
        try (Target target = Target.busyInContainer(home)) {
            isRecordedUnderItsRoot(target);
        }
    }

    private static void isRecordedUnderItsRoot(Target target) {
        Jvm jvm = target.jvm();
        assertThat(jvm.main()).isEqualTo(Busy.class.getName());
        assertThat(jvm.feature()).isIn(17, 25);
        assertThat(jvm.obstacle()).isEmpty();
        FlightRecording recording = FlightRecorder.start(jvm, RecordingSettings.DEFAULT);
        assertThat(recording.repository())
                .startsWithRaw(Path.of("/proc/" + jvm.pid() + "/root/tmp"));
        assertThat(recording.remark()).isEmpty();
        Target.await(
                "samples are flushed",
                () ->
                        FlightRecorderTest.newest(recording)
                                .filter(it -> it.column("allocated").isPresent()));
        assertThat(target.jvm().announced()).contains(recording);
        FlightRecorder.stop(jvm);
        assertThat(FlightRecorder.find(jvm)).isEmpty();
        assertThat(target.output()).isEmpty();
    }

    @Test
    void theAgentIsHeardFromATemporaryFolderOfItsOwn() {
        for (Target started :
                List.of(
                        Target.busyWithOwnTmp(Target.JVM_25, AGENT),
                        Target.busyInContainer(Target.JVM_25, AGENT))) {
            try (Target target = started) {
                Jvm jvm = target.jvm();
                assertThat(jvm.execution().application()).isEqualTo("shop");
                FlightRecording recording = jvm.announced().orElseThrow();
                assertThat(recording.repository()).isDirectory();
                assertThat(FlightRecorder.start(jvm, RecordingSettings.DEFAULT))
                        .isEqualTo(recording);
                FlightRecorder.stop(jvm);
                assertThat(FlightRecorder.find(jvm)).contains(recording);
                assertThat(target.output()).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void theJvmOfAUserWithoutANameIsRecordedByRootAndByThatUser(Path home) throws Exception {
        try (Target target = Target.busyAs(NAMELESS, home);
                Target ours = Target.busy(home)) {
            Jvm jvm = target.jvm();
            assertThat(jvm.user()).isEqualTo(String.valueOf(NAMELESS));
            FlightRecording recording = FlightRecorder.start(jvm, RecordingSettings.DEFAULT);
            assertThat(recording.repository()).isDirectory();
            assertThat(target.output()).isEmpty();
            FlightRecorder.start(ours.jvm(), RecordingSettings.DEFAULT);

            try (Target looking = nameless(Looking.class, jvm.pid(), ours.jvm().pid())) {
                assertThat(looking.exit()).as(looking.output()).isZero();
                assertThat(looking.output().lines())
                        .containsExactly(
                                NAMELESS + ": nothing",
                                "times, bytes",
                                "root: belongs to root; run Heatline as that user or as root",
                                "times, no bytes");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void callsInTheJvmOfAnotherUserAreNotMeasured(Path home) {
        try (Target target = Target.busyAs(NAMELESS, home)) {
            CallRequest request = CallRequest.builder().roots(List.of("Busy::main")).build();
            assertThatThrownBy(() -> CallMeter.start(target.jvm(), Path.of("none.jar"), request))
                    .isInstanceOf(JvmException.class)
                    .hasMessageStartingWith("cannot measure calls of ")
                    .hasMessageEndingWith(", which is another user's: run heatline as " + NAMELESS);
            assertThat(target.output()).isEmpty();
        }
    }

    @Test
    void aFolderThatSomebodyElseMadeKeepsNobodyFromRecording() throws Exception {
        Path others = Files.createDirectory(Path.of("/tmp/heatline_" + NAMELESS));
        try (Target target = Target.busyAs(NAMELESS, Target.JVM_25)) {
            try (Target collector = nameless(Recording.class, target.jvm().pid())) {
                assertThat(collector.exit()).as(collector.output()).isZero();
                assertThat(collector.output())
                        .contains("cannot announce", others + " belongs to somebody else");
            }
            assertThat(FlightRecorder.find(target.jvm())).isPresent();
        } finally {
            Files.delete(others);
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void aSocketLeftByAJvmOfTheSamePidIsOutOfTheWayOfRootOnly(Path home) throws Exception {
        try (Target target = Target.busyAs(NAMELESS, home)) {
            Path socket = Path.of("/tmp/.java_pid" + target.jvm().pid());
            // There may really be one.
            Files.deleteIfExists(socket);
            try (ServerSocketChannel killed =
                    ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                killed.bind(UnixDomainSocketAddress.of(socket));
            }
            try (Target collector = nameless(Recording.class, target.jvm().pid())) {
                assertThat(collector.exit()).isOne();
                assertThat(collector.output()).contains(socket + " is another user's: delete it");
            }
            FlightRecorder.start(target.jvm(), RecordingSettings.DEFAULT);
            assertThat(FlightRecorder.find(target.jvm())).isPresent();
            assertThat(ProcessKey.owner(socket)).isEqualTo(NAMELESS);
            assertThat(target.output()).isEmpty();
        }
    }

    /** Runs a program of the collector as the user without a name. */
    private static Target nameless(Class<?> main, Long... pids) {
        List<String> command = new ArrayList<>(Target.as(NAMELESS));
        command.addAll(Target.toolCommand(main));
        Stream.of(pids).map(String::valueOf).forEach(command::add);
        return Target.start(command);
    }
}
