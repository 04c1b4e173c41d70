package dev.heatline.collector.threads;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.Jvms;
import dev.heatline.collector.jvm.Target;
import dev.heatline.collector.jvm.ThreadNames;
import dev.heatline.collector.proc.Proc;
import dev.heatline.collector.proc.StealCounting;
import dev.heatline.wire.ProcessKey;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Real threads, compared with what they measure themselves. */
class ThreadWatchTest {
    private static final String SOURCE = "src/test/java/dev/heatline/collector/threads/Known.java";
    private static final String LONG_NAME = "a worker (with a long name)";

    static List<Path> jvms() {
        return Target.jvms();
    }

    /** {@link Known} on a JVM of its own. */
    private static final class Program implements AutoCloseable {
        private final Process process;
        private final BufferedReader answers;
        private final PrintWriter orders;

        Program(Path home) throws IOException {
            process = new ProcessBuilder(home.resolve("bin/java").toString(), SOURCE).start();
            answers = process.inputReader(UTF_8);
            orders = new PrintWriter(process.outputWriter(UTF_8), true);
            assertThat(answers.readLine()).isEqualTo("up");
        }

        ProcessKey key() {
            return ProcessKey.of(process.pid()).orElseThrow();
        }

        Jvm jvm() {
            return Jvms.find(process.pid()).orElseThrow();
        }

