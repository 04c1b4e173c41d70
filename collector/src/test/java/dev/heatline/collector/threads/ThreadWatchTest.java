package dev.heatline.collector.threads;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

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
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
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

    @Test
    void theSumOverThreadsIsTheShareOfTheSystem() throws IOException {
        try (Program program = new Program(Target.jvms().getFirst())) {
            ThreadReader reader = new ThreadReader(Proc.HERE, program.key());
            StealCounting counting = Proc.HERE.stealCounting();
            StealAccounting accounting = new StealAccounting(counting);
            Look first = reader.look().orElseThrow();
            accounting.add(first);
            Look last = first;
            for (int i = 0; i < 5; i++) {
                program.ask("burn 200 burner");
                last = reader.look().orElseThrow();
                accounting.add(last);
            }
            long stolen = last.system().stealNanos() - first.system().stealNanos();
            long ofThreads = accounting.threads().stream().mapToLong(ThreadUse::stealNanos).sum();
            assertThat(ofThreads + accounting.others().stealNanos()).isEqualTo(stolen);
            long busy = last.system().busyNanos() - first.system().busyNanos();
            assertThat(accounting.process().cpuNanos() + accounting.others().cpuNanos())
                    .isGreaterThanOrEqualTo(busy + stolen);
            assertThat(accounting.process().cpuNanos()).isGreaterThan(1_000_000_000);
        }
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
