package dev.heatline.model;

import java.util.Arrays;

/** Adds up what the rows of a growing column have of each second. */
final class RowSecondsBuilder {

    private static final int EMPTY = 0;

    private int size;
    private int[] rows = new int[16];

    /** Since 1970, unsigned. */
    private int[] seconds = new int[16];

    private long[] amounts = new long[16];

    /** Open addressing over (row, second): part + 1, or EMPTY. At most half full. */
    private int[] slots = new int[32];

    /**
     * Adds to what a row has of a second.
     *
     * @param second since 1970; one that {@link RowSeconds#canTell} refuses is not known
     */
    void add(int row, long second, long amount) {
        if (RowSeconds.canTell(second)) {
            int part = part(row, (int) second);
            // The sum of all is that of the values, which is checked to be in range.
            amounts[part] += amount;
        }
    }

    /**
     * Adds the seconds of another column.
     *
     * @param newRow the row here of each row there
     * @param factor by which amounts are larger here
     */
    void addAll(RowSecondsBuilder other, int[] newRow, long factor) {
        for (int part = 0; part < other.size; part++) {
            add(
                    newRow[other.rows[part]],
                    Integer.toUnsignedLong(other.seconds[part]),
                    other.amounts[part] * factor);
        }
    }

    void multiply(long factor) {
        for (int part = 0; part < size; part++) {
            amounts[part] *= factor;
        }
    }

    int size() {
        return size;
    }

    private int slot(int row, int second) {
        int mask = slots.length - 1;
        int slot = Hashing.mix(row, second) & mask;
        while (slots[slot] != EMPTY
                && (rows[slots[slot] - 1] != row || seconds[slots[slot] - 1] != second)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    /** The part of a row and second; made if there is none. */
    private int part(int row, int second) {
        int slot = slot(row, second);
        if (slots[slot] != EMPTY) {
            return slots[slot] - 1;
        }
        if (size == rows.length) {
            grow();
            slot = slot(row, second);
        }
        rows[size] = row;
        seconds[size] = second;
        slots[slot] = ++size;
        return size - 1;
    }

    private void grow() {
        int capacity = rows.length * 2;
        rows = Arrays.copyOf(rows, capacity);
        seconds = Arrays.copyOf(seconds, capacity);
        amounts = Arrays.copyOf(amounts, capacity);
        slots = new int[capacity * 2];
        for (int part = 0; part < size; part++) {
            slots[slot(rows[part], seconds[part])] = part + 1;
        }
    }

    /**
     * What is known in the end. O(parts log parts), with room for twelve bytes a part besides.
     *
     * @param order the rows in their final order
     * @param values of the rows in that order; a row that has more than its parts has none
     */
    RowSeconds build(int[] order, long[] values) {
        int[] newRow = new int[order.length];
        for (int row = 0; row < order.length; row++) {
            newRow[order[row]] = row;
        }
        boolean[] known = known(newRow, values);
        int[] starts = new int[order.length + 1];
        long[] keys = new long[size];
        int count = 0;
        long first = Long.MAX_VALUE;
        for (int part = 0; part < size; part++) {
            int row = newRow[rows[part]];
            if (known[row]) {
                long second = Integer.toUnsignedLong(seconds[part]);
                starts[row + 1]++;
                keys[count++] = (long) row << Integer.SIZE | second;
                first = Math.min(first, second);
            }
        }
        for (int row = 0; row < order.length; row++) {
            starts[row + 1] += starts[row];
        }
        Arrays.sort(keys, 0, count);
        int[] sortedOffsets = new int[count];
        long[] sortedAmounts = new long[count];
        for (int i = 0; i < count; i++) {
            int row = order[(int) (keys[i] >>> Integer.SIZE)];
            int second = (int) keys[i];
            sortedOffsets[i] = (int) (second - first);
            sortedAmounts[i] = amounts[slots[slot(row, second)] - 1];
        }
        return RowSeconds.of(first, starts, sortedOffsets, sortedAmounts);
    }

    /** Which rows have all of their value in seconds that are known, and not too many of them. */
    private boolean[] known(int[] newRow, long[] values) {
        long[] sums = new long[values.length];
        int[] counts = new int[values.length];
        for (int part = 0; part < size; part++) {
            int row = newRow[rows[part]];
            sums[row] += amounts[part];
            counts[row]++;
        }
        boolean[] known = new boolean[values.length];
        for (int row = 0; row < known.length; row++) {
            known[row] = sums[row] == values[row] && counts[row] <= RowSeconds.MOST_PER_ROW;
        }
        return known;
    }
}
