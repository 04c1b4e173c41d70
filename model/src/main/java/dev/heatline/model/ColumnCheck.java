package dev.heatline.model;

/** Says whether rows from outside keep what a {@link Column} promises. */
final class ColumnCheck {

    private ColumnCheck() {}

    static void check(Resource resource, int[] nodes, int[] threads, long[] values) {
        if (nodes.length == 0 || threads.length != nodes.length || values.length != nodes.length) {
            throw wrong(resource, "has no rows, or parts of different length");
        }
        long total = 0;
        for (int row = 0; row < nodes.length; row++) {
            boolean inOrder =
                    row == 0
                            || nodes[row] > nodes[row - 1]
                            || (nodes[row] == nodes[row - 1] && threads[row] > threads[row - 1]);
            if (!inOrder) {
                throw wrong(resource, "is not in order at row " + row);
            }
            total += values[row];
            if (values[row] <= 0 || total < 0) {
                throw wrong(resource, "has a value out of range at row " + row);
            }
        }
    }

    static void check(Resource resource, long[] values, RowSeconds seconds) {
        if (!seconds.isOf(values)) {
            throw wrong(resource, "has seconds that are not those of its rows");
        }
    }

    /** Whether the nodes and threads of a column exist. */
    static void checkIds(Column column, int nodeCount, boolean[] usedConsumer) {
        for (int row = 0; row < column.rows(); row++) {
            int node = column.node(row);
            int thread = column.thread(row);
            if (node < 0 || node >= nodeCount) {
                throw wrong(column.resource(), "names no node at row " + row);
            }
            if (thread < Column.NO_THREAD || thread >= usedConsumer.length) {
                throw wrong(column.resource(), "names no thread at row " + row);
            }
            if (thread != Column.NO_THREAD) {
                usedConsumer[thread] = true;
            }
        }
    }

    private static ModelException wrong(Resource resource, String what) {
        return new ModelException("the column of resource " + resource.name() + " " + what);
    }
}
