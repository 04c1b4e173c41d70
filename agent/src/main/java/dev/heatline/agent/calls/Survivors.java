package dev.heatline.agent.calls;

import dev.heatline.agent.boot.CallTree;
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

    /** None, if nothing is tracked. */
    static Survivors look(@Nullable TrackedObjects tracked) {
        Survivors survivors = new Survivors();
        if (tracked != null) {
            tracked.look(
                    (tree, node, collections, objects, bytes) ->
                            survivors
                                    .alive
                                    .computeIfAbsent(
                                            new Maker(tree.number(), node), any -> new Ages())
                                    .add(collections, objects, bytes));
        }
        return survivors;
    }

    /**
     * What became of all that a node has made whole.
     *
     * @param size bytes of one; 0 if they are arrays, or not known
     */
    Survival madeBy(CallTree tree, int node, long size) {
        Ages ages = alive.getOrDefault(new Maker(tree.number(), node), new Ages());
        long stoodFor = tree.gone(node) + ages.objects;
        if (stoodFor == 0) {
            return Survival.NONE;
        }
        double part = (double) tree.whole(node) / stoodFor;
        List<Aged> aged = new ArrayList<>();
        ages.amounts.forEach(
                (collections, amount) -> {
                    long objects = Math.round(part * amount[0]);
                    long bytes = size > 0 ? objects * size : Math.round(part * amount[1]);
                    aged.add(new Aged(collections, objects, bytes));
                });
        return new Survival(tree.goneTracked(node) + ages.tracked, aged);
    }
}
