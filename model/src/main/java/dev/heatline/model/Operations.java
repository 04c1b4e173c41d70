package dev.heatline.model;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Profiles from Profiles. Every operation is linear in the size of the trees it reads and makes,
 * keeps all columns and threads unless it says otherwise, and leaves its arguments as they are.
 */
public final class Operations {

    /** What the columns of the earlier Profile end in after {@link #compare}. */
    public static final String BASELINE = "@baseline";

    /** What consumers are called where Profiles with different names for them were merged. */
    public static final String MIXED_CONSUMERS = "consumer";

    private static final int DROPPED = -1;

    private Operations() {}

    /** All of them in one. Commutative and associative: the order makes no difference. */
    public static Profile merge(Collection<Profile> profiles) {
        ProfileBuilder builder = new ProfileBuilder();
        Provenance provenance = Provenance.NONE;
        for (Profile profile : profiles) {
            builder.addAll(profile);
            Provenance part = profile.provenance();
            provenance = provenance.merge(part.tellingUntimedLocks(part.counts().keySet()));
        }
        label(builder, profiles);
        return builder.build(provenance);
    }

    /** Calls the consumers of all of them together what they are called in each, if that is one. */
    static void label(ProfileBuilder builder, Collection<Profile> profiles) {
        List<String> labels = profiles.stream().map(Profile::consumerLabel).distinct().toList();
        if (!labels.isEmpty()) {
            builder.consumerLabel(labels.size() == 1 ? labels.getFirst() : MIXED_CONSUMERS);
        }
    }

    /**
     * Both in one tree, side by side: the columns of {@code current} keep their names, those of
     * {@code baseline} get {@link #BASELINE} after theirs.
     */
    public static Profile compare(Profile baseline, Profile current) {
        return merge(
                List.of(inUnitsOf(current, baseline, ""), inUnitsOf(baseline, current, BASELINE)));
    }

    /** The same with a suffix to resource names, in units as fine as those of the other Profile. */
    private static Profile inUnitsOf(Profile profile, Profile other, String suffix) {
        ProfileBuilder builder = new ProfileBuilder().consumerLabel(profile.consumerLabel());
        int[] newConsumer = builder.adopt(profile);
        int[] newNode = copyTree(profile, builder, newConsumer, site -> site);
        for (Column column : profile.columns()) {
            Resource resource = column.resource();
            Resource renamed =
                    new Resource(
                            resource.name() + suffix,
                            resource.unit(),
                            resource.kind(),
                            resource.perUnit(),
                            resource.occurrences() + suffix);
            other.column(resource.name())
                    .map(Column::resource)
                    .map(theirs -> sameUnit(resource, theirs))
                    .ifPresent(theirs -> builder.unified(renamed.withPerUnit(theirs.perUnit())));
            builder.addColumn(renamed, column, newNode, newConsumer);
        }
        return builder.build(profile.provenance());
    }

    private static Resource sameUnit(Resource ours, Resource theirs) {
        if (!ours.unit().equals(theirs.unit()) || ours.kind() != theirs.kind()) {
            throw ProfileBuilder.conflict(ours, theirs);
        }
        return theirs;
    }

    /** Every value times a factor, rounded to the nearest stored unit, and of no known second. */
    public static Profile scale(Profile profile, double factor) {
        if (!(factor >= 0) || Double.isInfinite(factor)) {
            throw new ModelException("a profile cannot be scaled by " + factor);
        }
        ProfileBuilder builder = new ProfileBuilder().consumerLabel(profile.consumerLabel());
        int[] newConsumer = builder.adopt(profile);
        int[] newNode = copyTree(profile, builder, newConsumer, site -> site);
        for (Column column : profile.columns()) {
            ColumnBuilder scaled = builder.column(column.resource());
            for (int row = 0; row < column.rows(); row++) {
                scaled.add(
                        newNode[column.node(row)],
                        ProfileBuilder.mapped(column.thread(row), newConsumer),
                        Math.round(column.value(row) * factor));
            }
        }
        return builder.build(profile.provenance());
    }

