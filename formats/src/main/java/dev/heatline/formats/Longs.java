package dev.heatline.formats;

import java.util.Arrays;

/** A growing column of numbers. */
final class Longs {
    private long[] values = new long[16];
    private int size;

    int size() {
        return size;
    }

    long get(int index) {
        return values[index];
    }

    void add(long value) {
        set(size, value);
    }

    /** Sets a value at, or one past, the end or anywhere before. */
    void set(int index, long value) {
        if (index >= values.length) {
            values = Arrays.copyOf(values, values.length * 2);
        }
        values[index] = value;
        size = Math.max(size, index + 1);
    }
}
