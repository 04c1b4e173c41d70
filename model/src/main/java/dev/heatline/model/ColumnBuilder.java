package dev.heatline.model;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Collects the values of one resource; equal (node, thread) pairs are summed as they come. */
public final class ColumnBuilder {
    private static final int EMPTY = 0;

    /** With one row to so many nodes, counting the rows of every node takes more than it saves. */
    private static final int FEW = 16;

    private Resource resource;
    private int size;
    private int[] nodes = new int[16];
    private int[] threads = new int[16];
    private long[] values = new long[16];

    /** Open addressing over (node, thread): row + 1, or EMPTY. At most half full. */
    private int[] slots = new int[64];

    /** Null while nobody has said when anything was observed. */
    private @Nullable RowSecondsBuilder seconds;

    ColumnBuilder(Resource resource) {
        this.resource = resource;
    }

    Resource resource() {
        return resource;
    }

    /**
     * Adds to what this node used by itself on this thread. Zero adds nothing.
     *
     * @param thread the consumer id of the thread, or {@link Column#NO_THREAD}
     * @param amount in stored units, not negative
     */
    public void add(int node, int thread, long amount) {
        if (isSomething(amount)) {
            addTo(row(node, thread), amount);
        }
    }

    /**
     * As above, of what was observed in a second.
     *
     * @param second since 1970
     */
    public void add(int node, int thread, long amount, long second) {
        if (isSomething(amount)) {
            int row = row(node, thread);
            addTo(row, amount);
            seconds().add(row, second, amount);
        }
    }

    /**
     * Adds rows of a unit that is coarser by a factor.
     *
     * @param places the rows they may have here, which is faster to see than to look up; then those
     *     that they have
     */
    void addRows(int[] itsNodes, int[] itsThreads, long[] amounts, long factor, int[] places) {
        for (int i = 0; i < itsNodes.length; i++) {
            long amount = scaled(amounts[i], factor);
            if (isSomething(amount)) {
                if (!isAt(places[i], itsNodes[i], itsThreads[i])) {
                    places[i] = row(itsNodes[i], itsThreads[i]);
                }
                addTo(places[i], amount);
            }
        }
    }

    private boolean isAt(int row, int node, int thread) {
        return row < size && nodes[row] == node && threads[row] == thread;
    }

    private RowSecondsBuilder seconds() {
        RowSecondsBuilder known = seconds;
        if (known == null) {
            known = new RowSecondsBuilder();
            seconds = known;
        }
        return known;
    }

    private boolean isSomething(long amount) {
        if (amount <= 0) {
            if (amount < 0) {
                throw new ModelException(
                        "negative value "
                                + amount
                                + " of resource "
                                + resource.name()
                                + ": a profile holds what was used, never less than nothing");
            }
            return false;
        }
        return true;
    }

    private void addTo(int row, long amount) {
        long sum = values[row] + amount;
        if (sum < 0) {
            throw tooLarge();
        }
        values[row] = sum;
    }

    /**
     * Adds the rows of another column of this resource, maybe in a coarser unit.
     *
     * @param tree holds the place of each of its nodes here in place of its first child
     * @param newConsumer the id of each of its consumers here
     */
    void addAll(ColumnBuilder other, GrowingTree tree, int[] newConsumer) {
        long factor = resource.perUnit() / other.resource.perUnit();
        int[] newRow = new int[other.size];
        for (int row = 0; row < other.size; row++) {
            newRow[row] =
                    row(
                            tree.firstChild(other.nodes[row]),
                            ProfileBuilder.mapped(other.threads[row], newConsumer));
            addTo(newRow[row], scaled(other.values[row], factor));
        }
        if (other.seconds != null) {
            seconds().addAll(other.seconds, newRow, factor);
        }
    }

    /**
     * Adds a row of a column of this resource, maybe in a coarser unit, with its seconds.
     *
     * @param thread the consumer id of its thread here
     * @param factor by which this unit is finer
     */
    void addRow(int node, int thread, Column from, int row, long factor) {
        int target = row(node, thread);
        addTo(target, scaled(from.value(row), factor));
        RowSeconds known = from.seconds();
        for (int part = known.start(row); part < known.end(row); part++) {
            seconds().add(target, known.second(part), known.amount(part) * factor);
        }
    }

