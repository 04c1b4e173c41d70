package dev.heatline.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Two JVMs that do the same work at the same time, each on a CPU of its own, with different things
 * switched on. Whatever the machine does to both meanwhile is in both. Then they change places:
 * what is different about the two JVMs, or the two CPUs, is in the one ratio as much as it is
 * missing in the other.
 */
final class Twins implements AutoCloseable {
    private final BlockPlan plan;
    private final Blocks one;
    private final Blocks other;

    private Twins(BlockPlan plan, Blocks one, Blocks other) {
        this.plan = plan;
        this.one = one;
        this.other = other;
    }

    /** Two JVMs that have begun to do their work. */
    static Twins start(BlockPlan plan, Path jdk, String workload) throws IOException {
        Blocks one = Blocks.start(plan, jdk, workload, 0);
        try {
            return new Twins(plan, one, Blocks.start(plan, jdk, workload, 1));
        } catch (IOException | RuntimeException e) {
            one.close();
            throw e;
        }
    }

    /** The one that comes first. */
    Blocks one() {
        return one;
    }

    Blocks other() {
        return other;
    }

    /** Something that can be switched on in a JVM. */
    interface Kind {
        Kind NOTHING = _ -> Blocks.NOTHING;

        Blocks.Switch in(Blocks blocks);
    }

    /** What is compared: CPU time with the one on, as a multiple of that with the other. */
    record Comparison(Kind above, Kind below) {}

    /** Both work for a while, and do as much from then on as the first does in a block. */
    void warmUp() throws IOException {
        other.begin(one.units());
        one.warmUp();
        other.end();
        other.beOfUnits(one.units());
        goOn(Blocks.WARMUP);
    }

    /** Both work for about so long, unmeasured. */
    void goOn(Duration length) throws IOException {
        long until = System.nanoTime() + length.toNanos();
        while (System.nanoTime() < until) {
            both(one.units());
        }
    }

    private void both(int units) throws IOException {
        one.begin(units);
        other.begin(units);
        one.end();
        other.end();
    }

    /** The ratio of each of these, with its uncertainty. */
    List<String> measure(Comparison... comparisons) throws IOException {
        double[][] ratios = new double[comparisons.length][plan.pairs()];
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < comparisons.length; i++) {
            order.add(i);
        }
        Random random = new Random(1);
        // One round unmeasured: whatever happens only once has happened then.
        for (int pair = -1; pair < plan.pairs(); pair++) {
            Collections.shuffle(order, random);
            for (int i : order) {
                double first = ratio(comparisons[i], one, other);
                double second = ratio(comparisons[i], other, one);
                if (pair >= 0) {
                    ratios[i][pair] = Math.sqrt(first * second);
                }
            }
        }
        return Arrays.stream(ratios).map(Trimmed::text).toList();
    }

    /** The CPU time of the first as a multiple of the other's, of blocks one after the other. */
    double[] series() throws IOException {
        double[] ratios = new double[plan.pairs()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = block(one, other);
        }
        return ratios;
    }

    private double block(Blocks above, Blocks below) throws IOException {
        long aboveBefore = above.target().cpuNanos();
        long belowBefore = below.target().cpuNanos();
        both(one.units());
        return (double) (above.target().cpuNanos() - aboveBefore)
                / (below.target().cpuNanos() - belowBefore);
    }

    private double ratio(Comparison compared, Blocks above, Blocks below) throws IOException {
        Blocks.Switch here = compared.above().in(above);
        Blocks.Switch there = compared.below().in(below);
        here.on();
        there.on();
        both((int) Math.max(1, (long) one.units() * plan.settleMillis() / plan.blockMillis()));
        double ratio = block(above, below);
        there.off();
        here.off();
        return ratio;
    }

    @Override
    public void close() {
        one.close();
        other.close();
    }
}
