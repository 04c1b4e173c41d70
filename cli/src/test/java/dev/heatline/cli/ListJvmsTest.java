package dev.heatline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.collector.jvm.FlightRecorder;
import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.Jvms;
import dev.heatline.wire.Announcement;
import dev.heatline.wire.Announcements;
import dev.heatline.wire.ProcessKey;
import dev.heatline.wire.RecordingSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verb that lists JVMs, with a real one to be listed. */
class ListJvmsTest {
    private static final Path AGENT = Path.of("../agent/target/heatline-agent.jar");

    private static final String WAITING =
            """
            class Waiting {
                public static void main(String[] args) throws Exception {
                    System.out.println("up");
                    System.in.read();
                }
            }
            """;

    @TempDir private static Path folder;

    private static Optional<JavaProgram> target = Optional.empty();

    @BeforeAll
    static void start() throws IOException {
        target =
                Optional.of(
                        JavaProgram.start(
                                folder,
                                "Waiting",
                                WAITING,
                                "-javaagent:" + AGENT + "=app=shop,version=1.2,instance=a"));
    }

    @AfterAll
    static void stop() {
        target.ifPresent(JavaProgram::close);
    }

    private static long pid() {
        return target.orElseThrow().pid();
    }

    @Test
    void aLineTellsWhatIsRecorded() {
        Run run = Run.of("list").isDone();
        assertThat(run.out().lines().findFirst()).get().asString().startsWith("pid ");
        assertThat(run.out().lines().filter(it -> it.startsWith(pid() + " ")))
                .singleElement()
                .asString()
                .contains(" 25", " shop 1.2 ", "10ms, alloc 150/s, waits 10ms since 2")
                .doesNotContain("reduced");
        assertThat(run.out()).doesNotContain("\n" + ProcessHandle.current().pid() + " ");
    }

    @Test
    void whatTheBudgetLeftOutIsTold() {
        Jvm jvm = Jvms.find(pid()).orElseThrow();
        RecordingSettings less =
                RecordingSettings.DEFAULT
                        .withAllocationsPerSecond(0)
                        .withCpuInterval(Duration.ofMillis(20));
        String reduced = "no allocations, samples every 20 ms";
        FlightRecorder.change(jvm, less, reduced);
        assertThat(Run.of("list").isDone().out()).contains("; reduced: " + reduced);
        assertThat(Run.of("list", "--json").isDone().out())
                .contains(reduced, "\"collector\"", "\"agent\"");
        FlightRecorder.start(jvm, less);
        assertThat(lineOf(pid()))
                .as("asked for, as record -e cpu --every 20ms does")
                .contains("cpu-time 20ms, waits")
                .doesNotContain("reduced");
        FlightRecorder.start(jvm, RecordingSettings.DEFAULT);
        assertThat(lineOf(pid())).doesNotContain("reduced");
    }

    @Test
    void aNameThatNoServerTakesIsListedAsItIsKept() throws IOException {
        try (JavaProgram named =
                JavaProgram.start(
                        folder,
                        "Named",
                        WAITING.replace("Waiting", "Named"),
                        "-Dheatline.app=R&D")) {
            assertThat(lineOf(named.pid()))
                    .contains("  R_D  ", "off; kept app as R_D: names have at most 512 characters");
            assertThat(Run.of("list", "--json").isDone().out())
                    .contains("\"problem\":\"kept app as R_D: ");
        }
    }

    private static String lineOf(long pid) {
        return Run.of("list")
                .isDone()
                .out()
                .lines()
                .filter(it -> it.startsWith(pid + " "))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void whatHindersACollectorIsToldAsLongAsThereIsOne(@TempDir Path temporary) throws Exception {
        Process collector = new ProcessBuilder("sleep", "600").start();
        try (JavaProgram program = JavaProgram.start(temporary, "Waiting", WAITING)) {
            Announcement suspended =
                    new Announcement(
                            ProcessKey.of(program.pid()).orElseThrow(),
                            false,
                            Map.of(),
                            Map.of(),
                            "",
                            0,
                            0,
                            "is not recorded until Christmas",
                            "",
                            ProcessKey.of(collector.pid()));
            Announcements.here().write(suspended);
            assertThat(Run.of("list").isDone().out())
                    .containsPattern(program.pid() + " .* off; is not recorded until Christmas");
            collector.destroyForcibly().waitFor();
            assertThat(Run.of("list").isDone().out()).doesNotContain("Christmas");
            Announcements.here().delete(suspended.process());
        } finally {
            collector.destroyForcibly();
        }
    }

    @Test
    void scriptsGetTheSame() {
        for (List<Object> words :
                List.<List<Object>>of(
                        List.of("list", "--json"), List.of("list", "--format", "json"))) {
            Parsed json = Run.of(words.toArray()).isDone().json();
            assertThat(json.at("jvms").list())
                    .filteredOn(it -> it instanceof Map<?, ?> jvm && hasPid(jvm))
                    .singleElement()
                    .asString()
                    .contains("shop", "jdk.ObjectAllocationSample", "stackDepth");
        }
    }

    private static boolean hasPid(Map<?, ?> jvm) {
        return jvm.get("pid") instanceof Number number && number.longValue() == pid();
    }
}
