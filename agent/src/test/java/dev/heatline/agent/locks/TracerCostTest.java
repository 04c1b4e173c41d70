package dev.heatline.agent.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.agent.Target;
import dev.heatline.wire.LockTrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a trace says of the CPU time it takes, and what it takes where nothing happens. */
class TracerCostTest {
    private static final String TICKER = "Heatline ticks";
    private static final String SWITCHES = "voluntary_ctxt_switches:";

    static Stream<Path> jvms() throws IOException {
        return Target.jvms().stream();
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void theTracersOwnThreadsCount(Path jvm) throws Exception {
        try (Traced target = Traced.start(jvm)) {
            assertThat(target.on()).isEqualTo("on");
            TraceFile trace = target.trace();
            Target.await(
                    "classes to be changed",
                    () -> {
                        target.program().play("block");
                        trace.beat();
                        return trace.header(LockTrace.CLASSES_CHANGED) > Choice.PARKING.size();
                    });
            long own = cpuNanos(target, LockTrace.TRACER_THREAD) + cpuNanos(target, TICKER);
            Target.await(
                    "that to be counted",
                    () -> {
                        trace.beat();
                        return trace.header(LockTrace.TRACER_NANOS) > own;
                    });
            assertThat(target.off()).isEqualTo("off");
        }
    }

    private static long cpuNanos(Traced target, String thread) throws IOException {
        String times = Files.readString(thread(target, thread).resolve("schedstat"));
        return Long.parseLong(times.substring(0, times.indexOf(' ')));
    }

    private static Path thread(Traced target, String name) throws IOException {
        assertThat(target.program().threads(name)).hasSize(1);
        return target.program().threads(name).get(0);
    }

    /** Parking is cheap and having parked is dear: the same two take turns for ever. */
    @ParameterizedTest
    @MethodSource("jvms")
    void whatComesInTurnsIsEstimatedRightWhereverItBegins(Path jvm) throws Exception {
        try (Traced target = Traced.start(jvm)) {
            tracerNanos(target, "deep parks");
            long one = tracerNanos(target, "deep parks");
            long other = tracerNanos(target, "deep parks after an unpark");
            assertThat(other).isCloseTo(one, Percentage.withPercentage(50));
        }
    }

    /** Without its own threads, which change classes. */
    private static long tracerNanos(Traced target, String scene) throws IOException {
        assertThat(target.on()).isEqualTo("on");
        target.program().play(scene);
        long own = cpuNanos(target, LockTrace.TRACER_THREAD) + cpuNanos(target, TICKER);
        assertThat(target.off()).isEqualTo("off");
        return target.trace().header(LockTrace.TRACER_NANOS) - own;
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void theClockRestsWhileNobodyLeaves(Path jvm) throws Exception {
        try (Traced target = Traced.start(jvm)) {
            assertThat(target.onWithHooks()).isEqualTo("on");
            target.program().play("block");
            long before = wakeUps(target);
            target.program().play("block for a second");
            assertThat(wakeUps(target) - before).isBetween(1L, 200L);
            assertThat(target.off()).isEqualTo("off");
        }
    }

    private static long wakeUps(Traced target) throws IOException {
        return Files.readAllLines(thread(target, TICKER).resolve("status")).stream()
                .filter(line -> line.startsWith(SWITCHES))
                .mapToLong(line -> Long.parseLong(line.substring(SWITCHES.length()).strip()))
                .findFirst()
                .orElseThrow();
    }
}
