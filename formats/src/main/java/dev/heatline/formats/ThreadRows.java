package dev.heatline.formats;

import dev.heatline.model.Column;
import java.util.Arrays;

/** The rows of a column by thread, each thread's in their order. O(rows + consumers) to make. */
final class ThreadRows {
    private final int[] rows;

    /** Where the rows of a thread start, by its id + 1; those without a thread come first. */
    private final int[] starts;

    ThreadRows(Column column, int consumerCount) {
        starts = new int[consumerCount + 2];
        for (int row = 0; row < column.rows(); row++) {
            starts[place(column.thread(row)) + 1]++;
        }
        Arrays.parallelPrefix(starts, Integer::sum);
        int[] next = starts.clone();
        rows = new int[column.rows()];
        for (int row = 0; row < rows.length; row++) {
            rows[next[place(column.thread(row))]++] = row;
        }
    }

    /** The rows of a thread, or those of {@link Column#NO_THREAD}. */
    int[] of(int thread) {
        return Arrays.copyOfRange(rows, starts[place(thread)], starts[place(thread) + 1]);
    }

    private static int place(int thread) {
        return thread - Column.NO_THREAD;
    }
}
