package dev.heatline.formats;

import dev.heatline.model.Column;
import dev.heatline.model.Profile;
import java.util.List;

/**
 * The rows of all columns as formats of samples want them: for each (node, thread) that has any
 * value, the values of all columns. A merge of sorted columns, O(rows * columns).
 */
final class SampleRows {
    private final List<Column> columns;
    private final int[] next;
    private final long[] values;
    private int node;
    private int thread;

    SampleRows(Profile profile) {
        this(profile.columns());
    }

    SampleRows(List<Column> columns) {
        this.columns = columns;
        this.next = new int[columns.size()];
        this.values = new long[columns.size()];
    }

    /** Goes on to the next row; false if there is none. */
    boolean advance() {
        long first = Long.MAX_VALUE;
        for (int i = 0; i < next.length; i++) {
            first = Math.min(first, key(i));
        }
        if (first == Long.MAX_VALUE) {
            return false;
        }
        for (int i = 0; i < next.length; i++) {
            values[i] = key(i) == first ? columns.get(i).value(next[i]++) : 0;
        }
        node = (int) (first >> 32);
        thread = (int) first - 1;
        return true;
    }

    int node() {
        return node;
    }

    /** The consumer id of the thread, or {@link Column#NO_THREAD}. */
    int thread() {
        return thread;
    }

    /** What this row has of the column with this index, 0 if nothing. */
    long value(int column) {
        return values[column];
    }

    private long key(int column) {
        Column rows = columns.get(column);
        int row = next[column];
        return row == rows.rows()
                ? Long.MAX_VALUE
                : (long) rows.node(row) << 32 | (rows.thread(row) + 1);
    }
}
