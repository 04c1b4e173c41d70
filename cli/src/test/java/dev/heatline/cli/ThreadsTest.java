package dev.heatline.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verb that watches threads, with a real JVM to be watched. */
class ThreadsTest {
    private static final String BURNER = "burner with a long name";

    @TempDir private static Path folder;

    private static Optional<JavaProgram> target = Optional.empty();

    @BeforeAll
    static void start() throws IOException {
        target = Optional.of(start("Burning"));
    }

    private static JavaProgram start(String name) throws IOException {
        return JavaProgram.start(
                folder,
                name,
                """
                class %s {
                    static volatile long seed;
                    public static void main(String[] args) throws Exception {
                        Thread burner = new Thread(() -> { while (true) seed++; }, "%s");
                        burner.setDaemon(true);
                        burner.start();
                        System.out.println("up");
                        System.in.read();
                    }
                }
                """
                        .formatted(name, BURNER),
                "-Dheatline.app=" + name + "-app");
    }

    @AfterAll
    static void stop() {
        target.ifPresent(JavaProgram::close);
    }

    private static long pid() {
        return target.orElseThrow().pid();
    }

    @Test
    void aTableTellsWhoUsedTheCpus() {
        Run run = Run.of("threads", pid(), "-d", "500ms", "-i", "100ms").isDone();
        List<String> lines = run.out().lines().toList();
        assertThat(lines.getFirst()).startsWith("threads: JVM " + pid() + " (");
        assertThat(lines.get(1)).contains("the machine used ", "stolen", "this JVM ");
        int heading = lines.indexOf("") + 1;
        assertThat(lines.get(heading))
                .matches(" *cpu s +steal s +corrected s +run queue s +%  thread");
        assertThat(lines.get(heading + 1)).matches(" *0\\.\\d{3}( +\\d+\\.\\d+){4}  " + BURNER);
        assertThat(lines.getLast()).endsWith(" used nothing");
    }

    @Test
    void scriptsGetTheSame() {
        for (String name : List.of("Burning-app", "urning-a")) {
            Parsed json =
                    Run.of("threads", name, "-d", "300ms", "-i", "100ms", "--json").isDone().json();
            assertThat(json.at("rows.0.thread").text()).isEqualTo(BURNER);
            double cpu = json.at("rows.0.cpu").number();
            assertThat(cpu).isBetween(0.02, 1.0);
            assertThat(json.at("rows.0.corrected").number())
                    .isBetween(cpu - json.at("rows.0.steal").number() - 1e-6, cpu);
            assertThat(json.at("unit").text()).isEqualTo("s");
            assertThat(json.at("duration").number()).isBetween(0.3, 30.0);
            assertThat(json.at("ended").value()).isEqualTo(false);
            assertThat(names(json)).contains("main", "Reference Handler");
        }
    }

    private static List<String> names(Parsed json) {
        return json.at("rows").list().stream()
                .map(row -> row instanceof Map<?, ?> map ? String.valueOf(map.get("thread")) : "")
                .toList();
    }

    @Test
    void theJvmNeedNotBeAsked() {
        Run run = Run.of("threads", pid(), "-d", "300ms", "--short-names").isDone();
        assertThat(run.out()).contains("  burner ").doesNotContain(BURNER, "names are cut off");
    }

    @Test
    void aFileGetsItToo() throws IOException {
        Path file = folder.resolve("threads.json");
        Run.of("threads", pid(), "-d", "50ms", "-o", file).isDone();
        assertThat(Parsed.of(Files.readString(file)).at("rows.0.thread").text()).isEqualTo(BURNER);
    }

    @Test
    void aJvmThatEndsIsToldAsFarAsItWasSeen() throws Exception {
        Process brief = start("Brief").process();
        Thread watching = Thread.currentThread();
        Thread killer =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    while (!isWatching(watching)) {
                                        LockSupport.parkNanos(10_000_000);
                                    }
                                    brief.destroyForcibly();
                                });
        Run run = Run.of("threads", brief.pid(), "-d", "10m", "-i", "50ms").isDone();
        killer.join();
        assertThat(run.out()).contains("the JVM has ended");
        brief.waitFor();
        Run.of("threads", brief.pid(), "-d", "50ms").failedSaying("no JVM", "heatline list");
    }

    private static boolean isWatching(Thread thread) {
        return Stream.of(thread.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("isAsked"));
    }

    @Test
    void anInterruptedCommandSaysWhatItHas() throws Exception {
        Process command =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "--add-exports",
                                "jdk.attach/sun.tools.attach=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Main.class.getName(),
                                "threads",
                                String.valueOf(pid()),
                                "-d",
                                "10m",
                                "-i",
                                "20ms")
                        .start();
        try (BufferedReader out = command.inputReader(UTF_8)) {
            awaitWatching(command.pid());
            // The process itself would close what is to be read.
            command.toHandle().destroy();
            assertThat(command.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(out.lines()).anyMatch(line -> line.endsWith("  " + BURNER));
        } finally {
            command.destroyForcibly();
        }
    }

    /** The hook is there once it has read of the threads of the other: its own thread is named. */
    private static void awaitWatching(long pid) throws Exception {
        for (int i = 0; i < 600; i++) {
            String dump =
                    new String(
                            new ProcessBuilder(
                                            Path.of(System.getProperty("java.home"), "bin/jcmd")
                                                    .toString(),
                                            String.valueOf(pid),
                                            "Thread.print")
                                    .redirectErrorStream(true)
                                    .start()
                                    .getInputStream()
                                    .readAllBytes(),
                            UTF_8);
            if (dump.contains("Interruption.isAsked")) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        throw new AssertionError("it does not watch within a minute");
    }

    @Test
    void whatCannotBeWatchedIsSaidAtOnce() {
        Run.of("threads", "4194304999").failedSaying("no JVM has the pid", "heatline list");
        Run.of("threads", "no.such.Main").failedSaying("no JVM has 'no.such.Main'");
        Run.of("threads", pid(), "-d", "soon").wrongUsageSaying("--duration", "soon");
        Run.of("threads", pid(), "-i", "1ms").wrongUsageSaying("--every", "1ms");
        Run.of("threads", pid(), "--format", "html").wrongUsageSaying("text or json");
        Run.of("threads").wrongUsageSaying("TARGET");
    }

    @Test
    void aNameOfSeveralJvmsIsRefused() throws IOException {
        Process other = start("Burning2").process();
        try {
            Run.of("threads", "Burning").failedSaying("several JVMs", "(", "give a pid");
        } finally {
            other.destroyForcibly();
        }
    }
}
