package dev.heatline.model;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * The values of one resource: rows of (node, thread, amount), sorted by node and then thread, each
 * pair at most once, every amount positive. Rows hold what a node used by itself; sums over
 * subtrees are derived by {@link Profile#inclusive}, never stored.
 *
 * <p>A column may tell in which seconds what it has was observed.
 */
public final class Column {

    /** The thread of rows whose thread is unknown. */
    public static final int NO_THREAD = -1;

    private final Resource resource;
    private final int[] nodes;
    private final int[] threads;
    private final long[] values;
    private final RowSeconds seconds;
    private final long total;

    Column(Resource resource, int[] nodes, int[] threads, long[] values) {
        this(resource, nodes, threads, values, RowSeconds.NONE);
    }

    Column(Resource resource, int[] nodes, int[] threads, long[] values, RowSeconds seconds) {
        this.resource = resource;
        this.nodes = nodes;
        this.threads = threads;
        this.values = values;
        this.seconds = seconds;
        long sum = 0;
        for (long value : values) {
            sum += value;
        }
        this.total = sum;
    }

    /**
     * A column of rows that are already in order, for readers of files. Takes ownership of the
     * arrays. {@link Profile#fromColumns} checks that nodes and threads exist. O(rows).
     *
     * @throws ModelException if the rows are not as described above, or the resource cannot be
     */
    public static Column fromRows(Resource resource, int[] nodes, int[] threads, long[] values) {
        ColumnCheck.check(resource, nodes, threads, values);
        return new Column(resource, nodes, threads, values);
    }

    /**
     * The same rows, of which it is known when they were observed. O(rows + parts).
     *
     * @throws ModelException if these are not the seconds of these rows
     */
    public Column withSeconds(RowSeconds known) {
        ColumnCheck.check(resource, values, known);
        return new Column(resource, nodes, threads, values, known);
    }

    public Resource resource() {
        return resource;
    }

    public int rows() {
        return nodes.length;
    }

    public int node(int row) {
        return nodes[row];
    }

    /** The consumer id of the row's thread, or {@link #NO_THREAD}. */
    public int thread(int row) {
        return threads[row];
    }

    /** The amount in stored units; see {@link Resource#perUnit}. */
    public long value(int row) {
        return values[row];
    }

    /** When the rows were observed, as far as that is known. */
    public RowSeconds seconds() {
        return seconds;
    }

    /** The sum of all rows. It always fits: the builder refuses what does not. */
    public long total() {
        return total;
    }

    /** What every node used by itself, over all threads. O(nodes + rows). */
    public long[] self(int nodeCount) {
        long[] self = new long[nodeCount];
        for (int row = 0; row < nodes.length; row++) {
            self[nodes[row]] += values[row];
        }
        return self;
    }

    /** What every node used by itself on the threads that are wanted. O(nodes + rows). */
    public long[] self(int nodeCount, IntPredicate wantedThread) {
        long[] self = new long[nodeCount];
        for (int row = 0; row < nodes.length; row++) {
            if (wantedThread.test(threads[row])) {
                self[nodes[row]] += values[row];
            }
        }
        return self;
    }

    /** Whether another column has values of the same nodes and threads. */
    boolean hasSameRows(Column other) {
        return Arrays.equals(nodes, other.nodes) && Arrays.equals(threads, other.threads);
    }

    /** The greatest number all amounts are multiples of; 0 without rows. */
    public long commonDivisor() {
        long divisor = 0;
        for (int row = 0; row < values.length && divisor != 1; row++) {
            divisor = greatestCommonDivisor(values[row], divisor);
        }
        return divisor;
    }

    private static long greatestCommonDivisor(long a, long b) {
        return b == 0 ? a : greatestCommonDivisor(b, a % b);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Column that
                && resource.equals(that.resource)
                && Arrays.equals(nodes, that.nodes)
                && Arrays.equals(threads, that.threads)
                && Arrays.equals(values, that.values)
                && seconds.equals(that.seconds);
    }

    @Override
    public int hashCode() {
        return resource.hashCode() * 31 + Long.hashCode(total);
    }

    @Override
    public String toString() {
        return resource.name() + " " + resource.inUnits(total) + " " + resource.unit();
    }
}