        /** The nanoseconds that it took, as the threads measured them. */
        long ask(String order) throws IOException {
            orders.println(order);
            return Long.parseLong(answers.readLine());
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    /** As the kernel counts it, which is how the program measures. */
    private static long counted(ThreadWatch.Seen seen, ThreadUse thread) {
        return seen.counting() == StealCounting.INCLUDED
                ? thread.cpuNanos()
                : thread.correctedNanos();
    }

    private static ThreadUse named(ThreadWatch.Seen seen, String name) {
        return seen.threads().stream()
                .filter(it -> it.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void aThreadHasTheTimeThatItMeasuredItself(Path home) throws IOException {
        try (Program program = new Program(home)) {
            ThreadWatch watch = ThreadWatch.begin(Proc.HERE, program.key()).orElseThrow();
            long measured = 0;
            for (int i = 0; i < 4; i++) {
                measured = program.ask("burn 300 " + LONG_NAME);
                assertThat(watch.look()).isTrue();
            }
            ThreadWatch.Seen cut = watch.seen();
            List<Long> tids = cut.threads().stream().map(ThreadUse::tid).toList();
            Map<Long, String> names = ThreadNames.of(program.jvm(), tids);
            assertThat(names).containsValues("main", "Reference Handler");
            ThreadWatch.Seen seen = cut.named(names);
            assertThat(counted(seen, named(seen, LONG_NAME)))
                    .isCloseTo(measured, Percentage.withPercentage(3));
            assertThat(seen.threads().stream().filter(it -> it.name().equals(LONG_NAME)))
                    .hasSize(4);
            assertThat(seen.looks()).isEqualTo(5);
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void threadsThatNoLookSawAreCounted(Path home) throws IOException {
        try (Program program = new Program(home)) {
            ThreadWatch watch = ThreadWatch.begin(Proc.HERE, program.key()).orElseThrow();
            long measured = program.ask("brief 50 30");
            assertThat(watch.look()).isTrue();
            ThreadWatch.Seen seen = watch.seen();
            // The kernel may need a while longer for the last of them.
            long counted =
                    seen.threads().stream()
                            .filter(
                                    it ->
                                            List.of("brief", StealAccounting.ENDED)
                                                    .contains(it.name()))
                            .mapToLong(it -> counted(seen, it))
                            .sum();
            assertThat(counted(seen, named(seen, StealAccounting.ENDED)))
                    .isGreaterThan(measured / 2);
            // Those of the JVM's compiler may end as well.
            assertThat(counted).isCloseTo(measured, Offset.offset(measured / 20));
        }
    }

    /** Read by the test for itself: in ticks, the steal of all CPUs. */
    private static long stolenNanos() throws IOException {
        String all = Files.readAllLines(Path.of("/proc/stat")).getFirst();
        return 10_000_000 * Long.parseLong(all.split(" +", -1)[8]);
    }

    /** Likewise what a process used, of which the kernel has left stolen time out, or not. */
    private static long usedNanos(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return 10_000_000 * (Long.parseLong(fields[11]) + Long.parseLong(fields[12]));
    }

    @Test
    void theSumOverThreadsIsTheShareOfTheSystem() throws IOException {
        try (Program program = new Program(Target.jvms().getFirst())) {
            long pid = program.key().pid();
            long stolenBefore = stolenNanos();
            long usedBefore = usedNanos(pid);
            ThreadWatch watch = ThreadWatch.begin(Proc.HERE, program.key()).orElseThrow();
            long stolenInside = stolenNanos();
            for (int i = 0; i < 5; i++) {
                program.ask("burn 200 burner");
                stolenInside = i == 4 ? stolenNanos() - stolenInside : stolenInside;
                assertThat(watch.look()).isTrue();
            }
            ThreadWatch.Seen seen = watch.seen();
            long used = usedNanos(pid) - usedBefore;
            long ofThreads = seen.threads().stream().mapToLong(ThreadUse::stealNanos).sum();

            assertThat(ofThreads + seen.others().stealNanos())
                    .isBetween(stolenInside, stolenNanos() - stolenBefore);
            assertThat(seen.threads().stream().mapToLong(it -> counted(seen, it)).sum())
                    .isCloseTo(used, Offset.offset(used / 20));
        }
    }

    /** A machine of which a hypervisor stole 1 s, while 10 s were used: of the kernel's own. */
    @Test
    void whatWasStolenIsDividedByTheTimeThatThreadsUsed(@TempDir Path root) throws IOException {
        machine(root, 1_000, 0, 100, 100);
        ProcessKey key = new ProcessKey(7, "50");
        ThreadWatch watch = ThreadWatch.begin(new Proc(root), key).orElseThrow();
        machine(root, 2_000, 100, 600, 300);
        assertThat(watch.look()).isTrue();

        ThreadWatch.Seen seen = watch.seen();
        assertThat(seen.threads())
                .extracting(ThreadUse::name, ThreadUse::stealNanos, ThreadUse::correctedNanos)
                .containsExactly(
                        tuple("worker-1", 500_000_000L, 5_000_000_000L),
                        tuple("worker-2", 200_000_000L, 2_000_000_000L));
        assertThat(seen.others().stealNanos()).isEqualTo(300_000_000L);
        assertThat(seen.stealShare()).isCloseTo(1.0 / 11, Offset.offset(1e-9));
    }

    /**
     * In ticks: how long all CPUs were busy, what was stolen, and what the two threads of process 7
     * used, as a kernel counts that leaves stolen time out.
     */
    private static void machine(Path root, long busy, long stolen, long first, long second)
            throws IOException {
        Path process = Files.createDirectories(root.resolve("proc/7"));
        Files.writeString(root.resolve("proc/uptime"), "%d.00 0.00\n".formatted(100 + busy));
        Files.writeString(
                root.resolve("proc/stat"), "cpu  %d 0 0 9 0 0 0 %d 0 0\n".formatted(busy, stolen));
        Files.writeString(process.resolve("stat"), stat(7, "java", first + second));
        long[] ticks = {first, second};
        for (int i = 0; i < 2; i++) {
            Path thread = Files.createDirectories(process.resolve("task/" + (7 + i)));
            Files.writeString(thread.resolve("stat"), stat(7 + i, "worker-" + (i + 1), ticks[i]));
            Files.writeString(
                    thread.resolve("schedstat"), ticks[i] * 10_000_000 + " 0 " + ticks[i] + "\n");
        }
    }

    private static String stat(int id, String name, long ticks) {
        return "%d (%s) S 1 7 7 0 -1 0 0 0 0 0 %d 0 0 0 20 0 2 0 50 0 0 0 0\n"
                .formatted(id, name, ticks);
    }

    @Test
    void aProcessThatEndsLeavesWhatWasSeen() throws Exception {
        try (Program program = new Program(Target.jvms().getFirst())) {
            ThreadWatch watch = ThreadWatch.begin(Proc.HERE, program.key()).orElseThrow();
            program.ask("burn 200 burner");
            assertThat(watch.look()).isTrue();
            program.process.destroyForcibly().waitFor();
            assertThat(watch.look()).isFalse();
            assertThat(named(watch.seen(), "burner").cpuNanos()).isGreaterThan(150_000_000);
            assertThat(ThreadWatch.begin(Proc.HERE, new ProcessKey(1, "never"))).isEmpty();
        }
    }
}
