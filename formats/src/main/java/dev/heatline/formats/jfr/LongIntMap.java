package dev.heatline.formats.jfr;

import java.util.Arrays;

/**
 * Ids of a recording to small non-negative numbers: open addressing over primitives, at most half
 * full, 12 bytes per slot.
 */
final class LongIntMap {

    /** What {@link #get} answers for an id that is not there. */
    static final int ABSENT = -1;

    private static final int INITIAL_SLOTS = 64;
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private long[] keys;

    /** Value + 1, so that a cleared table is empty. */
    private int[] values;

    private int shift;
    private int size;

    LongIntMap() {
        allocate(INITIAL_SLOTS);
    }

    int size() {
        return size;
    }

    int get(long key) {
        int mask = keys.length - 1;
        int slot = (int) ((key * SPREAD) >>> shift);
        while (values[slot] != 0) {
            if (keys[slot] == key) {
                return values[slot] - 1;
            }
            slot = (slot + 1) & mask;
        }
        return ABSENT;
    }

    /** Enters a value unless the key has one already; the first one stays. */
    void putIfAbsent(long key, int value) {
        int mask = keys.length - 1;
        int slot = (int) ((key * SPREAD) >>> shift);
        while (values[slot] != 0) {
            if (keys[slot] == key) {
                return;
            }
            slot = (slot + 1) & mask;
        }
        keys[slot] = key;
        values[slot] = value + 1;
        if (++size * 2 > keys.length) {
            grow();
        }
    }

    /** Forgets all entries; keeps the room for them only if most of it was used. */
    void clear() {
        if (size * 16L < keys.length && keys.length > INITIAL_SLOTS) {
            allocate(INITIAL_SLOTS);
        } else if (size > 0) {
            Arrays.fill(values, 0);
        }
        size = 0;
    }

    private void allocate(int capacity) {
        keys = new long[capacity];
        values = new int[capacity];
        shift = Long.numberOfLeadingZeros(capacity) + 1;
    }

    private void grow() {
        long[] oldKeys = keys;
        int[] oldValues = values;
        allocate(oldKeys.length * 2);
        size = 0;
        for (int slot = 0; slot < oldKeys.length; slot++) {
            if (oldValues[slot] != 0) {
                putIfAbsent(oldKeys[slot], oldValues[slot] - 1);
            }
        }
    }
}