    /** Only the columns that are wanted; the tree stays whole. */
    public static Profile selectResources(Profile profile, Predicate<Resource> wanted) {
        ProfileBuilder builder = new ProfileBuilder().consumerLabel(profile.consumerLabel());
        int[] newConsumer = builder.adopt(profile);
        int[] newNode = copyTree(profile, builder, newConsumer, site -> site);
        for (Column column : profile.columns()) {
            if (wanted.test(column.resource())) {
                builder.addColumn(column.resource(), column, newNode, newConsumer);
            }
        }
        return builder.build(profile.provenance());
    }

    /** Nodes that differ only in their line become one. */
    public static Profile foldLines(Profile profile) {
        return withSites(profile, Site::withoutLine);
    }

    /** Nodes that differ only in their frame kind become one. */
    public static Profile foldKinds(Profile profile) {
        return withSites(profile, Site::withoutKind);
    }

    /** Nodes that differ only in line or frame kind become one: a tree of consumers alone. */
    public static Profile foldSites(Profile profile) {
        return withSites(profile, _ -> Site.NONE);
    }

    private static Profile withSites(Profile profile, IntUnaryOperator newSite) {
        ProfileBuilder builder = new ProfileBuilder().consumerLabel(profile.consumerLabel());
        int[] newConsumer = builder.adopt(profile);
        return finish(
                profile, builder, copyTree(profile, builder, newConsumer, newSite), newConsumer);
    }

    private static int[] copyTree(
            Profile profile, ProfileBuilder builder, int[] newConsumer, IntUnaryOperator newSite) {
        int[] newNode = new int[profile.nodeCount()];
        for (int node = 1; node < newNode.length; node++) {
            newNode[node] =
                    builder.child(
                            newNode[profile.parent(node)],
                            newConsumer[profile.consumer(node)],
                            newSite.applyAsInt(profile.site(node)));
        }
        return newNode;
    }

    /** Every consumer replaced by an equivalent one; nodes that become equal become one. */
    public static Profile mapConsumers(Profile profile, UnaryOperator<Consumer> replacement) {
        boolean same =
                IntStream.range(0, profile.consumerCount())
                        .mapToObj(profile::consumerAt)
                        .allMatch(consumer -> replacement.apply(consumer).equals(consumer));
        if (same) {
            return profile;
        }
        ProfileBuilder builder = new ProfileBuilder().consumerLabel(profile.consumerLabel());
        builder.addAll(profile, replacement);
        return builder.build(profile.provenance());
    }

    /** How fine a tree is. */
    public enum Grouping {
        /** Methods apart by the line that calls on, frame kinds folded. */
        CALL_SITE,
        METHOD,
        CLASS,
        PACKAGE
    }

    /**
     * The same tree at another grain. Where methods become their class or package, calls within one
     * class or package are no calls any more, and lines go, since they belong to methods.
     */
    public static Profile regroup(Profile profile, Grouping grouping) {
        return switch (grouping) {
            case CALL_SITE -> foldKinds(profile);
            case METHOD -> foldSites(profile);
            case CLASS -> regroup(profile, ConsumerType.CLASS);
            case PACKAGE -> regroup(profile, ConsumerType.PACKAGE);
        };
    }

    private static Profile regroup(Profile profile, ConsumerType type) {
        ProfileBuilder builder = new ProfileBuilder().consumerLabel(type.label());
        int[] newConsumer = builder.adopt(profile, consumer -> grouped(consumer, type));
        int[] newNode = new int[profile.nodeCount()];
        for (int node = 1; node < newNode.length; node++) {
            int parent = profile.parent(node);
            boolean sameGroup =
                    newConsumer[profile.consumer(node)] == newConsumer[profile.consumer(parent)];
            newNode[node] =
                    sameGroup
                            ? newNode[parent]
                            : builder.child(
                                    newNode[parent],
                                    newConsumer[profile.consumer(node)],
                                    Site.NONE);
        }
        return finish(profile, builder, newNode, newConsumer);
    }

