package dev.heatline.agent.calls;

import dev.heatline.wire.CallSnapshot;
import dev.heatline.wire.CallSnapshot.Tree;
import dev.heatline.wire.Estimate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Keeps what measuring takes inside of a budget: a part of the time that is spent below the roots
 * without it. Methods that are short, called often and call nothing that is timed cost the most for
 * what they tell; they are counted only, as many of them as it takes. If that does not suffice,
 * measuring has to end.
 */
final class Guard {
    /** Of a method that takes longer, timing it is a small part. */
    private static final double CHEAP_NANOS = 1000;

    /** Less than that was spent below the roots: it says nothing. */
    private static final double LEAST_NANOS = 10_000_000;

    /** How often in a row nothing is left to be done. */
    private static final int PATIENCE = 3;

    private final double budget;
    private boolean[] counted = new boolean[0];
    private Totals before = new Totals(0);
    private int helpless;

    Guard(double budget) {
        this.budget = budget;
    }

    /** Whether nothing helps. */
    boolean isTooDear() {
        return helpless >= PATIENCE;
    }

    /** How many methods are only counted. */
    int counted() {
        int sum = 0;
        for (boolean each : counted) {
            sum += each ? 1 : 0;
        }
        return sum;
    }

    /** Looks at what was measured since the last time; returns methods to be counted only. */
    List<Integer> look(CallSnapshot now) {
        counted = Arrays.copyOf(counted, now.methods().size());
        Totals totals = totals(now);
        Totals passed = totals.since(before);
        before = totals;
        CallSnapshot.Costs costs = now.costs();
        double took =
                passed.sum(passed.timed) * costs.pair()
                        + passed.sum(passed.untimed) * costs.mostUntimed();
        double net =
                Math.max(
                        1,
                        isSampled(now)
                                ? passed.roots.net(costs)
                                : passed.sum(passed.selfNanos) - took);
        if (took + net < LEAST_NANOS || took <= budget * net) {
            helpless = 0;
            return List.of();
        }
        List<Integer> chosen = new ArrayList<>();
        for (int method : passed.cheapLeaves(counted, costs.inner())) {
            if (took > budget * net) {
                chosen.add(method);
                counted[method] = true;
                took -= passed.timed[method] * (costs.pair() - costs.mostUntimed());
            }
        }
        helpless = chosen.isEmpty() ? helpless + 1 : 0;
        return chosen;
    }

    private static boolean isSampled(CallSnapshot now) {
        return now.trees().stream().anyMatch(Tree::isSampled);
    }

    private Totals totals(CallSnapshot now) {
        Totals totals = new Totals(now.methods().size());
        for (Tree tree : now.trees()) {
            if (tree.isSampled()) {
                totals.roots = totals.roots.plus(tree.roots());
            }
            for (int node = 1; node < tree.size(); node++) {
                int method = tree.method(node);
                int parent = tree.parent(node);
                long untimed = tree.onlyCounted(node);
                totals.timed[method] += tree.calls(node) - untimed;
                totals.untimed[method] += untimed;
                // Who waits is not kept from anything meanwhile.
                totals.selfNanos[method] += tree.runningNanos(node);
                totals.isNoLeaf[method] |= parent == 0;
                if (parent != 0 && !counted[method] && tree.calls(node) > 0) {
                    totals.isNoLeaf[tree.method(parent)] = true;
                }
            }
        }
        return totals;
    }

    /** By methods. */
    private static final class Totals {
        private final long[] timed;
        private final long[] untimed;
        private final long[] selfNanos;

        /** What calls of roots took, where times are sampled. */
        private Estimate roots = Estimate.NONE;

        /** Roots, and those that call what is timed. */
        private final boolean[] isNoLeaf;

        private Totals(int methods) {
            timed = new long[methods];
            untimed = new long[methods];
            selfNanos = new long[methods];
            isNoLeaf = new boolean[methods];
        }

        private Totals since(Totals earlier) {
            Totals passed = new Totals(timed.length);
            passed.roots = roots.minus(earlier.roots);
            for (int i = 0; i < timed.length; i++) {
                boolean known = i < earlier.timed.length;
                passed.timed[i] = Math.max(0, timed[i] - (known ? earlier.timed[i] : 0));
                passed.untimed[i] = Math.max(0, untimed[i] - (known ? earlier.untimed[i] : 0));
                passed.selfNanos[i] =
                        Math.max(0, selfNanos[i] - (known ? earlier.selfNanos[i] : 0));
                passed.isNoLeaf[i] = isNoLeaf[i];
            }
            return passed;
        }

        private double sum(long[] all) {
            double sum = 0;
            for (long each : all) {
                sum += each;
            }
            return sum;
        }

        /** Those called most often first. */
        private List<Integer> cheapLeaves(boolean[] counted, double innerNanos) {
            List<Integer> leaves = new ArrayList<>();
            for (int i = 0; i < timed.length; i++) {
                if (!counted[i]
                        && !isNoLeaf[i]
                        && timed[i] > 0
                        && (double) selfNanos[i] / timed[i] - innerNanos < CHEAP_NANOS) {
                    leaves.add(i);
                }
            }
            leaves.sort(Comparator.comparingLong((Integer method) -> -timed[method]));
            return leaves;
        }
    }
}
