package dev.heatline.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Two JVMs that do the same work at the same time, each on a CPU of its own, while something is
 * switched on in one of them. Whatever the machine does to both meanwhile is in both. Then it is
 * switched on in the other: what is different about the two JVMs, or the two CPUs, is in the one
 * ratio as much as it is missing in the other.
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
        Blocks.Switch in(Blocks blocks);
    }

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

    /** CPU time with each of these on, as a multiple of that without, with its uncertainty. */
    List<String> measure(Kind... kinds) throws IOException {
        double[][] ratios = new double[kinds.length][plan.pairs()];
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < kinds.length; i++) {
            order.add(i);
        }
        Random random = new Random(1);
        // One round unmeasured: whatever happens only once has happened then.
        for (int pair = -1; pair < plan.pairs(); pair++) {
            Collections.shuffle(order, random);
            for (int i : order) {
                double first = ratio(kinds[i], one, other);
                double second = ratio(kinds[i], other, one);
                if (pair >= 0) {
                    ratios[i][pair] = Math.sqrt(first * second);
                }
            }
        }
        List<String> results = new ArrayList<>();
        for (double[] each : ratios) {
            results.add(
                    String.format(
                            Locale.ROOT,
                            "%.4f ± %.4f",
                            Trimmed.mean(each),
                            Trimmed.halfWidth(each)));
        }
        return results;
    }

    private double ratio(Kind kind, Blocks on, Blocks off) throws IOException {
        Blocks.Switch what = kind.in(on);
        what.on();
        both((int) Math.max(1, (long) one.units() * plan.settleMillis() / plan.blockMillis()));
        long onBefore = on.target().cpuNanos();
        long offBefore = off.target().cpuNanos();
        both(one.units());
        double ratio =
                (double) (on.target().cpuNanos() - onBefore)
                        / (off.target().cpuNanos() - offBefore);
        what.off();
        return ratio;
    }

    @Override
    public void close() {
        one.close();
        other.close();
    }
}