    private static Consumer grouped(Consumer consumer, ConsumerType type) {
        if (!consumer.isMethod()) {
            return consumer;
        }
        if (consumer.owner().isEmpty()) {
            return Consumer.label("[native code]");
        }
        String name = type == ConsumerType.CLASS ? consumer.owner() : consumer.packageName();
        return new Consumer(type, "", name.isEmpty() ? "(default package)" : name, "");
    }

    /** Only what lies at or below a method that is wanted; its outermost nodes become roots. */
    public static Profile focus(Profile profile, Predicate<Consumer> wanted) {
        boolean[] begins = new boolean[profile.consumerCount()];
        for (int consumer = 0; consumer < begins.length; consumer++) {
            begins[consumer] = wanted.test(profile.consumerAt(consumer));
        }
        return focus(profile, Tasks.belowAny(profile, begins));
    }

    /** Only the selected nodes; those whose parent is not selected become roots (eq. 3.24). */
    public static Profile focus(Profile profile, boolean[] selected) {
        ProfileBuilder builder = new ProfileBuilder().consumerLabel(profile.consumerLabel());
        int[] newConsumer = builder.adopt(profile);
        int[] newNode = new int[profile.nodeCount()];
        newNode[Profile.ROOT] = selected[Profile.ROOT] ? Profile.ROOT : DROPPED;
        for (int node = 1; node < newNode.length; node++) {
            newNode[node] =
                    selected[node]
                            ? builder.child(
                                    Math.max(Profile.ROOT, newNode[profile.parent(node)]),
                                    newConsumer[profile.consumer(node)],
                                    profile.site(node))
                            : DROPPED;
        }
        return finish(profile, builder, newNode, newConsumer);
    }

    /**
     * Without the branches that used less than a share of the total: what they used is kept where
     * they stood, below a node {@link Consumer#PRUNED}, by the consumer that used it itself. Every
     * other value stays as it was, and so does the base of every consumer.
     *
     * @param resourceName which column decides
     * @param minimumShare 0.01 removes what has less than one percent of the column's total
     */
    public static Profile prune(Profile profile, String resourceName, double minimumShare) {
        Column column = profile.requireColumn(resourceName);
        long[] cum = profile.inclusive(column.self(profile.nodeCount()));
        double minimum = column.total() * minimumShare;
        boolean[] kept = new boolean[cum.length];
        for (int node = 0; node < kept.length; node++) {
            kept[node] = node == Profile.ROOT || cum[node] >= minimum;
        }
        return keep(profile, kept);
    }

    /**
     * Only the nodes that are kept. What the others used stays where they stood, below a node
     * {@link Consumer#PRUNED}, by the consumer that used it itself.
     *
     * @param kept for each node whether it stays; the parent of a node that stays must stay
     */
    public static Profile keep(Profile profile, boolean[] kept) {
        return keep(profile, kept, true);
    }

    /**
     * As above.
     *
     * @param byConsumer whether what was folded is kept apart by the consumer that used it
     */
    static Profile keep(Profile profile, boolean[] kept, boolean byConsumer) {
        ProfileBuilder builder = new ProfileBuilder().consumerLabel(profile.consumerLabel());
        int[] newConsumer = builder.adopt(profile);
        int pruned = builder.consumer(Consumer.PRUNED);
        boolean[] used = nodesWithValues(profile);
        int[] place = new int[profile.nodeCount()];
        int[] newNode = new int[profile.nodeCount()];
        for (int node = 1; node < newNode.length; node++) {
            int parent = profile.parent(node);
            int consumer = newConsumer[profile.consumer(node)];
            if (kept[node]) {
                place[node] = builder.child(place[parent], consumer, profile.site(node));
                newNode[node] = place[node];
            } else {
                place[node] =
                        kept[parent]
                                ? builder.child(place[parent], pruned, Site.NONE)
                                : place[parent];
                newNode[node] =
                        byConsumer && used[node] && consumer != pruned
                                ? builder.child(place[node], consumer, Site.NONE)
                                : place[node];
            }
        }
        return finish(profile, builder, newNode, newConsumer);
    }

