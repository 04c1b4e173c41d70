package dev.heatline.collector.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.heatline.wire.Announcement;
import dev.heatline.wire.Announcements;
import dev.heatline.wire.ProcessKey;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Collectors that come to a JVM at the same moment, each a process of its own. */
class ClaimTest {
    private static final int ROUNDS = 20;
    private static final int NAMELESS = 54_322;
    private static final String OTHER = "is profiled by another Heatline collector, process ";

    static List<Path> jvms() {
        return Target.jvms();
    }

    @AfterAll
    static void leaveNothing() throws IOException {
        Target.deleteAnnouncementsOf(NAMELESS);
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void ofTwoThatComeAtTheSameMomentOneFollows(Path home) throws Exception {
        try (Target target = Target.busy(home)) {
            Jvm jvm = target.jvm();
            try (Target a = rival(jvm, List.of());
                    Target b = rival(jvm, List.of())) {
                for (int round = 0; round < ROUNDS; round++) {
                    List<String> said = tell(Rival.FOLLOW, a, b);
                    assertThat(said).as("round %s", round).containsOnlyOnce(Rival.FOLLOW);
                    boolean firstFollows = said.getFirst().equals(Rival.FOLLOW);
                    Target follower = firstFollows ? a : b;
                    assertThat(said.get(firstFollows ? 1 : 0)).endsWith(OTHER + why(follower));
                    assertThat(recordings(jvm)).hasSize(1);
                    if (round % 2 == 0) {
                        tell(Rival.STOP, follower);
                    } else {
                        leaveToTheNext(jvm);
                    }
                }
            }
        }
    }

    /** Or the recording would be switched off with the collector, and its name forgotten. */
    @Test
    void whatTheAgentSaysWhileItIsTakenStaysSaid() throws Exception {
        try (Target target = Target.busy(Target.JVM_25)) {
            Jvm jvm = target.jvm();
            Claim claim = Claim.take(jvm);
            Map<String, String> options = Map.of("app", "shop");
            Announcements.here()
                    .write(
                            new Announcement(
                                    jvm.process(),
                                    true,
                                    options,
                                    Map.of("jdk.ThreadPark#enabled", "true"),
                                    "/tmp/none",
                                    512,
                                    1,
                                    "",
                                    "",
                                    Optional.empty()));
            claim.announce(
                    new FlightRecording(
                            Path.of("/tmp/none"),
                            Map.of(),
                            512,
                            Instant.ofEpochMilli(2),
                            "less",
                            Optional.empty()));
            Announcement told = Announcements.here().of(jvm.process()).orElseThrow();
            assertThat(told.byAgent()).isTrue();
            assertThat(told.options()).isEqualTo(options);
            assertThat(told.reduction()).isEqualTo("less");
            assertThat(told.collector()).contains(ProcessKey.current());
            assertThat(Claim.of(jvm).withdraw()).isEmpty();
        }
    }

    /** What they announce lies in two folders, so each has to see what the other one wrote. */
    @ParameterizedTest
    @MethodSource("jvms")
    void ofThoseOfTwoUsersNeverDoBothFollow(Path home) throws Exception {
        assumeThat(ProcessKey.user(ProcessKey.current().pid())).as("this is root").hasValue(0);
        try (Target target = Target.busyAs(NAMELESS, home)) {
            Jvm jvm = target.jvm();
            try (Target a = rival(jvm, List.of());
                    Target b = rival(jvm, Target.as(NAMELESS))) {
                for (int round = 0; round < ROUNDS; round++) {
                    List<String> said = tell(Rival.FOLLOW, a, b);
                    List<Target> followers = new ArrayList<>();
                    for (Target each : List.of(a, b)) {
                        String word = said.get(each == a ? 0 : 1);
                        if (word.equals(Rival.FOLLOW)) {
                            followers.add(each);
                        } else {
                            assertThat(word).contains(OTHER);
                        }
                    }
                    assertThat(followers).as("round %s", round).hasSizeLessThan(2);
                    for (Target each : followers) {
                        tell(Rival.STOP, each);
                    }
                }
                assertThat(tell(Rival.FOLLOW, b)).containsExactly(Rival.FOLLOW);
                assertThat(tell(Rival.FOLLOW, a)).singleElement().asString().contains(OTHER);
            }
        }
    }

    private static String why(Target follower) {
        return follower.pid() + ": its server has the profiles, or stop it first";
    }

    private static Target rival(Jvm jvm, List<String> as) {
        List<String> command = new ArrayList<>(as);
        command.addAll(Target.toolCommand(Rival.class));
        command.add(String.valueOf(jvm.pid()));
        return Target.start(command);
    }

    /** The recording goes on, and whoever followed it has died. */
    private static void leaveToTheNext(Jvm jvm) throws Exception {
        Process dead = new ProcessBuilder("sleep", "600").start();
        Optional<ProcessKey> key = ProcessKey.of(dead.pid());
        dead.destroyForcibly().waitFor();
        Announcement now = Announcements.here().of(jvm.process()).orElseThrow();
        Announcements.here().write(now.with(key));
    }

    /** Tells all of them the same and returns what each answers. */
    private static List<String> tell(String order, Target... rivals) {
        List<Long> before = new ArrayList<>();
        for (Target each : rivals) {
            before.add(each.output().lines().count());
        }
        for (Target each : rivals) {
            each.tell(order);
        }
        List<String> answers = new ArrayList<>();
        for (int i = 0; i < rivals.length; i++) {
            Target each = rivals[i];
            long seen = before.get(i);
            answers.add(
                    Target.await(
                            "an answer to " + order,
                            () ->
                                    Optional.of(each.output())
                                            .filter(text -> text.endsWith("\n"))
                                            .flatMap(text -> text.lines().skip(seen).findFirst())));
        }
        return answers;
    }

    private static List<RecordingList.Entry> recordings(Jvm jvm) {
        try (DiagnosticCommands commands = DiagnosticCommands.of(jvm)) {
            return RecordingList.parse(commands.run("JFR.check verbose=true"));
        }
    }
}
