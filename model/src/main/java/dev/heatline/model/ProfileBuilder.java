package dev.heatline.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Grows a calling-context tree from stacks ({@link #stack}) or from complete trees ({@link #child},
 * {@link #addAll}); start and end events come through {@link StartEndEvents}.
 *
 * <p>A node is five ints in paged columns. Its first child is linked directly, only further
 * children are entered in a hash index: long unshared tails of stacks, which make up most of a
 * large tree, cost no hashing and no slots. Not safe for use by several threads; give each its own
 * builder and merge.
 */
public final class ProfileBuilder {
    private static final int NONE = -1;
    private static final int EMPTY = 0;

    private final Map<Consumer, Integer> consumerIds = new HashMap<>();
    private final List<Consumer> consumers = new ArrayList<>();
    private final Map<String, ColumnBuilder> columns = new LinkedHashMap<>();
    private String consumerLabel = ConsumerType.METHOD.label();

    private final Ints parent = new Ints();
    private final Ints consumer = new Ints();
    private final Ints site = new Ints();
    private final Ints firstChild = new Ints();
    private final Ints nextSibling = new Ints();

    /**
     * Open addressing over (parent, consumer, site) of all but first children; at most half full.
     */
    private int[] slots = new int[1 << 10];

    private int indexed;
    private int truncatedRoot = NONE;

    public ProfileBuilder() {
        newNode(Profile.NO_NODE, consumer(Consumer.ROOT), Site.NONE);
    }

    /** What consumers are called; {@code method} unless told otherwise. */
    public ProfileBuilder consumerLabel(String label) {
        consumerLabel = label;
        return this;
    }

    /** The id of this consumer, the same for equal consumers. */
    public int consumer(Consumer value) {
        Integer id = consumerIds.putIfAbsent(value, consumers.size());
        if (id != null) {
            return id;
        }
        consumers.add(value);
        return consumers.size() - 1;
    }

    /**
     * The column of this resource. All uses of a name must agree on what it means.
     *
     * @throws ModelException if the name is taken by a resource of another unit
     */
    public ColumnBuilder column(Resource resource) {
        ColumnBuilder column =
                columns.computeIfAbsent(resource.name(), _ -> new ColumnBuilder(resource));
        if (!column.resource().equals(resource)) {
            throw conflict(column.resource(), resource);
        }
        return column;
    }

    /** The number of nodes so far, the root included. */
    public int nodeCount() {
        return parent.size();
    }

    /** The root of the forest of truncated stacks; made when first asked for. */
    public int truncatedRoot() {
        if (truncatedRoot == NONE) {
            truncatedRoot = child(Profile.ROOT, consumer(Consumer.TRUNCATED), Site.NONE);
        }
        return truncatedRoot;
    }

    /** The child of this node with this consumer and site; made if it is not there. O(1). */
    public int child(int parentNode, int consumerId, int siteOfChild) {
        int first = firstChild.get(parentNode);
        if (first == NONE) {
            int node = newNode(parentNode, consumerId, siteOfChild);
            firstChild.set(parentNode, node);
            return node;
        }
        if (consumer.get(first) == consumerId && site.get(first) == siteOfChild) {
            return first;
        }
        int mask = slots.length - 1;
        int slot = Hashing.mix(parentNode, consumerId, siteOfChild) & mask;
        while (slots[slot] != EMPTY) {
            int node = slots[slot];
            if (parent.get(node) == parentNode
                    && consumer.get(node) == consumerId
                    && site.get(node) == siteOfChild) {
                return node;
            }
            slot = (slot + 1) & mask;
        }
        int node = newNode(parentNode, consumerId, siteOfChild);
        nextSibling.set(node, nextSibling.get(first));
        nextSibling.set(first, node);
        slots[slot] = node;
        if (++indexed * 2 > slots.length) {
            growIndex();
        }
        return node;
    }

    /**
     * Enters a stack below a node and returns the node of its innermost frame.
     *
     * @param from {@link Profile#ROOT}, or {@link #truncatedRoot()} for a stack cut off outside
     * @param consumerIds of the frames, innermost first as JVMs record them
     * @param sites of the frames, likewise
     * @param depth how many entries of the arrays are frames
     */
    public int stack(int from, int[] consumerIds, int[] sites, int depth) {
        int node = from;
        int frame = depth - 1;
        int known = parent.size();
        while (frame >= 0 && node < known) {
            node = child(node, consumerIds[frame], sites[frame]);
            frame--;
        }
        // Below a new node everything is new: no need to look for it.
        for (; frame >= 0; frame--) {
            int next = newNode(node, consumerIds[frame], sites[frame]);
            firstChild.set(node, next);
            node = next;
        }
        return node;
    }

    /** Adds a whole Profile: its tree and all its columns, but not its provenance. O(its size). */
    public void addAll(Profile profile) {
        int[] newConsumer = adopt(profile);
        int[] newNode = new int[profile.nodeCount()];
        for (int node = 1; node < newNode.length; node++) {
            newNode[node] =
                    child(
                            newNode[profile.parent(node)],
                            newConsumer[profile.consumer(node)],
                            profile.site(node));
        }
        for (Column column : profile.columns()) {
            addColumn(column.resource(), column, newNode, newConsumer);
        }
    }

    /** Enters all consumers of a Profile; returns their ids here. */
    int[] adopt(Profile profile) {
        int[] newConsumer = new int[profile.consumerCount()];
        for (int id = 0; id < newConsumer.length; id++) {
            newConsumer[id] = consumer(profile.consumerAt(id));
        }
        return newConsumer;
    }

    /**
     * Adds the rows of a column whose nodes and consumers have other ids here.
     *
     * @param resource what the rows measure here, in the column's unit
     * @param newNode where each node went; rows of nodes that went to a negative place are left out
     */
    void addColumn(Resource resource, Column column, int[] newNode, int[] newConsumer) {
        ColumnBuilder target = unified(resource);
        long factor = target.resource().perUnit() / resource.perUnit();
        for (int row = 0; row < column.rows(); row++) {
            int node = newNode[column.node(row)];
            if (node >= 0) {
                int thread = mapped(column.thread(row), newConsumer);
                target.add(node, thread, target.scaled(column.value(row), factor));
            }
        }
    }

    /** The id of a row's thread here; no thread stays no thread. */
    static int mapped(int thread, int[] newConsumer) {
        return thread == Column.NO_THREAD ? Column.NO_THREAD : newConsumer[thread];
    }

    /** The column of this name in the finer of both units. */
    ColumnBuilder unified(Resource resource) {
        ColumnBuilder column =
                columns.computeIfAbsent(resource.name(), _ -> new ColumnBuilder(resource));
        Resource known = column.resource();
        if (!known.withPerUnit(resource.perUnit()).equals(resource)) {
            throw conflict(known, resource);
        }
        if (known.perUnit() < resource.perUnit()) {
            column.refine(resource.perUnit());
        }
        return column;
    }

    private static ModelException conflict(Resource known, Resource other) {
        return new ModelException(
                "resource "
                        + known.name()
                        + " means "
                        + known.unit()
                        + " (occurrences: "
                        + known.occurrences()
                        + ") in one place and "
                        + other.unit()
                        + " (occurrences: "
                        + other.occurrences()
                        + ") in another: such profiles cannot be put together");
    }

    private int newNode(int parentNode, int consumerId, int siteOfNode) {
        int node = parent.size();
        parent.add(parentNode);
        consumer.add(consumerId);
        site.add(siteOfNode);
        firstChild.add(NONE);
        nextSibling.add(NONE);
        return node;
    }

    private void growIndex() {
        int[] old = slots;
        slots = new int[old.length * 2];
        int mask = slots.length - 1;
        for (int node : old) {
            if (node != EMPTY) {
                int slot = Hashing.mix(parent.get(node), consumer.get(node), site.get(node)) & mask;
                while (slots[slot] != EMPTY) {
                    slot = (slot + 1) & mask;
                }
                slots[slot] = node;
            }
        }
    }

    /**
     * The finished Profile. Ends this builder: it must not be used afterwards. O(nodes + rows) plus
     * sorting the consumers and each node's children.
     */
    public Profile build(Provenance provenance) {
        slots = new int[0];
        int[] newConsumer = sortConsumers();
        int nodes = parent.size();
        int[] newParent = new int[nodes];
        int[] newConsumerOf = new int[nodes];
        int[] newSite = new int[nodes];
        ChildOrder order = new ChildOrder(newConsumer);
        order.push(Profile.ROOT, Profile.NO_NODE);
        for (int node = 0; node < nodes; node++) {
            int old = order.pop();
            newParent[node] = order.poppedParent;
            newConsumerOf[node] = newConsumer[consumer.get(old)];
            newSite[node] = site.get(old);
            order.pushChildren(old, node);
            // From here on the link is not needed, and its place can hold the node's final id.
            firstChild.set(old, node);
        }
        List<Column> built = new ArrayList<>();
        for (ColumnBuilder column : columns.values()) {
            if (!column.isEmpty()) {
                built.add(column.build(firstChild, nodes, newConsumer, consumers.size()));
            }
        }
        built.sort(Comparator.comparing(Column::resource));
        return new Profile(
                consumerLabel,
                provenance,
                consumers.toArray(Consumer[]::new),
                newParent,
                newConsumerOf,
                newSite,
                built);
    }

    /** Sorts the consumers in use and forgets the others; returns the new id of each old one. */
    private int[] sortConsumers() {
        boolean[] used = new boolean[consumers.size()];
        for (int node = 0; node < consumer.size(); node++) {
            used[consumer.get(node)] = true;
        }
        columns.values().forEach(column -> column.markThreads(used));
        List<Integer> order = new ArrayList<>();
        for (int id = 0; id < used.length; id++) {
            if (used[id]) {
                order.add(id);
            }
        }
        order.sort(Comparator.comparing(consumers::get));
        int[] newConsumer = new int[used.length];
        List<Consumer> inUse = new ArrayList<>();
        for (int id : order) {
            newConsumer[id] = inUse.size();
            inUse.add(consumers.get(id));
        }
        consumers.clear();
        consumers.addAll(inUse);
        return newConsumer;
    }

    /** The nodes still to be numbered, in the order of a preorder walk with sorted children. */
    private final class ChildOrder {
        private final int[] newConsumer;
        private int[] pending = new int[256];
        private int[] pendingParent = new int[256];
        private int size;
        private int poppedParent;
        private int[] children = new int[64];
        private long[] keys = new long[64];

        ChildOrder(int[] newConsumer) {
            this.newConsumer = newConsumer;
        }

        void push(int node, int newParent) {
            if (size == pending.length) {
                pending = Arrays.copyOf(pending, size * 2);
                pendingParent = Arrays.copyOf(pendingParent, size * 2);
            }
            pending[size] = node;
            pendingParent[size++] = newParent;
        }

        int pop() {
            poppedParent = pendingParent[--size];
            return pending[size];
        }

        /** Pushes the children of a node, last one first, so that they are popped in order. */
        void pushChildren(int node, int newParent) {
            int first = firstChild.get(node);
            if (first == NONE) {
                return;
            }
            if (nextSibling.get(first) == NONE) {
                push(first, newParent);
                return;
            }
            int count = collectChildren(first);
            sort(0, count, true);
            sortSitesWithinConsumers(count);
            for (int i = count - 1; i >= 0; i--) {
                push(children[i], newParent);
            }
        }

        private int collectChildren(int first) {
            int count = 0;
            for (int child = first; child != NONE; child = nextSibling.get(child)) {
                if (count == children.length) {
                    children = Arrays.copyOf(children, count * 2);
                    keys = new long[count * 2];
                }
                children[count++] = child;
            }
            return count;
        }

        private void sortSitesWithinConsumers(int count) {
            int start = 0;
            for (int i = 1; i <= count; i++) {
                if (i == count || consumer.get(children[i]) != consumer.get(children[start])) {
                    if (i - start > 1) {
                        sort(start, i, false);
                    }
                    start = i;
                }
            }
        }

        /** Sorts a range by consumer or by site: the node id rides along in the lower half. */
        private void sort(int from, int to, boolean byConsumer) {
            for (int i = from; i < to; i++) {
                int node = children[i];
                long key = byConsumer ? newConsumer[consumer.get(node)] : site.get(node);
                keys[i] = key << 32 | node;
            }
            Arrays.sort(keys, from, to);
            for (int i = from; i < to; i++) {
                children[i] = (int) keys[i];
            }
        }
    }
}
