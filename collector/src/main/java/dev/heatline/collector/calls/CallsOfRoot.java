package dev.heatline.collector.calls;

import dev.heatline.wire.CallSnapshot;
import java.util.List;
import java.util.function.DoubleBinaryOperator;

/** All that happened below one root, on all threads. */
record CallsOfRoot(int method, List<CallSnapshot.Tree> trees, CallSnapshot.Costs costs) {

    /** How often it was called from outside of all roots. */
    long outermost() {
        long calls = 0;
        for (CallSnapshot.Tree tree : trees) {
            for (int node = 1; node < tree.size(); node++) {
                boolean isOurs = tree.parent(node) == 0 && tree.method(node) == method;
                calls += isOurs ? tree.calls(node) : 0;
            }
        }
        return calls;
    }

    /**
     * For how long threads were running in all that, without the {@link NetTimes hooks}: no longer
     * for a larger factor.
     */
    double runningNanos(double factor) {
        return sum(factor, (net, idle) -> Math.max(0, net - idle));
    }

    /** For how long they were not. */
    double idleNanos(double factor) {
        return sum(factor, (_, idle) -> idle);
    }

    private double sum(double factor, DoubleBinaryOperator ofNetAndIdle) {
        double sum = 0;
        for (CallSnapshot.Tree tree : trees) {
            double[] net = NetTimes.of(tree, costs, _ -> factor);
            double[] idle = CallProfile.idleNanos(tree, net);
            boolean[] isOurs = new boolean[net.length];
            for (int node = 1; node < net.length; node++) {
                int parent = tree.parent(node);
                isOurs[node] = parent == 0 ? tree.method(node) == method : isOurs[parent];
                sum += isOurs[node] ? ofNetAndIdle.applyAsDouble(net[node], idle[node]) : 0;
            }
        }
        return sum;
    }
}
