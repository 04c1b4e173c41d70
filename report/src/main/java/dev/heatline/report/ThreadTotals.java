package dev.heatline.report;

import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.Profile;
import java.util.List;

/** What every thread used of every resource. Threads are numbered; 0 is that of no known thread. */
final class ThreadTotals {
    private static final Consumer NO_THREAD = Consumer.thread("", "unknown thread");

    private final Profile profile;
    private final int[] threads;

    /** For each consumer its number as a thread. */
    private final int[] numberOf;

    /** By column and thread. */
    private final long[][] totals;

    private ThreadTotals(Profile profile) {
        this.profile = profile;
        this.threads = profile.threads();
        this.numberOf = new int[profile.consumerCount()];
        for (int i = 0; i < threads.length; i++) {
            numberOf[threads[i]] = i + 1;
        }
        List<Column> columns = profile.columns();
        this.totals = new long[columns.size()][count()];
        for (int i = 0; i < totals.length; i++) {
            Column column = columns.get(i);
            for (int row = 0; row < column.rows(); row++) {
                totals[i][number(column.thread(row))] += column.value(row);
            }
        }
    }

    static ThreadTotals of(Profile profile) {
        return new ThreadTotals(profile);
    }

    int count() {
        return threads.length + 1;
    }

    Consumer thread(int number) {
        return number == 0 ? NO_THREAD : profile.consumerAt(threads[number - 1]);
    }

    /** The thread of a row, which may be that of none. */
    static Consumer thread(Profile profile, int thread) {
        return thread == Column.NO_THREAD ? NO_THREAD : profile.consumerAt(thread);
    }

    /** Columns are in the order of the Profile. */
    long total(int column, int number) {
        return totals[column][number];
    }

    /** 0 if there is no such resource. */
    long total(String resource, int number) {
        List<Column> columns = profile.columns();
        for (int i = 0; i < totals.length; i++) {
            if (columns.get(i).resource().name().equals(resource)) {
                return totals[i][number];
            }
        }
        return 0;
    }

    /** The rows of each thread. */
    int[][] rows(Column column) {
        int[] length = new int[count()];
        for (int row = 0; row < column.rows(); row++) {
            length[number(column.thread(row))]++;
        }
        int[][] rows = new int[count()][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = new int[length[i]];
        }
        for (int row = column.rows() - 1; row >= 0; row--) {
            int number = number(column.thread(row));
            rows[number][--length[number]] = row;
        }
        return rows;
    }

    private int number(int thread) {
        return thread == Column.NO_THREAD ? 0 : numberOf[thread];
    }
}
