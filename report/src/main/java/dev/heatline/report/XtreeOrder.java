package dev.heatline.report;

import dev.heatline.model.ConsumerType;
import dev.heatline.model.Profile;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * Nodes of a Profile in the order of xtree: depth first, children by cum, the largest first. A few
 * ints per node.
 *
 * <p>What is left out must be left out with everything below it. Pruning by cum does that by
 * itself: all nodes above a node have at least its cum (004, "Scalability").
 */
final class XtreeOrder {
    private final Profile profile;
    private final long[] cum;
    private final boolean threadsAreRoots;
    private int[] nodes = new int[64];
    private int[] levels = new int[64];
    private int size;

    private XtreeOrder(Profile profile, long[] cum, boolean threadsAreRoots) {
        this.profile = profile;
        this.cum = cum;
        this.threadsAreRoots = threadsAreRoots;
    }

    /**
     * @param cum of each node; with {@code threadsAreRoots}, that of the root without its threads
     * @param kept which nodes to show
     * @param threadsAreRoots whether threads below the root stand beside it, at level 0
     */
    static XtreeOrder of(Profile profile, long[] cum, IntPredicate kept, boolean threadsAreRoots) {
        XtreeOrder order = new XtreeOrder(profile, cum, threadsAreRoots);
        order.walk(kept);
        return order;
    }

    int size() {
        return size;
    }

    int node(int index) {
        return nodes[index];
    }

    int level(int index) {
        return levels[index];
    }

    /** The {@code limit} nodes with the largest cum, which form a tree again, in this order. */
    XtreeOrder largest(int limit) {
        if (size <= limit) {
            return this;
        }
        long[] sorted = new long[size];
        for (int i = 0; i < size; i++) {
            sorted[i] = cum[nodes[i]];
        }
        Arrays.sort(sorted);
        long least = sorted[size - limit];
        int ties = limit;
        for (int i = size - 1; i >= 0 && sorted[i] > least; i--) {
            ties--;
        }
        XtreeOrder largest = new XtreeOrder(profile, cum, threadsAreRoots);
        for (int i = 0; i < size; i++) {
            long value = cum[nodes[i]];
            // Of equal nodes the first are taken, so none loses the node above it.
            if (value > least || (value == least && ties-- > 0)) {
                largest.add(nodes[i], levels[i]);
            }
        }
        return largest;
    }

    private void walk(IntPredicate kept) {
        Pending pending = new Pending();
        pending.start();
        if (kept.test(Profile.ROOT)) {
            pending.collect(Profile.ROOT);
        }
        if (threadsAreRoots) {
            pending.collectChildren(Profile.ROOT, node -> isThread(node) && kept.test(node));
        }
        pending.pushCollected(0);
        while (pending.depth > 0) {
            int node = pending.pop();
            int level = pending.poppedLevel;
            add(node, level);
            pending.start();
            boolean besideThreads = threadsAreRoots && node == Profile.ROOT;
            pending.collectChildren(
                    node, child -> kept.test(child) && !(besideThreads && isThread(child)));
            pending.pushCollected(level + 1);
        }
    }

    private boolean isThread(int node) {
        return profile.consumerOf(node).type() == ConsumerType.THREAD;
    }

    private void add(int node, int level) {
        if (size == nodes.length) {
            nodes = Arrays.copyOf(nodes, size * 2);
            levels = Arrays.copyOf(levels, size * 2);
        }
        nodes[size] = node;
        levels[size++] = level;
    }

    /** The nodes still to be visited, the next one on top. */
    private final class Pending {
        private int[] stack = new int[64];
        private int[] stackLevels = new int[64];
        private int depth;
        private int poppedLevel;
        private int from;

        int pop() {
            poppedLevel = stackLevels[--depth];
            return stack[depth];
        }

        void start() {
            from = depth;
        }

        void collectChildren(int node, IntPredicate wanted) {
            for (int child = node + 1; child < profile.end(node); child = profile.end(child)) {
                if (wanted.test(child)) {
                    collect(child);
                }
            }
        }

        void collect(int node) {
            if (depth == stack.length) {
                stack = Arrays.copyOf(stack, depth * 2);
                stackLevels = Arrays.copyOf(stackLevels, depth * 2);
            }
            stack[depth++] = node;
        }

        /** Sorts what was collected, the smallest first: the largest is popped first. */
        void pushCollected(int level) {
            Arrays.fill(stackLevels, from, depth, level);
            int count = depth - from;
            for (int parent = count / 2 - 1; parent >= 0; parent--) {
                sift(parent, count);
            }
            for (int last = count - 1; last > 0; last--) {
                swap(from, from + last);
                sift(0, last);
            }
        }

        /** Heapsort's step: lets an element sink until it is at least its two children. */
        private void sift(int element, int count) {
            int at = element;
            while (2 * at + 1 < count) {
                int child = 2 * at + 1;
                if (child + 1 < count && isLess(stack[from + child], stack[from + child + 1])) {
                    child++;
                }
                if (!isLess(stack[from + at], stack[from + child])) {
                    return;
                }
                swap(from + at, from + child);
                at = child;
            }
        }

        /** By cum; of equal nodes the first counts as larger, so that it comes first. */
        private boolean isLess(int a, int b) {
            return cum[a] != cum[b] ? cum[a] < cum[b] : a > b;
        }

        private void swap(int i, int j) {
            int moved = stack[i];
            stack[i] = stack[j];
            stack[j] = moved;
        }
    }
}
