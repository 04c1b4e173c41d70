package dev.heatline.agent.calls;

import dev.heatline.agent.boot.CallTree;
import dev.heatline.agent.boot.ObjectCounts;
import dev.heatline.agent.boot.TrackedObjects;
import dev.heatline.wire.CallSnapshot.Aged;
import dev.heatline.wire.CallSnapshot.Survival;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The tracked objects that were alive at a look, by what made them, and what they tell of all. Of a
 * context's objects, as great a part is alive as of those that its tracked ones stand for: so what
 * is always kept is known exactly, however few of it are tracked.
 */
final class Survivors {
    private final Map<Maker, Ages> alive = new HashMap<>();

    /** Of the same moment, by the numbers of trees. */
    private final Map<Integer, ObjectCounts> counts = new HashMap<>();

    /** What made them at a line: the tree of a thread, and a node of it. */
    private record Maker(int tree, int node) {}

    /** How many there are and their bytes, by how many collections they have survived. */
    private static final class Ages {
        private final TreeMap<Integer, long[]> amounts = new TreeMap<>();
        private long tracked;
        private long objects;

        private void add(int collections, long more, long bytes) {
            long[] amount = amounts.computeIfAbsent(collections, any -> new long[2]);
            amount[0] += more;
            amount[1] += bytes;
            tracked++;
            objects += more;
        }
    }

    private Survivors() {}

    /**
     * None, if nothing is tracked.
     *
     * @param trees of all threads
     */
    static Survivors look(@Nullable TrackedObjects tracked, List<CallTree> trees) {
        Survivors survivors = new Survivors();
        if (tracked != null) {
            // As long as this takes, none is found to be gone.
            synchronized (tracked) {
                tracked.look(
                        (tree, node, collections, objects, bytes) ->
                                survivors
                                        .alive
                                        .computeIfAbsent(
                                                new Maker(tree.number(), node), any -> new Ages())
                                        .add(collections, objects, bytes));
                for (CallTree tree : trees) {
                    survivors.counts.put(tree.number(), tree.objectCounts());
                }
            }
        }
        return survivors;
    }

    /**
     * What became of all that a node has made whole.
     *
     * @param size bytes of one; 0 if they are arrays, or not known
     */
    Survival madeBy(CallTree tree, int node, long size) {
        ObjectCounts all = counts.get(tree.number());
        Ages ages = alive.getOrDefault(new Maker(tree.number(), node), new Ages());
        if (all == null || all.gone(node) + ages.objects == 0) {
            return Survival.NONE;
        }
        double part = (double) all.made(node) / (all.gone(node) + ages.objects);
        List<Aged> aged = new ArrayList<>();
        long stoodFor = 0;
        long told = 0;
        for (Map.Entry<Integer, long[]> age : ages.amounts.entrySet()) {
            // Rounded together: all that are alive are all that were made, if none is gone.
            stoodFor += age.getValue()[0];
            long objects = Math.round(part * stoodFor) - told;
            told += objects;
            long bytes = size > 0 ? objects * size : Math.round(part * age.getValue()[1]);
            aged.add(new Aged(age.getKey(), objects, bytes));
        }
        return new Survival(all.goneTracked(node) + ages.tracked, aged);
    }
}
