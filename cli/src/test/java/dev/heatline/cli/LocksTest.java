package dev.heatline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.Jvms;
import dev.heatline.collector.locks.LockWatch;
import dev.heatline.formats.Formats;
import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import dev.heatline.model.Provenance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Locks and samples of a real JVM in which one thread keeps another waiting. */
class LocksTest {
    @TempDir private static Path folder;

    private static Optional<JavaProgram> target = Optional.empty();

    @BeforeAll
    static void start() throws IOException {
        target =
                Optional.of(
                        JavaProgram.start(
                                folder,
                                "Queueing",
                                """
                class Queueing {
                    static synchronized void hold() throws Exception { Thread.sleep(20); }
                    static synchronized void want() { }
                    static volatile double worked;
                    static void work() {
                        double sum = 0;
                        for (int i = 0; i < 100_000; i++) { sum += Math.sqrt(i); }
                        worked = sum;
                    }
                    public static void main(String[] args) throws Exception {
                        Thread.ofPlatform().daemon().name("greedy").start(() -> {
                            try {
                                while (true) { hold(); Thread.sleep(5); }
                            } catch (Exception e) { throw new IllegalStateException(e); }
                        });
                        Thread.ofPlatform().daemon().name("patient").start(() -> {
                            while (true) { work(); want(); }
                        });
                        System.out.println("up");
                        System.in.read();
                    }
                }
                """,
                                "-XX:+EnableDynamicAgentLoading"));
    }

    @AfterAll
    static void stop() {
        target.ifPresent(JavaProgram::close);
    }

    private static long pid() {
        return target.orElseThrow().pid();
    }

    @Test
    void theGuiltyMethodIsNamed() {
        Run run = Run.of("locks", pid(), "-d", "1s", "--by", "blocked-method,owner-method");

        assertThat(run.exit()).isEqualTo(Exit.DONE);
        assertThat(run.err()).contains("waits", "bytes of trace");
        assertThat(run.out().lines().filter(line -> line.contains("Queueing.want()"))).isNotEmpty();
        assertThat(run.out().lines().filter(line -> line.endsWith("    Queueing.hold()")))
                .isNotEmpty();
    }

    @Test
    void whatWasKeptCanBeAnalysedAgain() {
        Path trace = folder.resolve("kept.trace");
        Run first = Run.of("locks", pid(), "-d", "1s", "--keep", trace, "--format", "json");
        Run again = Run.of("locks", trace, "--format", "json");

        assertThat(again.exit()).isEqualTo(Exit.DONE);
        assertThat(first.out()).contains("Queueing.hold()");
        assertThat(again.out()).contains("Queueing.hold()");
    }

    @Test
    void contentionsAreAProfileLikeAnyOther() {
        Path profile = folder.resolve("locks.heat");
        assertThat(Run.of("record", pid(), "-e", "cpu,lock", "-d", "2s", "-o", profile).exit())
                .isEqualTo(Exit.DONE);

        assertThat(
                        Run.of(
                                        "report",
                                        profile,
                                        "--view",
                                        "locks",
                                        "--resource",
                                        "blocked",
                                        "--by",
                                        "owner-method")
                                .isDone()
                                .out())
                .contains("Queueing.hold()");
        assertThat(Run.of("report", profile, "--by", "owner-method").isDone().out())
                .contains("by owner-method", "Queueing.hold()");
        Run.of("report", profile, "--view", "xtree", "--by", "owner-method")
                .wrongUsageSaying("--by is for locks");
        assertThat(Run.of("report", profile, "--resource", "cpu-time").isDone().out())
                .contains("Queueing.work()");
        assertThat(
                        Run.of(
                                "report",
                                profile,
                                "--resource",
                                "blocked",
                                "-o",
                                folder.resolve("x.html")))
                .extracting(Run::exit)
                .isEqualTo(Exit.DONE);
    }

    @Test
    void whatWasWrittenIsSaid() {
        Path profile = folder.resolve("said.heat");
        Run locks = Run.of("locks", pid(), "-d", "1s", "-o", profile);
        assertThat(locks.err())
                .containsPattern("wrote .*said.heat: [\\d,]+ contentions.* in 1\\.\\d s");
        assertThat(locks.out()).isEmpty();

        Run record = Run.of("record", pid(), "-e", "lock", "-d", "1s", "-o", profile);
        assertThat(record.err())
                .containsPattern("wrote .*said.heat: [\\d,]+ contentions.* in 1\\.\\d s");
    }

