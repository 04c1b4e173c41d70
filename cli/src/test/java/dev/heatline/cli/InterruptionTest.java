package dev.heatline.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.Jvms;
import dev.heatline.collector.jvm.LockTracer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ctrl-C, and another one, while a command that is a process of its own watches a JVM. */
class InterruptionTest {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long PAUSE_NANOS = 100_000_000;

    private static final Pattern WATCHES = Pattern.compile("Interruption\\.isAsked");

    /** It has heard of the first, and is ending. */
    private static final Pattern ENDS =
            Pattern.compile("CountDownLatch\\.await.*\\R.*Interruption\\.interrupted");

    private static final Pattern UNCALLED =
            Pattern.compile("no root was called in (\\d+\\.\\d+) s\n");

    @TempDir private Path folder;

    private interface Condition {
        boolean holds() throws Exception;
    }

    private static void await(String what, Condition condition) throws Exception {
        long start = System.nanoTime();
        while (!condition.holds()) {
            assertThat(System.nanoTime() - start).as(what).isLessThan(PATIENCE_NANOS);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private JavaProgram turning() throws IOException {
        return JavaProgram.start(
                folder,
                "Turning",
                """
                class Turning {
                    static volatile int turns;
                    static void turn() { turns++; }
                    static void rest() { }
                    public static void main(String[] args) throws Exception {
                        System.out.println("up");
                        while (System.in.available() == 0) { turn(); Thread.sleep(1); }
                    }
                }
                """,
                "-XX:+EnableDynamicAgentLoading");
    }

    /** Hears SIGINT even if who runs the tests does not. */
    private Process tool(Object... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
        command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp"));
        command.add(System.getProperty("java.class.path"));
        command.add(Main.class.getName());
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        return new ProcessBuilder(command)
                .redirectOutput(out().toFile())
                .redirectError(folder.resolve("err.txt").toFile())
                .start();
    }

    private Path out() {
        return folder.resolve("out.txt");
    }

    private static void signal(String name, long pid) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, "" + pid).start().waitFor()).isZero();
    }

    private static boolean isIn(Process tool, Pattern frames) throws Exception {
        Process dump =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/jcmd").toString(),
                                String.valueOf(tool.pid()),
                                "Thread.print")
                        .redirectErrorStream(true)
                        .start();
        return frames.matcher(new String(dump.getInputStream().readAllBytes(), UTF_8)).find();
    }

    /** The program stands still, so the tool cannot end what it has begun there. */
    private static void interruptTwice(Process tool, JavaProgram program) throws Exception {
        await("it watches", () -> isIn(tool, WATCHES));
        signal("STOP", program.pid());
        signal("INT", tool.pid());
        await("it ends", () -> isIn(tool, ENDS));
        signal("INT", tool.pid());
    }

    @Test
    void theSecondHaltsWhoMeasuresCallsAndTheAgentEndsByItself() throws Exception {
        try (JavaProgram program = turning()) {
            Process tool = tool("instrument", program.pid(), "--root", "Turning::turn", "-d", "9m");
            try {
                interruptTwice(tool, program);
                assertThat(tool.waitFor(1, TimeUnit.MINUTES)).isTrue();
                assertThat(tool.exitValue()).isEqualTo(130);
                assertThat(out()).isEmptyFile();
            } finally {
                tool.destroyForcibly();
                signal("CONT", program.pid());
            }
            String measured = "(?s).*" + program.pid() + " [^\n]* calls.*";
            await("nothing is measured", () -> !Run.of("list").out().matches(measured));
        }
    }

    @Test
    void whoTracesLocksSwitchesThatOffFirst() throws Exception {
        try (JavaProgram program = turning()) {
            Jvm jvm = Jvms.find(program.pid()).orElseThrow();
            Process tool = tool("locks", program.pid(), "-d", "9m");
            try {
                interruptTwice(tool, program);
                signal("CONT", program.pid());
                assertThat(tool.waitFor(1, TimeUnit.MINUTES)).isTrue();
                assertThat(LockTracer.isOnIn(jvm)).isFalse();
                assertThat(out()).isNotEmptyFile();
            } finally {
                tool.destroyForcibly();
                signal("CONT", program.pid());
            }
        }
    }

    @Test
    void theTimeThatPassedIsSaid() throws Exception {
        try (JavaProgram program = turning()) {
            long start = System.nanoTime();
            Process tool = tool("instrument", program.pid(), "--root", "Turning::rest", "-d", "9m");
            try {
                await("it watches", () -> isIn(tool, WATCHES));
                signal("INT", tool.pid());
                assertThat(tool.waitFor(1, TimeUnit.MINUTES)).isTrue();
            } finally {
                tool.destroyForcibly();
            }
            Matcher said = UNCALLED.matcher(Files.readString(out()));
            assertThat(said.matches()).as(Files.readString(out())).isTrue();
            double took = (System.nanoTime() - start) / 1e9;
            assertThat(Double.parseDouble(said.group(1))).isGreaterThan(0).isLessThan(took);
        }
    }
}
