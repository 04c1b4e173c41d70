package dev.heatline.store;

import dev.heatline.model.Column;
import dev.heatline.model.Profile;
import dev.heatline.model.RowSeconds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes the values of a profile in the ids of a dictionary, and apart from them when they were
 * observed: who wants the whole profile need not read that. {@link BodyReader} reads both. Parts of
 * a kind stand together, and numbers are differences where that makes them small: both is what
 * compression lives on.
 */
final class Body {
    private final Profile profile;
    private final Dictionary.Ids ids;
    private final Output out = new Output();
    private final Output times = new Output();

    Body(Profile profile, Dictionary.Ids ids) {
        this.profile = profile;
        this.ids = ids;
        bareLeaves();
        List<int[]> orders = new ArrayList<>();
        for (int i = 0; i < profile.columns().size(); i++) {
            column(i, orders);
            seconds(i, orders.get(i));
        }
    }

    byte[] values() {
        return out.toBytes();
    }

    /** Empty if nothing is known of them. */
    byte[] seconds() {
        return times.toBytes();
    }

    /** Nodes that neither a value nor a child leads to; most profiles have none. */
    private void bareLeaves() {
        boolean[] valued = new boolean[profile.nodeCount()];
        for (Column column : profile.columns()) {
            for (int row = 0; row < column.rows(); row++) {
                valued[column.node(row)] = true;
            }
        }
        int[] bare = new int[valued.length];
        int count = 0;
        for (int node = 1; node < valued.length; node++) {
            if (!valued[node] && profile.end(node) == node + 1) {
                bare[count++] = ids.contexts[node];
            }
        }
        Arrays.sort(bare, 0, count);
        out.number(count);
        for (int i = 0; i < count; i++) {
            out.number(bare[i] - (i == 0 ? 0 : bare[i - 1]));
        }
    }

    private void column(int index, List<int[]> orders) {
        Column column = profile.columns().get(index);
        int same = profile.columnWithSameRows(index);
        out.number(same);
        if (same > 0) {
            orders.add(orders.get(same - 1));
        } else {
            orders.add(order(column));
            rows(column, orders.get(index));
        }
        long unit = column.commonDivisor();
        out.number(unit);
        for (int row : orders.get(index)) {
            out.number(column.value(row) / unit);
        }
    }

    /** The rows ordered by context; rows of one context stay in their order. */
    private int[] order(Column column) {
        long[] keys = new long[column.rows()];
        for (int row = 0; row < keys.length; row++) {
            keys[row] = (long) ids.contexts[column.node(row)] << 32 | row;
        }
        Arrays.sort(keys);
        int[] order = new int[keys.length];
        for (int i = 0; i < keys.length; i++) {
            order[i] = (int) keys[i];
        }
        return order;
    }

    private void rows(Column column, int[] order) {
        out.number(order.length);
        int before = 0;
        for (int row : order) {
            int context = ids.contexts[column.node(row)];
            out.number(context - before);
            before = context;
        }
        threads(column, order);
    }

    /** Threads are few: their numbers within the column, in order of appearance, take one byte. */
    private void threads(Column column, int[] order) {
        int[] places = new int[profile.consumerCount() + 1];
        int[] appeared = new int[places.length];
        int count = 0;
        for (int row : order) {
            int thread = column.thread(row) + 1;
            if (places[thread] == 0) {
                appeared[count++] = thread;
                places[thread] = count;
            }
        }
        out.number(count);
        for (int i = 0; i < count; i++) {
            int thread = appeared[i] - 1;
            out.number(thread == Column.NO_THREAD ? 0 : ids.consumers[thread] + 1);
        }
        if (count > 1) {
            for (int row : order) {
                out.number(places[column.thread(row) + 1] - 1);
            }
        }
    }

    /** The last amount of a row is what the others leave of its value. */
    private void seconds(int index, int[] order) {
        RowSeconds seconds = profile.columns().get(index).seconds();
        if (seconds.isEmpty()) {
            return;
        }
        times.number(index).signed(seconds.first());
        for (int row : order) {
            times.number(seconds.end(row) - seconds.start(row));
        }
        for (int row : order) {
            long before = seconds.first();
            for (int part = seconds.start(row); part < seconds.end(row); part++) {
                times.number(seconds.second(part) - before);
                before = seconds.second(part);
            }
        }
        for (int row : order) {
            for (int part = seconds.start(row); part < seconds.end(row) - 1; part++) {
                times.number(seconds.amount(part));
            }
        }
    }
}