    private int row(int node, int thread) {
        int mask = slots.length - 1;
        int slot = Hashing.mix(node, thread) & mask;
        while (slots[slot] != EMPTY) {
            int row = slots[slot] - 1;
            if (isAt(row, node, thread)) {
                return row;
            }
            slot = (slot + 1) & mask;
        }
        if (size == nodes.length) {
            grow();
            return row(node, thread);
        }
        nodes[size] = node;
        threads[size] = thread;
        slots[slot] = ++size;
        return size - 1;
    }

    private void grow() {
        int capacity = nodes.length * 2;
        nodes = Arrays.copyOf(nodes, capacity);
        threads = Arrays.copyOf(threads, capacity);
        values = Arrays.copyOf(values, capacity);
        slots = new int[capacity * 4];
        int mask = slots.length - 1;
        for (int row = 0; row < size; row++) {
            int slot = Hashing.mix(nodes[row], threads[row]) & mask;
            while (slots[slot] != EMPTY) {
                slot = (slot + 1) & mask;
            }
            slots[slot] = row + 1;
        }
    }

    /** Makes the stored unit finer, keeping every value. */
    void refine(long perUnit) {
        long factor = perUnit / resource.perUnit();
        for (int row = 0; row < size; row++) {
            values[row] = scaled(values[row], factor);
        }
        if (seconds != null) {
            seconds.multiply(factor);
        }
        resource = resource.withPerUnit(perUnit);
    }

    /** An amount in a unit finer by this factor. */
    long scaled(long amount, long factor) {
        if (Math.multiplyHigh(amount, factor) != 0 || amount * factor < 0) {
            throw tooLarge();
        }
        return amount * factor;
    }

    /**
     * The finished column. Two counting sorts, by thread and then by node, so O(rows + nodes), or
     * O(rows log rows) where those are far fewer than the nodes.
     *
     * @param tree holds the final id of each node in place of its first child
     * @param newConsumer the final id of each consumer
     */
    Column build(GrowingTree tree, int nodeCount, int[] newConsumer, int consumerCount) {
        checkTotal();
        int[] finalNode = new int[size];
        int[] threadKey = new int[size];
        for (int row = 0; row < size; row++) {
            finalNode[row] = tree.firstChild(nodes[row]);
            threadKey[row] = ProfileBuilder.mapped(threads[row], newConsumer) + 1;
        }
        int[] threadStarts = CountingSort.starts(threadKey, size, consumerCount + 1);
        int[] byThread = CountingSort.order(threadKey, size, threadStarts);
        int[] order = byNode(finalNode, nodeCount, byThread);
        int[] sortedNodes = new int[size];
        int[] sortedThreads = new int[size];
        long[] sortedValues = new long[size];
        for (int i = 0; i < size; i++) {
            sortedNodes[i] = finalNode[order[i]];
            sortedThreads[i] = threadKey[order[i]] - 1;
            sortedValues[i] = values[order[i]];
        }
        return new Column(
                resource,
                sortedNodes,
                sortedThreads,
                sortedValues,
                seconds == null ? RowSeconds.NONE : seconds.build(order, sortedValues));
    }

    /** The rows in the order of their nodes, and those of a node in an earlier order. */
    private int[] byNode(int[] finalNode, int nodeCount, int[] earlier) {
        if (size > nodeCount / FEW) {
            int[] starts = CountingSort.starts(finalNode, size, nodeCount);
            return CountingSort.order(finalNode, starts, earlier);
        }
        long[] keys = new long[size];
        for (int i = 0; i < size; i++) {
            keys[i] = (long) finalNode[earlier[i]] << Integer.SIZE | i;
        }
        Arrays.sort(keys);
        int[] order = new int[size];
        for (int i = 0; i < size; i++) {
            order[i] = earlier[(int) keys[i]];
        }
        return order;
    }

    /** Rows, and parts of them that are known by the second. */
    int size() {
        return size + (seconds == null ? 0 : seconds.size());
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Marks the threads that some row belongs to. */
    void markThreads(boolean[] usedConsumer) {
        for (int row = 0; row < size; row++) {
            if (threads[row] != Column.NO_THREAD) {
                usedConsumer[threads[row]] = true;
            }
        }
    }

    /** With every partial sum non-negative and the total in range, no sum of rows can overflow. */
    private void checkTotal() {
        long total = 0;
        for (int row = 0; row < size; row++) {
            total += values[row];
            if (total < 0) {
                throw tooLarge();
            }
        }
    }

    private ModelException tooLarge() {
        return new ModelException(
                "the values of resource " + resource.name() + " add up to more than 2^63-1");
    }
}
