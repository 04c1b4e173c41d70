package dev.heatline.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Grows a calling-context tree from stacks ({@link #stack}) or from complete trees ({@link #child},
 * {@link #addAll}); start and end events come through {@link StartEndEvents}.
 *
 * <p>Not safe for use by several threads; give each its own builder and merge.
 */
public final class ProfileBuilder {
    private static final int NONE = -1;

    private final Map<Consumer, Integer> consumerIds = new HashMap<>();
    private final List<Consumer> consumers = new ArrayList<>();
    private final Map<String, ColumnBuilder> columns = new LinkedHashMap<>();
    private String consumerLabel = ConsumerType.METHOD.label();

    private final FrameTable frames = new FrameTable();
    private GrowingTree tree = new GrowingTree(frame(consumer(Consumer.ROOT), Site.NONE));
    private int truncatedRoot = NONE;

    /** Where the rows that were added last went, which is where those of other columns often go. */
    private int[] places = new int[16];

    private long maxSize = Long.MAX_VALUE;
    private int[] stackFrames = new int[64];

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
        return tree.size();
    }

    /**
     * Nodes, consumers, rows and parts of these that are known by the second so far: what its
     * memory grows with. O(resources).
     */
    public long size() {
        long size = tree.size() + (long) consumers.size();
        for (ColumnBuilder column : columns.values()) {
            size += column.size();
        }
        return size;
    }

    /**
     * Lets {@link #addRows} refuse rows once its size is more than this, for whoever puts together
     * what it does not know the size of.
     */
    public ProfileBuilder maxSize(long most) {
        maxSize = most;
        return this;
    }

    /** The root of the forest of truncated stacks; made when first asked for. */
    public int truncatedRoot() {
        if (truncatedRoot == NONE) {
            truncatedRoot = child(Profile.ROOT, consumer(Consumer.TRUNCATED), Site.NONE);
        }
        return truncatedRoot;
    }

    /**
     * The id of a consumer at a site, for {@link #stack(int, int[], int)}: whoever sees the same
     * frame in many stacks looks it up once.
     */
    public int frame(int consumerId, int site) {
        return frames.of(consumerId, site);
    }

    /** The child of this node with this consumer and site; made if it is not there. O(1). */
    public int child(int parentNode, int consumerId, int siteOfChild) {
        return tree.child(parentNode, frames.of(consumerId, siteOfChild));
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
        makeRoom(depth);
        for (int i = 0; i < depth; i++) {
            stackFrames[i] = frames.of(consumerIds[i], sites[i]);
        }
        return tree.stack(from, stackFrames, depth);
    }

    /**
     * As {@link #stack(int, int[], int[], int)}, for readers that know their frames.
     *
     * @param frameIds as {@link #frame} gave them, innermost first
     */
    public int stack(int from, int[] frameIds, int depth) {
        return tree.stack(from, frameIds, depth);
    }

    /**
     * As {@link #stack(int, int[], int[], int)}, without keeping anything of the chain but what is
     * new in it. O(its length).
     */
    public int stack(int from, CallChain chain) {
        int depth = chain.methods().size();
        makeRoom(depth);
        for (int i = 0; i < depth; i++) {
            int site = Site.of(chain.lines().get(i), FrameKind.UNKNOWN);
            stackFrames[i] = frames.of(consumer(chain.methods().get(i)), site);
        }
        return tree.stack(from, stackFrames, depth);
    }

    /** What was entered below the root as a stack that ends at this node. O(its length). */
    public CallChain chain(int node) {
        List<Consumer> methods = new ArrayList<>();
        List<Integer> lines = new ArrayList<>();
        for (int at = node; at != Profile.ROOT; at = tree.parent(at)) {
            methods.add(consumers.get(frames.consumer(tree.frame(at))));
            lines.add(Site.line(frames.site(tree.frame(at))));
        }
        return new CallChain(methods, lines);
    }

    private void makeRoom(int depth) {
        if (depth > stackFrames.length) {
            stackFrames = new int[Math.max(depth, stackFrames.length * 2)];
        }
    }

    /**
     * Adds all that another builder has collected, and ends that one: it must not be used
     * afterwards. O(its size).
     */
    public void addAll(ProfileBuilder other) {
        int[] newConsumer = new int[other.consumers.size()];
        for (int id = 0; id < newConsumer.length; id++) {
            newConsumer[id] = consumer(other.consumers.get(id));
        }
        int[] newFrame = new int[other.frames.size()];
        for (int frame = 0; frame < newFrame.length; frame++) {
            newFrame[frame] =
                    frame(newConsumer[other.frames.consumer(frame)], other.frames.site(frame));
        }
        GrowingTree from = other.tree;
        from.freeze();
        // A node comes after its parent, so the parent's place here is known when it is needed.
        from.replaceFirstChild(Profile.ROOT, Profile.ROOT);
        for (int node = 1; node < from.size(); node++) {
            int parent = from.firstChild(from.parent(node));
            from.replaceFirstChild(node, tree.child(parent, newFrame[from.frame(node)]));
        }
        for (ColumnBuilder column : other.columns.values()) {
            unified(column.resource()).addAll(column, from, newConsumer);
        }
    }

    /** Adds a whole Profile: its tree and all its columns, but not its provenance. O(its size). */
    public void addAll(Profile profile) {
        addAll(profile, UnaryOperator.identity());
    }

    /** The same with every consumer replaced by an equivalent one. */
    public void addAll(Profile profile, UnaryOperator<Consumer> replacement) {
        int[] newConsumer = adopt(profile, replacement);
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
        return adopt(profile, UnaryOperator.identity());
    }

    /** The same with every consumer replaced by an equivalent one. */
    int[] adopt(Profile profile, UnaryOperator<Consumer> replacement) {
        int[] newConsumer = new int[profile.consumerCount()];
        for (int id = 0; id < newConsumer.length; id++) {
            newConsumer[id] = consumer(replacement.apply(profile.consumerAt(id)));
        }
        return newConsumer;
    }

    /** The consumers so far. */
    List<Consumer> consumers() {
        return consumers;
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
                target.addRow(node, mapped(column.thread(row), newConsumer), column, row, factor);
            }
        }
    }

    /**
     * Adds rows that hold ids of this builder, for readers that translate them by themselves and do
     * not know when they were observed.
     *
     * @param resource what the rows measure; its unit may be coarser or finer than what is known
     * @param nodes of the rows; likewise {@code threads} and {@code values}
     * @throws ModelException if there are more nodes and rows already than there may be
     */
    public void addRows(Resource resource, int[] nodes, int[] threads, long[] values) {
        if (size() > maxSize) {
            throw new ModelException(
                    "more than " + maxSize + " calling contexts and values in one profile");
        }
        if (places.length < nodes.length) {
            places = new int[Math.max(nodes.length, 2 * places.length)];
        }
        ColumnBuilder target = unified(resource);
        long factor = target.resource().perUnit() / resource.perUnit();
        target.addRows(nodes, threads, values, factor, places);
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

    static ModelException conflict(Resource known, Resource other) {
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

    /**
     * The finished Profile. Ends this builder: it must not be used afterwards. O(nodes + rows) plus
     * sorting the consumers and each node's children. Needs 8 bytes per node besides what the
     * builder and the Profile hold.
     */
    public Profile build(Provenance provenance) {
        tree.freeze();
        int[] newConsumer = sortConsumers();
        int nodes = tree.size();
        int[] newParent = new int[nodes];
        int[] newFrame = new int[nodes];
        new TreeOrder(tree, frames.ranks(newConsumer)).number(newParent, newFrame);
        List<Column> built = new ArrayList<>();
        for (ColumnBuilder column : columns.values()) {
            if (!column.isEmpty()) {
                built.add(column.build(tree, nodes, newConsumer, consumers.size()));
            }
        }
        built.sort(Comparator.comparing(Column::resource));
        tree = new GrowingTree(0);
        int[] newSite = new int[nodes];
        for (int node = 0; node < nodes; node++) {
            int frame = newFrame[node];
            newSite[node] = frames.site(frame);
            newFrame[node] = newConsumer[frames.consumer(frame)];
        }
        return new Profile(
                consumerLabel,
                provenance,
                consumers.toArray(Consumer[]::new),
                newParent,
                newFrame,
                newSite,
                built);
    }

    /** Sorts the consumers in use and forgets the others; returns the new id of each old one. */
    private int[] sortConsumers() {
        boolean[] used = new boolean[consumers.size()];
        boolean[] usedFrame = new boolean[frames.size()];
        for (int node = 0; node < tree.size(); node++) {
            usedFrame[tree.frame(node)] = true;
        }
        for (int frame = 0; frame < usedFrame.length; frame++) {
            used[frames.consumer(frame)] |= usedFrame[frame];
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
}
