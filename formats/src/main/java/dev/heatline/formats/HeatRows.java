package dev.heatline.formats;

import dev.heatline.model.Column;
import java.util.List;

/** Which nodes and threads the rows of a column belong to; see heat.proto. */
final class HeatRows {
    final int[] nodes;
    final int[] threads;

    private HeatRows(int[] nodes, int[] threads) {
        this.nodes = nodes;
        this.threads = threads;
    }

    /** The rows of a column, which may be those of an earlier one. */
    static HeatRows of(HeatMessage message, List<HeatRows> earlier) {
        int rowsOf = message.smallNumber(6);
        if (rowsOf > 0 && rowsOf <= earlier.size()) {
            return earlier.get(rowsOf - 1);
        }
        int count = message.smallNumber(7);
        PackedColumn nodeDeltas = message.column(8, "nodes");
        PackedColumn threadDeltas = message.column(9, "threads");
        nodeDeltas.checkHolds(count);
        threadDeltas.checkHolds(count);
        int[] nodes = new int[count];
        int[] threads = new int[count];
        int node = 0;
        int thread = Column.NO_THREAD;
        for (int row = 0; row < count; row++) {
            node += nodeDeltas.next();
            thread += threadDeltas.nextSigned();
            nodes[row] = node;
            threads[row] = thread;
        }
        nodeDeltas.checkEnd();
        threadDeltas.checkEnd();
        return new HeatRows(nodes, threads);
    }
}
