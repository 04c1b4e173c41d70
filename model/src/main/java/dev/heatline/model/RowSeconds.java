package dev.heatline.model;

import java.util.Arrays;

/**
 * In which seconds what the rows of a {@link Column} tell was observed: of each row either all is
 * known or nothing. A part is what one row has of one second; the parts of a row stand together, in
 * the order of their seconds. Immutable.
 */
public final class RowSeconds {

    /** A row of more seconds than an hour has is not known by the second. */
    public static final int MOST_PER_ROW = 3600;

    /** The last second that can be told, in 2106; the first is that with which 1970 began. */
    static final long LAST = (1L << Integer.SIZE) - 1;

    /** Nothing is known of any row. */
    public static final RowSeconds NONE = new RowSeconds(0, new int[0], new int[0], new long[0]);

    private final long first;
    private final int[] starts;

    /** Unsigned. */
    private final int[] offsets;

    private final long[] amounts;

    RowSeconds(long first, int[] starts, int[] offsets, long[] amounts) {
        this.first = first;
        this.starts = starts;
        this.offsets = offsets;
        this.amounts = amounts;
    }

    /**
     * As it was written down. Takes ownership of the arrays; {@link Column#withSeconds} checks
     * them.
     *
     * @param first the first second of all parts, since 1970
     * @param starts where the parts of each row begin, and at last where those of the last one end
     * @param offsets of each part, from the first second; unsigned
     * @param amounts of each part
     */
    public static RowSeconds of(long first, int[] starts, int[] offsets, long[] amounts) {
        return offsets.length == 0 ? NONE : new RowSeconds(first, starts, offsets, amounts);
    }

    /** Whether a second since 1970 can be told. */
    static boolean canTell(long second) {
        return second >= 0 && second <= LAST;
    }

    /** Whether nothing is known. */
    public boolean isEmpty() {
        return offsets.length == 0;
    }

    /** The first second of all parts, since 1970. */
    public long first() {
        return first;
    }

    /** How many parts all rows have together. */
    public int parts() {
        return offsets.length;
    }

    /** The first part of a row. Those of a row of which nothing is known end where they begin. */
    public int start(int row) {
        return isEmpty() ? 0 : starts[row];
    }

    /** One past the last part of a row. */
    public int end(int row) {
        return isEmpty() ? 0 : starts[row + 1];
    }

    /** Since 1970. */
    public long second(int part) {
        return first + Integer.toUnsignedLong(offsets[part]);
    }

    public long amount(int part) {
        return amounts[part];
    }

    /**
     * Whether these are the seconds of rows with such values, as a builder would have made them.
     */
    boolean isOf(long[] values) {
        if (isEmpty()) {
            return true;
        }
        if (starts.length != values.length + 1
                || amounts.length != offsets.length
                || starts[0] != 0
                || starts[values.length] != offsets.length) {
            return false;
        }
        long earliest = Long.MAX_VALUE;
        for (int row = 0; row < values.length; row++) {
            boolean inOrder = starts[row] <= starts[row + 1] && starts[row + 1] <= offsets.length;
            if (!inOrder || !isOf(row, values[row])) {
                return false;
            }
            if (starts[row] < starts[row + 1]) {
                earliest = Math.min(earliest, second(starts[row]));
            }
        }
        return earliest == first;
    }

    private boolean isOf(int row, long value) {
        long left = value;
        long before = -1;
        for (int part = starts[row]; part < starts[row + 1]; part++) {
            long second = second(part);
            boolean fits = canTell(first) && canTell(second) && second > before;
            if (!fits || amounts[part] <= 0 || amounts[part] > left) {
                return false;
            }
            left -= amounts[part];
            before = second;
        }
        int parts = starts[row + 1] - starts[row];
        return parts == 0 || (left == 0 && parts <= MOST_PER_ROW);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RowSeconds that
                && first == that.first
                && Arrays.equals(starts, that.starts)
                && Arrays.equals(offsets, that.offsets)
                && Arrays.equals(amounts, that.amounts);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(offsets) * 31 + Long.hashCode(first);
    }

    @Override
    public String toString() {
        return parts() + " parts from " + first;
    }
}
