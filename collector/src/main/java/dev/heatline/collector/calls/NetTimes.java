package dev.heatline.collector.calls;

import dev.heatline.wire.CallSnapshot;
import java.util.function.IntToDoubleFunction;

/**
 * What the calls of each context took by themselves, without the hooks. For a context that made
 * <i>m</i> calls, t<sub>exact</sub> = t<sub>meas</sub> − t<sub>I</sub> − m t<sub>O</sub> (002
 * §5.3). Calls that were only counted cost less, and what they took is their caller's. Where there
 * is nothing to do between two hooks, they take longer than where the CPU works on them meanwhile:
 * both are known, and what lies between them is taken for in between.
 *
 * <p>Where times were sampled, the agent has estimated what the calls of a context took with all
 * that they called and the hooks in it. Without these, the context itself has what is left when
 * what it called is subtracted.
 */
final class NetTimes {
    /** As many times the costs that calibration found are subtracted. */
    static final double CALIBRATED = 1;

    /** Of so many calls, those that have not ended are a small part. */
    private static final long OFTEN = 100;

    /** Who takes that many times what is hidden hides all of it. */
    private static final double HIDING = 1.5;

    private NetTimes() {}

    /** With the costs that calibration found. */
    static double[] of(CallSnapshot.Tree tree, CallSnapshot.Costs costs) {
        return of(tree, costs, _ -> CALIBRATED);
    }

    /**
     * With multiples of these costs; where times were sampled, of what counting a call costs.
     *
     * @param factors by the root's method
     */
    static double[] of(
            CallSnapshot.Tree tree, CallSnapshot.Costs costs, IntToDoubleFunction factors) {
        double[] factor = new double[tree.size()];
        for (int node = 1; node < factor.length; node++) {
            int parent = tree.parent(node);
            factor[node] = parent == 0 ? factors.applyAsDouble(tree.method(node)) : factor[parent];
        }
        return tree.isSampled()
                ? netOfEstimated(tree, costs, factor)
                : netOfMeasured(tree, costs, factor);
    }

    private static double[] netOfMeasured(
            CallSnapshot.Tree tree, CallSnapshot.Costs costs, double[] factor) {
        double[] net = new double[tree.size()];
        double[] hidden = new double[tree.size()];
        for (int node = 1; node < net.length; node++) {
            int parent = tree.parent(node);
            long untimed = tree.untimed(node);
            long timed = tree.calls(node) - untimed;
            double times = factor[node];
            net[node] += tree.selfNanos(node) - times * timed * costs.inner();
            hidden[node] += times * timed * costs.hiddenInner();
            net[parent] -= times * (timed * costs.outer() + untimed * costs.untimed());
            hidden[parent] +=
                    times * (timed * costs.hiddenOuter() + untimed * costs.hiddenUntimed());
        }
        for (int node = 1; node < net.length; node++) {
            net[node] = withoutHidden(net[node], hidden[node]);
        }
        net[0] = 0;
        return net;
    }

    /**
     * Most of what a context calls was only counted while it was timed: between two looks at the
     * clock there is all that it did with what it called. So if calls cost more than calibration
     * found, that is in the time of who made them, and not in what was found for those who were
     * called.
     */
    private static double[] netOfEstimated(
            CallSnapshot.Tree tree, CallSnapshot.Costs costs, double[] factor) {
        double[] all = new double[tree.size()];
        double[] hidden = new double[tree.size()];
        double[] hiddenBelow = new double[tree.size()];
        for (int node = all.length - 1; node > 0; node--) {
            int parent = tree.parent(node);
            hidden[node] = hiddenBelow[node] + tree.calls(node) * costs.hiddenInner();
            all[node] = withoutHidden(tree.estimate(node).net(costs), hidden[node]);
            hiddenBelow[parent] += hiddenBelow[node] + tree.calls(node) * costs.hiddenUntimed();
        }
        fitIntoCallers(tree, costs, all, hidden);
        double[] net = new double[tree.size()];
        double[] below = new double[tree.size()];
        for (int node = net.length - 1; node > 0; node--) {
            net[node] = Math.max(0, all[node] - below[node]);
            below[tree.parent(node)] += net[node] + below[node];
        }
        net[0] = 0;
        takeMore(tree, net, factor, costs.mostUntimed());
        return net;
    }

    /**
     * Calls cost more than was subtracted, or less: that is in who made them. What is more than
     * those took by themselves is in what the calls are said to have taken, as much in each. What
     * these have not either is not asked of others.
     *
     * @param factor how many times the cost of counting a call each context pays
     */
    private static void takeMore(
            CallSnapshot.Tree tree, double[] net, double[] factor, double counting) {
        double[] callsMade = new double[net.length];
        for (int node = 1; node < net.length; node++) {
            callsMade[tree.parent(node)] += tree.calls(node);
        }
        double[] lacking = new double[net.length];
        for (int node = 1; node < net.length; node++) {
            int caller = tree.parent(node);
            double share = callsMade[caller] == 0 ? 0 : tree.calls(node) / callsMade[caller];
            double more =
                    (factor[node] - CALIBRATED) * counting * callsMade[node]
                            + share * lacking[caller];
            lacking[node] = Math.max(0, more - net[node]);
            net[node] = Math.max(0, net[node] - more);
        }
    }

    /**
     * What many short calls took is better known by who made them: in that, the clock was read for
     * few of them. So if they seem to have taken more than their caller, each takes its part of
     * that less, as far as the hooks can be the reason. Calls of the caller that have not ended may
     * be another one, where it was not called often.
     *
     * @param all what each context took with all that it called
     * @param hidden what the hooks may hide in that
     */
    private static void fitIntoCallers(
            CallSnapshot.Tree tree, CallSnapshot.Costs costs, double[] all, double[] hidden) {
        double[] called = new double[all.length];
        double[] room = new double[all.length];
        double[] roomOfCalled = new double[all.length];
        for (int node = 1; node < all.length; node++) {
            int caller = tree.parent(node);
            boolean isOften = tree.calls(caller) >= OFTEN;
            double hooks = isOften ? tree.calls(node) * costs.pair() : hidden[node];
            room[node] = Math.min(all[node], hooks);
            called[caller] += all[node];
            roomOfCalled[caller] += room[node];
        }
        for (int node = 1; node < all.length; node++) {
            int caller = tree.parent(node);
            double excess = called[caller] - all[caller];
            if (all[caller] > 0 && excess > 0 && excess <= roomOfCalled[caller]) {
                all[node] -= excess * room[node] / roomOfCalled[caller];
            }
        }
    }

    /**
     * What is left where a context does so little that the hooks' work is not hidden by it: nothing
     * of what the hooks take alone, all of one and a half times that or more, and what lies between
     * in between. Methods of known lengths show that: what the CPU can do of the hooks' work
     * meanwhile grows with their length, until that is about one and a half times the work.
     */
    private static double withoutHidden(double net, double hidden) {
        return net >= HIDING * hidden ? net : Math.max(0, HIDING / (HIDING - 1) * (net - hidden));
    }
}