    /** So that reports can warn of stolen time, and compare blocked time with running time. */
    @Test
    void profilesTellWhatTheJvmHadOfTheCpus() throws IOException {
        Path locks = folder.resolve("cpus-locks.heat");
        Path record = folder.resolve("cpus-record.heat");
        Run.of("locks", pid(), "-d", "1s", "-o", locks);
        Run.of("record", pid(), "-e", "cpu", "-d", "1s", "-o", record);
        for (Path file : List.of(locks, record)) {
            byte[] written = Files.readAllBytes(file);
            Provenance told =
                    Formats.read(Source.of("cpus.heat", written), ReadOptions.DEFAULT).provenance();
            assertThat(told.count(Provenance.CORRECTED_MICROS)).as("%s", file).isPositive();
            assertThat(told.count(Provenance.LOCKS_TRACED_MICROS))
                    .as("%s", file)
                    .isEqualTo(file.equals(locks) ? told.count(Provenance.CORRECTED_MICROS) : 0);
        }
        assertThat(Run.of("report", locks, "--view", "locks").isDone().out())
                .contains(" on CPUs", "waiters", "pressure %");
    }

    @Test
    void groupsOfMethodsAreNoAspects() {
        Path profile = folder.resolve("group.heat");
        assertThat(Run.of("locks", pid(), "-d", "1s", "-o", profile).exit()).isEqualTo(Exit.DONE);

        Run.of("report", profile, "--view", "locks", "--group", "class")
                .wrongUsageSaying("--by lock-class,owner-method");
        Run.of("record", pid(), "-e", "lock", "--group", "class")
                .wrongUsageSaying("--by lock-class,owner-method");
        assertThat(Run.of("locks", "--help").out()).doesNotContain("--group");
    }

    @Test
    void aListTellsWhoseLocksAreTraced() {
        String line = pid() + " ";
        Jvm jvm = Jvms.find(pid()).orElseThrow();
        try (LockWatch tracing = LockTracing.start(jvm)) {
            tracing.look();
            assertThat(Run.of("list").isDone().out().lines().filter(it -> it.startsWith(line)))
                    .singleElement()
                    .asString()
                    .endsWith(" locks");
            assertThat(Run.of("list", "--json").isDone().out()).contains("\"locks\":true");
        }
        assertThat(Run.of("list").isDone().out().lines().filter(it -> it.startsWith(line)))
                .singleElement()
                .asString()
                .endsWith(" off");
    }

    @Test
    void whereLocksCannotBeTracedTheFlightRecorderIsOffered() throws IOException {
        String source =
                """
                class Elsewhere {
                    public static void main(String[] args) throws Exception {
                        System.out.println("up");
                        System.in.read();
                    }
                }
                """;
        try (JavaProgram other =
                JavaProgram.start(
                        folder,
                        "Elsewhere",
                        source,
                        "-Dos.arch=vax",
                        "-XX:+EnableDynamicAgentLoading")) {
            String instead = "heatline record " + other.pid() + " -e wait";
            Run.of("locks", other.pid()).failedSaying("no native library for linux-vax", instead);
            Run.of("record", other.pid(), "-e", "lock").failedSaying(instead);
        }
    }

    @Test
    void whatIsWrongIsSaid() throws IOException {
        Run.of("locks", "1999999999").failedSaying("no JVM has the pid 1999999999");
        assertThat(Run.of("locks", pid(), "--by", "owner").err())
                .contains("no aspect owner", "owner-chain");
        assertThat(Run.of("locks", pid(), "-d", "soon").err())
                .contains("is no time of 10ms or more");
        Path other = Files.writeString(folder.resolve("other.txt"), "nothing of the kind");
        Run.of("locks", other).failedSaying("no JVM has", "no lock trace");
        Run.of("locks", folder.resolve("mistyped")).failedSaying("no JVM has", "no such file");
    }

    @Test
    void whatWasKeptIsNotKeptAgain() {
        Path trace = folder.resolve("once.trace");
        Run.of("locks", pid(), "-d", "1s", "--keep", trace, "--format", "json");

        Run.of("report", trace).failedSaying("is a lock trace; heatline locks ");
        Run.of("locks", trace, "--keep", folder.resolve("twice.trace"))
                .wrongUsageSaying("--keep", "once.trace");
        Run.of("locks", trace, "-d", "1s").wrongUsageSaying("--duration", "once.trace");
        assertThat(folder.resolve("twice.trace")).doesNotExist();
    }

    @Test
    void onlyOneTracesTheLocksOfAJvm() {
        try (LockWatch tracing = LockTracing.start(Jvms.find(pid()).orElseThrow())) {
            tracing.look();
            Run.of("locks", pid(), "-d", "1s")
                    .failedSaying("locks are already traced, since", "stop the other tool first");
        }
        assertThat(Run.of("locks", pid(), "-d", "1s").exit()).isEqualTo(Exit.DONE);
    }

    @Test
    void aJvmThatCannotBeAttachedToIsRefused() throws IOException {
        String source =
                """
                class Closed {
                    public static void main(String[] args) throws Exception {
                        System.out.println("up");
                        System.in.read();
                    }
                }
                """;
        try (JavaProgram closed =
                JavaProgram.start(folder, "Closed", source, "-XX:+DisableAttachMechanism")) {
            Run locks = Run.of("locks", closed.pid());
            locks.failedSaying(String.valueOf(closed.pid()), "DisableAttachMechanism");
            assertThat(locks.err()).doesNotContain("heatline record");
        }
    }
}
