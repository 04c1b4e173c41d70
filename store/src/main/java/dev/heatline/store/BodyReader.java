package dev.heatline.store;

import dev.heatline.model.Column;
import dev.heatline.model.RowSeconds;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads what {@link Body} wrote: its values from their beginning to their end, then its seconds.
 */
final class BodyReader {

    /** What the ids of a dictionary are elsewhere. */
    interface Ids {
        Ids SAME =
                new Ids() {
                    @Override
                    public int node(int context) {
                        return context;
                    }

                    @Override
                    public int consumer(int id) {
                        return id;
                    }
                };

        int node(int context);

        int consumer(int id);
    }

    /** A column: rows of node, thread and amount. */
    static final class Values {
        final int[] nodes;
        final int[] threads;
        final long[] amounts;

        Values(int[] nodes, int[] threads, long[] amounts) {
            this.nodes = nodes;
            this.threads = threads;
            this.amounts = amounts;
        }
    }

    /** The seconds of the column at a place. */
    record Seconds(int column, RowSeconds seconds) {}

    private final Input in;
    private final Ids ids;
    private final List<Values> columns = new ArrayList<>();

    BodyReader(byte[] values, Ids ids) {
        this.in = new Input(values);
        this.ids = ids;
    }

    /** Nodes that neither a value nor a child leads to. */
    void bareLeaves() {
        int context = 0;
        for (int left = in.count(); left > 0; left--) {
            context += in.small();
            int _ = ids.node(context);
        }
    }

    /** The next column. */
    Values next() {
        int same = in.small();
        if (same > columns.size()) {
            throw Input.damaged();
        }
        Values column;
        if (same > 0) {
            Values other = columns.get(same - 1);
            column = new Values(other.nodes, other.threads, amounts(other.nodes));
        } else {
            int[] nodes = nodes();
            column = new Values(nodes, threads(nodes), amounts(nodes));
        }
        columns.add(column);
        return column;
    }

    private int[] nodes() {
        int[] nodes = new int[in.count()];
        int context = 0;
        for (int row = 0; row < nodes.length; row++) {
            context += in.small();
            nodes[row] = ids.node(context);
        }
        return nodes;
    }

    private int[] threads(int[] nodes) {
        int[] places = new int[in.count()];
        for (int i = 0; i < places.length; i++) {
            places[i] = thread(in.small() - 1, ids);
        }
        int[] threads = new int[nodes.length];
        for (int row = 0; row < threads.length; row++) {
            int place = places.length > 1 ? in.small() : 0;
            if (place >= places.length) {
                throw Input.damaged();
            }
            threads[row] = places[place];
        }
        return threads;
    }

    private long[] amounts(int[] nodes) {
        long unit = in.number();
        long[] amounts = new long[nodes.length];
        for (int row = 0; row < amounts.length; row++) {
            amounts[row] = in.number() * unit;
        }
        return amounts;
    }

    /** What a thread is elsewhere; no thread stays no thread. */
    static int thread(int thread, Ids ids) {
        return thread == Column.NO_THREAD ? Column.NO_THREAD : ids.consumer(thread);
    }

    /** After all columns: when they were observed, as far as that is known. */
    List<Seconds> seconds(byte[] seconds) {
        Input in = new Input(seconds);
        List<Seconds> known = new ArrayList<>();
        while (!in.isAtEnd()) {
            int column = in.small();
            if (column >= columns.size()) {
                throw Input.damaged();
            }
            known.add(new Seconds(column, seconds(in, columns.get(column).amounts)));
        }
        return known;
    }

    private static RowSeconds seconds(Input in, long[] values) {
        long first = in.signed();
        int[] starts = new int[values.length + 1];
        for (int row = 0; row < values.length; row++) {
            starts[row + 1] = in.checked(starts[row] + in.small());
        }
        int[] offsets = new int[in.checked(starts[values.length])];
        for (int row = 0; row < values.length; row++) {
            int offset = 0;
            for (int part = starts[row]; part < starts[row + 1]; part++) {
                offset += (int) in.number();
                offsets[part] = offset;
            }
        }
        long[] amounts = new long[offsets.length];
        for (int row = 0; row < values.length; row++) {
            long left = values[row];
            for (int part = starts[row]; part < starts[row + 1]; part++) {
                amounts[part] = part == starts[row + 1] - 1 ? left : in.number();
                left -= amounts[part];
            }
        }
        return RowSeconds.of(first, starts, offsets, amounts);
    }
}
