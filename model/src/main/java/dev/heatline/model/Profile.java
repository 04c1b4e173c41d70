package dev.heatline.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A calling-context tree over typed consumers, with columns of resources and its provenance.
 *
 * <p>Nodes are numbered in preorder, so a node's subtree is the range from the node to {@link
 * #end(int)}, its first child is the node after it, and an analysis is a loop over arrays. Siblings
 * are ordered by consumer and site and consumers are sorted, which makes equal Profiles equal in
 * every array, however and in whatever order they were built.
 *
 * <p>Node 0 is the root. Stacks whose outer end was cut off form a forest of their own under the
 * consumer {@link Consumer#TRUNCATED}, a child of the root.
 *
 * <p>Immutable. The structure takes 16 bytes per node, a row of a column 16 bytes.
 */
public final class Profile {

    /** The id of the root node. */
    public static final int ROOT = 0;

    /** No such node. */
    public static final int NO_NODE = -1;

    /** What is meant when nobody names a resource: the first of these that there is. */
    public static final List<String> MAIN_RESOURCES = List.of("cpu-time", "cpu", "wall", "samples");

    /** Times in which threads without work are most of the time: they do not say who is slow. */
    private static final Set<String> IDLING = Set.of("waited", "parked", "slept");

    private final String consumerLabel;
    private final Provenance provenance;
    private final Consumer[] consumers;
    private final int[] parent;
    private final int[] consumer;
    private final int[] site;
    private final int[] end;
    private final List<Column> columns;

    /** Takes ownership of the arrays, which must be in the order described above. */
    Profile(
            String consumerLabel,
            Provenance provenance,
            Consumer[] consumers,
            int[] parent,
            int[] consumer,
            int[] site,
            List<Column> columns) {
        this.consumerLabel = consumerLabel;
        this.provenance = provenance;
        this.consumers = consumers;
        this.parent = parent;
        this.consumer = consumer;
        this.site = site;
        this.end = subtreeEnds(parent);
        this.columns = List.copyOf(columns);
    }

    /** The same in everything but the provenance. */
    private Profile(Profile other, Provenance provenance) {
        this.consumerLabel = other.consumerLabel;
        this.provenance = provenance;
        this.consumers = other.consumers;
        this.parent = other.parent;
        this.consumer = other.consumer;
        this.site = other.site;
        this.end = other.end;
        this.columns = other.columns;
    }

    /**
     * A Profile of columns that are already in order, for readers of files. Takes ownership of the
     * arrays. O(nodes + rows + consumers).
     *
     * @throws ModelException if they are not what {@link ProfileBuilder#build} would have made of
     *     the same content; says where
     */
    public static Profile fromColumns(
            String consumerLabel,
            Provenance provenance,
            Consumer[] consumers,
            int[] parent,
            int[] consumer,
            int[] site,
            List<Column> columns) {
        TreeCheck.check(consumers, parent, consumer, site, columns);
        return new Profile(consumerLabel, provenance, consumers, parent, consumer, site, columns);
    }

    private static int[] subtreeEnds(int[] parent) {
        int[] end = new int[parent.length];
        for (int node = parent.length - 1; node > 0; node--) {
            end[node] = Math.max(end[node], node + 1);
            end[parent[node]] = Math.max(end[parent[node]], end[node]);
        }
        end[ROOT] = parent.length;
        return end;
    }

    /** What a consumer of this Profile is called, such as {@code method}. */
    public String consumerLabel() {
        return consumerLabel;
    }

    public Provenance provenance() {
        return provenance;
    }

    public int nodeCount() {
        return parent.length;
    }

    /** The caller's node; {@link #NO_NODE} for the root. */
    public int parent(int node) {
        return parent[node];
    }

    /** The id of the node's consumer. */
    public int consumer(int node) {
        return consumer[node];
    }

    /** Line and frame kind, packed; see {@link Site}. */
    public int site(int node) {
        return site[node];
    }

    /** One past the last node of this node's subtree. Children: {@code node+1}, then by end. */
    public int end(int node) {
        return end[node];
    }

    public int consumerCount() {
        return consumers.length;
    }

    public Consumer consumerAt(int id) {
        return consumers[id];
    }

    public Consumer consumerOf(int node) {
        return consumers[consumer[node]];
    }

    /** The id of an equal consumer, or -1. O(log consumers). */
    public int idOf(Consumer wanted) {
        return Math.max(-1, Arrays.binarySearch(consumers, wanted));
    }

    /** All columns, ordered by resource name. */
    public List<Column> columns() {
        return columns;
    }

    /**
     * The number, from 1, of an earlier column with values of the same nodes and threads, whose
     * rows need not be written again; 0 if there is none.
     */
    public int columnWithSameRows(int index) {
        for (int i = 0; i < index; i++) {
            if (columns.get(i).hasSameRows(columns.get(index))) {
                return i + 1;
            }
        }
        return 0;
    }

    public Optional<Column> column(String resourceName) {
        return columns.stream().filter(c -> c.resource().name().equals(resourceName)).findFirst();
    }

    /**
     * The column that is meant when nobody names one: CPU, wall-clock time or samples; else the
     * largest time, but one for which threads may have idled only where there is no other; else the
     * first that is more than a count of occurrences. Empty only when nothing was recorded.
     */
    public Optional<Column> mainColumn() {
        return mainColumn(_ -> true);
    }

    /** As above, of those resources that qualify. */
    public Optional<Column> mainColumn(Predicate<Resource> qualifies) {
        List<Column> eligible =
                columns.stream()
                        .filter(c -> qualifies.test(c.resource()))
                        .filter(c -> !c.resource().equals(Resource.COUNTED_ONLY))
                        .toList();
        return MAIN_RESOURCES.stream()
                .flatMap(name -> column(name).stream())
                .filter(c -> qualifies.test(c.resource()))
                .findFirst()
                .or(() -> largestTime(eligible))
                .or(() -> eligible.stream().filter(c -> !c.resource().isOccurrences()).findFirst())
                .or(() -> eligible.stream().findFirst());
    }

    private static Optional<Column> largestTime(List<Column> columns) {
        return columns.stream()
                .filter(c -> c.resource().kind() == Resource.Kind.TIME)
                .max(
                        Comparator.comparing(Profile::isWorkOrBlocked)
                                .thenComparingDouble(c -> c.resource().inUnits(c.total())));
    }

    private static boolean isWorkOrBlocked(Column time) {
        return !IDLING.contains(time.resource().name());
    }

    /**
     * The column of a resource that somebody asked for by name.
     *
     * @throws ModelException if there is none; names those that exist
     */
    public Column requireColumn(String resourceName) {
        return column(resourceName).orElseThrow(() -> noResource(resourceName));
    }

    private ModelException noResource(String resourceName) {
        List<String> names = columns.stream().map(column -> column.resource().name()).toList();
        return new ModelException(
                "the profile has no resource "
                        + resourceName
                        + "; it has "
                        + (names.isEmpty() ? "none" : String.join(", ", names)));
    }

    /** The column that counts how often {@code resource} was observed, if it was recorded. */
    public Optional<Column> occurrences(Resource resource) {
        return column(resource.occurrences());
    }

    /** How many observations its main column is made of: what is meant by its samples. */
    public long samples() {
        return mainColumn()
                .flatMap(main -> occurrences(main.resource()))
                .map(Column::total)
                .orElse(0L);
    }

    /** The ids of all threads that some row belongs to, in consumer order. */
    public int[] threads() {
        boolean[] seen = new boolean[consumers.length];
        for (Column column : columns) {
            for (int row = 0; row < column.rows(); row++) {
                if (column.thread(row) != Column.NO_THREAD) {
                    seen[column.thread(row)] = true;
                }
            }
        }
        List<Integer> ids = new ArrayList<>();
        for (int id = 0; id < seen.length; id++) {
            if (seen[id]) {
                ids.add(id);
            }
        }
        return ids.stream().mapToInt(Integer::intValue).toArray();
    }

    /** The root of the forest of truncated stacks, or {@link #NO_NODE}. */
    public int truncatedRoot() {
        int truncated = idOf(Consumer.TRUNCATED);
        if (truncated >= 0) {
            for (int child = ROOT + 1; child < nodeCount(); child = end[child]) {
                if (consumer[child] == truncated) {
                    return child;
                }
            }
        }
        return NO_NODE;
    }

    /**
     * Sums over subtrees: adds every node's value to all its ancestors (000 eq. 3.1, 3.2). Works in
     * place and returns its argument. O(nodes).
     */
    public long[] inclusive(long[] self) {
        for (int node = parent.length - 1; node > 0; node--) {
            self[parent[node]] += self[node];
        }
        return self;
    }

    /** The consumers from the outermost frame to this node, without the root. */
    public List<Consumer> path(int node) {
        ArrayList<Consumer> path = new ArrayList<>();
        for (int at = node; at > ROOT; at = parent[at]) {
            path.add(consumerOf(at));
        }
        return path.reversed();
    }

    /** The same tree and values, said to come from somewhere else. */
    public Profile withProvenance(Provenance other) {
        return new Profile(this, other);
    }

    /** Equal in content, provenance included. O(nodes + rows). */
    @Override
    public boolean equals(Object other) {
        return other instanceof Profile that
                && consumerLabel.equals(that.consumerLabel)
                && provenance.equals(that.provenance)
                && Arrays.equals(consumers, that.consumers)
                && Arrays.equals(parent, that.parent)
                && Arrays.equals(consumer, that.consumer)
                && Arrays.equals(site, that.site)
                && columns.equals(that.columns);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(consumers) * 31 + Arrays.hashCode(parent);
    }

    @Override
    public String toString() {
        return "Profile["
                + nodeCount()
                + " nodes, "
                + consumerCount()
                + " consumers, "
                + columns
                + "]";
    }
}
