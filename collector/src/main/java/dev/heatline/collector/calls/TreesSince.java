package dev.heatline.collector.calls;

import dev.heatline.wire.CallSnapshot;
import java.util.HashMap;
import java.util.Map;

/** What was added to the trees of threads since an earlier look. */
final class TreesSince {
    private final Map<Integer, CallSnapshot.Tree> earlier = new HashMap<>();

    /**
     * @param look that one
     */
    TreesSince(CallSnapshot look) {
        look.trees().forEach(tree -> earlier.put(tree.number(), tree));
    }

    /** Whether the thread was in a root before that look. */
    boolean knows(CallSnapshot.Tree tree) {
        return earlier.containsKey(tree.number());
    }

    /** What was added to the tree of a thread. */
    CallSnapshot.Tree of(CallSnapshot.Tree tree) {
        CallSnapshot.Tree before = earlier.get(tree.number());
        return before == null ? tree : since(tree, before, places(tree, before));
    }

    /**
     * @param then where each context was at that look; 0 if it was not there
     */
    private static CallSnapshot.Tree since(
            CallSnapshot.Tree tree, CallSnapshot.Tree before, int[] then) {
        CallSnapshot.Tree added = new CallSnapshot.Tree(tree.number(), tree.thread(), tree.size());
        for (int node = 1; node < tree.size(); node++) {
            int was = then[node];
            long estimated = tree.estimatedNanos(node) - before.estimatedNanos(was);
            added.set(
                    node,
                    tree.method(node),
                    tree.parent(node),
                    tree.calls(node) - before.calls(was),
                    tree.selfNanos(node) - before.selfNanos(was),
                    tree.isSampled() ? Math.max(0, estimated) : CallSnapshot.Tree.EVERY_CALL);
            if (estimated > 0) {
                // Otherwise the calls seem to be quicker now: nothing is known of those added.
                added.setInside(
                        node,
                        tree.timedInside(node) - before.timedInside(was),
                        tree.untimedInside(node) - before.untimedInside(was));
            }
            added.setUntimed(node, tree.untimed(node) - before.untimed(was));
            added.setIdle(node, tree.idleNanos(node) - Math.max(0, before.idleNanos(was)));
        }
        return added;
    }

    /**
     * The numbers that contexts have in an earlier tree of the same thread. One that has fewer
     * calls than it had then was given up meanwhile, and is a new one.
     */
    private static int[] places(CallSnapshot.Tree tree, CallSnapshot.Tree before) {
        Map<Long, Integer> known = new HashMap<>();
        for (int node = 1; node < before.size(); node++) {
            known.put(key(before.parent(node), before.method(node)), node);
        }
        int[] then = new int[tree.size()];
        for (int node = 1; node < tree.size(); node++) {
            int parent = tree.parent(node);
            if (parent == 0 || then[parent] != 0) {
                int was = known.getOrDefault(key(then[parent], tree.method(node)), 0);
                then[node] = before.calls(was) > tree.calls(node) ? 0 : was;
            }
        }
        return then;
    }

    private static long key(int parent, int method) {
        return (long) parent << 32 | method;
    }
}
