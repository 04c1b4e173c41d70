package dev.heatline.bench;

import dev.heatline.agent.boot.CallHooks;
import dev.heatline.agent.boot.RegionHooks;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What is injected into a method, beside what it cannot do without: two looks at the clock. {@code
 * java -jar bench/target/heatline-bench.jar jmh CallPair}
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class CallPair {
    private static final int MADE = -2;

    private static final class Nobody implements CallHooks.Listener {
        @Override
        public void firstCall(int method) {}

        @Override
        public void reflectiveCall(Object callee) {}
    }

    /** A thread that is not in a root. */
    @State(Scope.Thread)
    public static class Outside {
        @Setup
        public void start() {
            CallHooks.start(new Nobody(), 0, MADE, 1 << 20, false);
        }
    }

    /** A thread that is in a root, and calls two methods by turns. */
    @State(Scope.Thread)
    public static class Inside {
        private int last = 1;

        @Param({"false", "true"})
        public boolean sampled;

        @Setup
        public void start() {
            CallHooks.start(new Nobody(), 0, MADE, 1 << 20, sampled);
            CallHooks.root(0);
        }
    }

    /** A method of which only the times are wanted. */
    @State(Scope.Benchmark)
    public static class Region {
        @Setup
        public void start() {
            RegionHooks.start(0);
            RegionHooks.add(1);
        }
    }

    @Benchmark
    public void region(Region state) {
        RegionHooks.end(RegionHooks.begin(), 1, null, null, null, null);
    }

    @Benchmark
    public void objectInside(Inside state) {
        CallHooks.made(MADE);
    }

    @Benchmark
    public long twoClocks() {
        long start = System.nanoTime();
        return System.nanoTime() - start;
    }

    @Benchmark
    public void outside(Outside state) {
        CallHooks.exit(CallHooks.enter(1));
    }

    @Benchmark
    public void sameCalleeInside(Inside state) {
        CallHooks.exit(CallHooks.enter(1));
    }

    @Benchmark
    public void twoCalleesInside(Inside state) {
        state.last = 3 - state.last;
        CallHooks.exit(CallHooks.enter(state.last));
    }
}
