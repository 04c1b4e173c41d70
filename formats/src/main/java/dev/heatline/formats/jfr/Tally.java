package dev.heatline.formats.jfr;

import java.util.Arrays;

/**
 * Sums over the events of one type by (stack trace id, thread id), all in one array: open
 * addressing over rows of [stack, thread, events, sums …], at most half full. Adding an event costs
 * one probe.
 */
final class Tally {
    static final int STACK = 0;
    static final int THREAD = 1;
    static final int EVENTS = 2;
    static final int FIRST_SUM = 3;

    /** Stands for the thread of a row whose stack is both; see {@link PackedFields}. */
    static final long PACKED = Long.MIN_VALUE;

    private static final int INITIAL_ROWS = 8;

    private final int stride;
    private long[] rows;
    private int capacity = INITIAL_ROWS;
    private int size;

    Tally(int sums) {
        stride = FIRST_SUM + sums;
        rows = new long[capacity * stride];
    }

    /** How many longs from one row to the next. */
    int stride() {
        return stride;
    }

    int capacity() {
        return capacity;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Forgets all rows; keeps the room for them only if most of it was used. */
    void clear() {
        if (size * 16L < capacity && capacity > INITIAL_ROWS) {
            capacity = INITIAL_ROWS;
            rows = new long[capacity * stride];
        } else if (size > 0) {
            Arrays.fill(rows, 0);
        }
        size = 0;
    }

    /** A cell of a row, which is empty if its EVENTS are zero. */
    long cell(int row, int cell) {
        return rows[row * stride + cell];
    }

    /**
     * Adds an event.
     *
     * @param slots stack, thread, one that is ignored, then what to add to each sum; negative
     *     amounts, which only damage or a clock that was set back can bring, count as nothing
     */
    void add(long[] slots) {
        int row = count(slots[STACK], slots[THREAD]);
        for (int sum = FIRST_SUM; sum < stride; sum++) {
            add(row + sum, slots[sum]);
        }
    }

    /** Adds an event whose stack and thread are one number, and that has one amount. */
    void add(long packed, long amount) {
        add(count(packed, PACKED) + FIRST_SUM, amount);
    }

    /** Counts an event; returns where its row starts. */
    int count(long stack, long thread) {
        int row = find(stack, thread);
        if (rows[row + EVENTS]++ == 0) {
            rows[row + STACK] = stack;
            rows[row + THREAD] = thread;
            if (++size * 2 > capacity) {
                grow();
                row = find(stack, thread);
            }
        }
        return row;
    }

    private void add(int cell, long amount) {
        long sum = rows[cell] + Math.max(0, amount);
        if (sum < 0) {
            throw new Damage("has values that add up to more than 2^63-1");
        }
        rows[cell] = sum;
    }

    /** Takes from a sum of a row that is there; no sum becomes negative. */
    void subtract(long stack, long thread, int sum, long amount) {
        int cell = find(stack, thread) + sum;
        rows[cell] = Math.max(0, rows[cell] - amount);
    }

    private int find(long stack, long thread) {
        long[] cells = rows;
        long hash = (stack * 0x9E3779B97F4A7C15L) ^ (thread * 0xC2B2AE3D27D4EB4FL);
        hash ^= hash >>> 32;
        int mask = capacity - 1;
        int row = (int) hash & mask;
        while (true) {
            int at = row * stride;
            if (cells[at + EVENTS] == 0
                    || (cells[at + STACK] == stack && cells[at + THREAD] == thread)) {
                return at;
            }
            row = (row + 1) & mask;
        }
    }

    private void grow() {
        long[] old = rows;
        capacity = Math.multiplyExact(capacity, 2);
        rows = new long[Math.multiplyExact(capacity, stride)];
        for (int at = 0; at < old.length; at += stride) {
            if (old[at + EVENTS] != 0) {
                System.arraycopy(old, at, rows, find(old[at + STACK], old[at + THREAD]), stride);
            }
        }
    }
}
