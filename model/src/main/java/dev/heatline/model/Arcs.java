package dev.heatline.model;

import java.util.Arrays;

/**
 * All caller–callee pairs, found by an open-addressing index. A pair and all its sums are eight
 * longs side by side: the walk touches most of them at once, and they share a cache line.
 */
final class Arcs {
    private static final int PAIR = 0;

    /** The end of the outermost node of this pair last entered: before it, it is open. */
    static final int OPEN_UNTIL = 1;

    static final int CALLS = 2;
    static final int BASE = 3;
    static final int CUM = 4;
    static final int NET = 5;
    static final int INVOCATION = 6;
    private static final int WIDTH_BITS = 3;

    private int size;
    private long[] rows = new long[256 << WIDTH_BITS];

    /** Row + 1, or 0 for empty. At most a quarter full. */
    private int[] slots = new int[1024];

    private int[] callerStart = {};
    private int[] byCaller = {};
    private int[] calleeStart = {};
    private int[] byCallee = {};

    long get(int arc, int field) {
        return rows[(arc << WIDTH_BITS) + field];
    }

    void set(int arc, int field, long value) {
        rows[(arc << WIDTH_BITS) + field] = value;
    }

    void add(int arc, int field, long amount) {
        rows[(arc << WIDTH_BITS) + field] += amount;
    }

    int caller(int arc) {
        return (int) (get(arc, PAIR) >>> 32);
    }

    int callee(int arc) {
        return (int) get(arc, PAIR);
    }

    int arc(int caller, int callee) {
        long pair = (long) caller << 32 | callee;
        int mask = slots.length - 1;
        int slot = Hashing.mix(caller, callee) & mask;
        while (slots[slot] != 0) {
            int arc = slots[slot] - 1;
            if (get(arc, PAIR) == pair) {
                return arc;
            }
            slot = (slot + 1) & mask;
        }
        if (size << WIDTH_BITS == rows.length) {
            grow();
            return arc(caller, callee);
        }
        slots[slot] = size + 1;
        rows[size << WIDTH_BITS] = pair;
        return size++;
    }

    private void grow() {
        rows = Arrays.copyOf(rows, rows.length * 2);
        slots = new int[slots.length * 2];
        int mask = slots.length - 1;
        for (int arc = 0; arc < size; arc++) {
            int slot = Hashing.mix(caller(arc), callee(arc)) & mask;
            while (slots[slot] != 0) {
                slot = (slot + 1) & mask;
            }
            slots[slot] = arc + 1;
        }
    }

    int size() {
        return size;
    }

    /** The arcs that start from this consumer. Needs {@link #indexByEnds}. */
    int[] from(int consumer) {
        return Arrays.copyOfRange(byCaller, callerStart[consumer], callerStart[consumer + 1]);
    }

    /** The arcs that lead to this consumer. Needs {@link #indexByEnds}. */
    int[] to(int consumer) {
        return Arrays.copyOfRange(byCallee, calleeStart[consumer], calleeStart[consumer + 1]);
    }

    void indexByEnds(int consumers) {
        int[] callers = new int[size];
        int[] callees = new int[size];
        for (int arc = 0; arc < size; arc++) {
            callers[arc] = caller(arc);
            callees[arc] = callee(arc);
        }
        callerStart = CountingSort.starts(callers, size, consumers);
        byCaller = CountingSort.order(callers, size, callerStart);
        calleeStart = CountingSort.starts(callees, size, consumers);
        byCallee = CountingSort.order(callees, size, calleeStart);
    }
}
