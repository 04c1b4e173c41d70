package dev.heatline.agent.boot;

import java.util.HashMap;
import java.util.Map;

/**
 * Makes room in a tree that is full: contexts that were entered least often count as a part of who
 * called them from then on, from the innermost ones on. Roots stay, and where the thread is.
 */
final class Folding {
    private final CallTree tree;
    private final long[] nodes;
    private final int[] order;

    /** Those that may not go, because they call others or the thread is there. */
    private final int[] needed;

    /** What each of them made, as a list: the first, and the next of each. */
    private final int[] made;

    private final int[] next;

    /** Of what was given to a caller that made none before, by both. */
    private final Map<Long, Integer> given = new HashMap<>();

    /** Where what they made is now. */
    private final int[] moved;

    private int contexts;
    private long calls;

    /**
     * @param inside where the thread is
     */
    Folding(CallTree tree, int inside) {
        long[] places = tree.places();
        this.tree = tree;
        this.nodes = tree.nodes();
        this.order = CallTree.parentsFirst(places);
        this.needed = new int[places.length];
        this.made = new int[places.length];
        this.next = new int[places.length];
        this.moved = new int[places.length];
        for (int i = 1; i < moved.length; i++) {
            moved[i] = i;
        }
        for (int node : order) {
            if (places[node] >= 0) {
                needed[(int) places[node]]++;
            } else {
                list((int) places[node], node);
            }
        }
        for (int at = inside; at != CallTree.OUTSIDE; at = (int) places[at]) {
            needed[at]++;
        }
    }

    private void list(int maker, int node) {
        next[node] = made[maker];
        made[maker] = node;
    }

    /** Folds so many, if there are. O(nodes) for each power of four that calls come to. */
    void run(int wanted) {
        long most = 0;
        for (int node : order) {
            most = Math.max(most, calls(node));
        }
        for (long limit = 2; contexts < wanted && limit / 4 <= most; limit *= 4) {
            for (int i = order.length - 1; i >= 0 && contexts < wanted; i--) {
                int node = order[i];
                if (needed[node] == 0 && isContextBelowARoot(node) && calls(node) < limit) {
                    fold(node);
                }
            }
        }
    }

    /** How many are gone. */
    int contexts() {
        return contexts;
    }

    /** How many calls those had. */
    long calls() {
        return calls;
    }

    /** Where every node is now, as far as it was made by one: what was added to others is there. */
    int[] places() {
        for (int i = 1; i < moved.length; i++) {
            int at = i;
            while (moved[at] != at) {
                at = moved[at];
            }
            moved[i] = at;
        }
        return moved;
    }

    private long calls(int node) {
        return nodes[node * CallTree.STRIDE + CallTree.CALLS];
    }

    private long place(int node) {
        return nodes[node * CallTree.STRIDE + CallTree.PLACE];
    }

    private boolean isContextBelowARoot(int node) {
        return place(node) >= 0 && (int) place(node) != CallTree.OUTSIDE;
    }

    private void fold(int node) {
        int caller = (int) place(node);
        contexts++;
        calls += calls(node);
        needed[caller]--;
        int each = made[node];
        while (each != 0) {
            int following = next[each];
            giveMade(each, caller);
            each = following;
        }
        tree.giveTime(node, caller);
        tree.release(node);
    }

    /** What was made there was made by its caller. */
    private void giveMade(int node, int caller) {
        int what = (int) (place(node) >>> 32);
        long key = (long) what << 32 | caller;
        int same = tree.madeBy(caller, what);
        same = same == 0 ? given.getOrDefault(key, 0) : same;
        if (same == 0) {
            nodes[node * CallTree.STRIDE + CallTree.PLACE] = key;
            given.put(key, node);
            list(caller, node);
        } else {
            nodes[same * CallTree.STRIDE + CallTree.CALLS] += calls(node);
            nodes[same * CallTree.STRIDE + CallTree.SELF] +=
                    nodes[node * CallTree.STRIDE + CallTree.SELF];
            moved[node] = same;
            tree.giveWhole(node, tree, same);
            tree.release(node);
        }
    }
}