    private static boolean[] nodesWithValues(Profile profile) {
        boolean[] used = new boolean[profile.nodeCount()];
        for (Column column : profile.columns()) {
            for (int row = 0; row < column.rows(); row++) {
                used[column.node(row)] = true;
            }
        }
        return used;
    }

    /**
     * Only what these threads used; nodes they never reached are gone.
     *
     * @param wanted tests the id of a thread's consumer, or {@link Column#NO_THREAD}
     */
    public static Profile selectThreads(Profile profile, IntPredicate wanted) {
        return copyPerThread(profile, wanted, false);
    }

    /** Every thread with a tree of its own: threads become the outermost consumers. */
    public static Profile byThread(Profile profile) {
        return copyPerThread(profile, _ -> true, true);
    }

    private static Profile copyPerThread(
            Profile profile, IntPredicate wanted, boolean threadsAsRoots) {
        ProfileBuilder builder = new ProfileBuilder().consumerLabel(profile.consumerLabel());
        int[] newConsumer = builder.adopt(profile);
        for (Column column : profile.columns()) {
            ColumnBuilder target = builder.column(column.resource());
            PathCopier copier = new PathCopier(profile, builder, newConsumer);
            for (int row : rowsByThread(column, profile.consumerCount())) {
                int thread = column.thread(row);
                if (wanted.test(thread)) {
                    int newThread = ProfileBuilder.mapped(thread, newConsumer);
                    int root =
                            threadsAsRoots && thread != Column.NO_THREAD
                                    ? builder.child(Profile.ROOT, newThread, Site.NONE)
                                    : Profile.ROOT;
                    copier.under(root);
                    target.addRow(copier.copy(column.node(row)), newThread, column, row, 1);
                }
            }
        }
        return builder.build(profile.provenance());
    }

    private static int[] rowsByThread(Column column, int consumers) {
        int[] key = new int[column.rows()];
        for (int row = 0; row < key.length; row++) {
            key[row] = column.thread(row) + 1;
        }
        return CountingSort.order(
                key, key.length, CountingSort.starts(key, key.length, consumers + 1));
    }

    /**
     * Bottom-up: the consumers that used something come first and their callers below them. Lines
     * and kinds are folded. O(the depths of all nodes with values, added up).
     */
    public static Profile invert(Profile profile) {
        ProfileBuilder builder = new ProfileBuilder().consumerLabel(profile.consumerLabel());
        int[] newConsumer = builder.adopt(profile);
        int[] inverted = new int[profile.nodeCount()];
        Arrays.fill(inverted, DROPPED);
        for (Column column : profile.columns()) {
            ColumnBuilder target = builder.column(column.resource());
            for (int row = 0; row < column.rows(); row++) {
                int node = column.node(row);
                if (inverted[node] == DROPPED) {
                    inverted[node] = invertedPath(profile, builder, newConsumer, node);
                }
                target.addRow(
                        inverted[node],
                        ProfileBuilder.mapped(column.thread(row), newConsumer),
                        column,
                        row,
                        1);
            }
        }
        return builder.build(profile.provenance());
    }

    private static int invertedPath(
            Profile profile, ProfileBuilder builder, int[] newConsumer, int node) {
        int copy = Profile.ROOT;
        for (int at = node; at > Profile.ROOT; at = profile.parent(at)) {
            copy = builder.child(copy, newConsumer[profile.consumer(at)], Site.NONE);
        }
        return copy;
    }

    private static Profile finish(
            Profile profile, ProfileBuilder builder, int[] newNode, int[] newConsumer) {
        for (Column column : profile.columns()) {
            builder.addColumn(column.resource(), column, newNode, newConsumer);
        }
        return builder.build(profile.provenance());
    }
}
