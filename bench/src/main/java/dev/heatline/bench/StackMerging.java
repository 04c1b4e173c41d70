package dev.heatline.bench;

import dev.heatline.model.Consumer;
import dev.heatline.model.FrameKind;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Site;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Frames merged into a tree per second, with stacks of sixty frames: seen before, or all but
 * unique.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class StackMerging {
    private static final int STACKS = 20_000;
    private static final int DEPTH = 60;
    private static final int METHODS = 3000;

    /** How many methods a method may call: 1 makes all stacks alike, 4 makes nearly all unique. */
    @Param({"1", "2", "4"})
    public int callees;

    private int[][] methods;
    private int[][] sites;

    @Setup
    public void prepare() {
        Random random = new Random(3);
        methods = new int[STACKS][DEPTH];
        sites = new int[STACKS][DEPTH];
        for (int stack = 0; stack < STACKS; stack++) {
            int method = 0;
            for (int frame = DEPTH - 1; frame >= 0; frame--) {
                methods[stack][frame] = method + 1;
                sites[stack][frame] = Site.of(method % 500, FrameKind.COMPILED);
                method = (method * 31 + 7 + random.nextInt(callees)) % METHODS;
            }
        }
    }

    @Benchmark
    @OperationsPerInvocation(STACKS * DEPTH)
    public int framesMerged() {
        ProfileBuilder builder = new ProfileBuilder();
        for (int id = 0; id < METHODS; id++) {
            builder.consumer(Consumer.method("C", "m" + id, ""));
        }
        for (int stack = 0; stack < STACKS; stack++) {
            builder.stack(Profile.ROOT, methods[stack], sites[stack], DEPTH);
        }
        return builder.nodeCount();
    }
}
