package dev.heatline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.Jvms;
import dev.heatline.collector.jvm.LockTracer;
import dev.heatline.formats.Formats;
import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import dev.heatline.model.Profile;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Traces of locks that end before they should: the JVM dies, or whoever reads them. */
class LocksCutShortTest {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long PAUSE_NANOS = 20_000_000;

    /** One thread keeps the other waiting most of the time. */
    private static final String QUEUEING =
            """
            class Queueing {
                static synchronized void hold() throws Exception { Thread.sleep(20); }
                static synchronized void want() { }
                public static void main(String[] args) throws Exception {
                    Thread greedy = new Thread(() -> {
                        try {
                            while (true) { hold(); Thread.sleep(5); }
                        } catch (Exception e) { throw new IllegalStateException(e); }
                    }, "greedy");
                    Thread patient = new Thread(() -> { while (true) { want(); } }, "patient");
                    greedy.setDaemon(true);
                    patient.setDaemon(true);
                    greedy.start();
                    patient.start();
                    System.out.println("up");
                    System.in.read();
                }
            }
            """;

    @TempDir private Path folder;

    static List<Path> homes() {
        return JavaProgram.homes();
    }

    private JavaProgram queueing(Path home) throws IOException {
        return JavaProgram.start(
                home, folder, "Queueing", QUEUEING, "-XX:+EnableDynamicAgentLoading");
    }

    private static void await(String what, BooleanSupplier seen) {
        long start = System.nanoTime();
        while (!seen.getAsBoolean()) {
            assertThat(System.nanoTime() - start).as(what).isLessThan(PATIENCE_NANOS);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Whether a trace that is being kept has a wait for the owner's method by now. */
    private static boolean isKept(Path trace) {
        return Files.exists(trace) && chains("locks", trace).contains("Queueing.hold()");
    }

    @ParameterizedTest
    @MethodSource("homes")
    void whatAJvmDidUntilItWasKilledIsTold(Path home) throws Exception {
        Path trace = folder.resolve("killed.trace");
        Path told = folder.resolve("killed.heat");
        try (JavaProgram killed = queueing(home)) {
            long pid = killed.pid();
            CompletableFuture<Run> run =
                    CompletableFuture.supplyAsync(
                            () -> Run.of("locks", pid, "-d", "5m", "--keep", trace, "-o", told));
            await("locks are traced", () -> isKept(trace));
            killed.process().destroyForcibly().waitFor();
            Instant died = Instant.now();

            Run locks = run.get(1, TimeUnit.MINUTES);
            assertThat(locks.exit()).as(locks.err()).isEqualTo(Exit.DONE);
            assertThat(locks.err()).contains("has ended; this is what was seen until then");
            Profile profile = profile(told);
            Instant until = profile.provenance().until().orElseThrow();
            assertThat(until).isBefore(died);
            assertThat(chains("report", told, "--view", "locks")).contains("Queueing.hold()");

            Path again = folder.resolve("again.heat");
            assertThat(Run.of("locks", trace, "-o", again).exit()).isEqualTo(Exit.DONE);
            assertThat(profile(again).provenance().until()).hasValue(until);
            for (String resource : List.of("blocked", "held")) {
                assertThat(profile(again).requireColumn(resource).total())
                        .as(resource)
                        .isEqualTo(profile.requireColumn(resource).total());
            }
        }
    }

    private static Profile profile(Path file) throws IOException {
        Source source = Source.of(file.toString(), Files.readAllBytes(file));
        return Formats.read(source, ReadOptions.DEFAULT);
    }

    /** All call chains of owners, whole. */
    private static String chains(Object... command) {
        List<Object> words = new ArrayList<>(List.of(command));
        words.addAll(List.of("--by", "blocked-thread,owner-chain", "--format", "json"));
        return Run.of(words.toArray()).out();
    }

    /** As a process of its own, which can be stopped and killed. */
    private Process tool(Object... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp"));
        command.add(System.getProperty("java.class.path"));
        command.add(Main.class.getName());
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        File said = folder.resolve("said.txt").toFile();
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said).start();
    }

    private static void signal(String name, Process process) throws Exception {
        String pid = String.valueOf(process.pid());
        assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor()).isZero();
    }

    @Test
    void aTracerThatGaveUpIsNoticed() throws Exception {
        Path trace = folder.resolve("stopped.trace");
        try (JavaProgram program = queueing(JavaProgram.homes().getFirst())) {
            Process tool =
                    tool("locks", program.pid(), "-d", "5m", "--keep", trace, "--format", "json");
            await("locks are traced", () -> isKept(trace));
            signal("STOP", tool);
            Jvm jvm = Jvms.find(program.pid()).orElseThrow();
            await("the tracer gives up", () -> !LockTracer.isOnIn(jvm));
            signal("CONT", tool);

            assertThat(tool.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(Files.readString(folder.resolve("said.txt")))
                    .contains("has switched itself off, since nobody read its trace")
                    .contains("Queueing.hold()");
            assertThat(tool.exitValue()).isEqualTo(Exit.DONE);
        }
    }

    @Test
    void aTraceWhoseReaderWasKilledHasItsNames() throws Exception {
        Path trace = folder.resolve("cut.trace");
        try (JavaProgram program = queueing(JavaProgram.homes().getFirst())) {
            Process tool = tool("locks", program.pid(), "-d", "5m", "--keep", trace);
            await("locks are traced", () -> isKept(trace));
            tool.destroyForcibly().waitFor();

            assertNotWhole(trace, "patient", "Queueing.hold()");
        }
        try (FileChannel channel = FileChannel.open(trace, StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() - 1);
        }
        assertNotWhole(trace);
    }

    private static void assertNotWhole(Path trace, String... names) {
        Run again = Run.of("locks", trace);
        assertThat(again.exit()).as(again.err()).isEqualTo(Exit.DONE);
        assertThat(again.err()).contains(trace + " is not whole; this is what it holds");
        String chains = chains("locks", trace);
        assertThat(names).allSatisfy(name -> assertThat(chains).contains(name));
    }
}
