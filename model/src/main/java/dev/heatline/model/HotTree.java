package dev.heatline.model;

import java.util.List;

/**
 * The hot calling-context tree of a stream that never ends, in bounded memory (000 §6.2, after
 * D'Elia et al.): the contexts that occur in more than a share φ of all N occurrences, with their
 * ancestors, found by lossy counting with error ε.
 *
 * <p>Guarantees, for the count resource that decides:
 *
 * <ul>
 *   <li>every context with at least φN occurrences of its own is in {@link #hot()};
 *   <li>none with fewer than (φ−ε)N is, except as an ancestor;
 *   <li>a context's count is never too high, and too low by at most εN;
 *   <li>the total is exact: what is forgotten stays in {@link Consumer#PRUNED} nodes where it
 *       stood.
 * </ul>
 *
 * <p>Memory is proportional to (1/ε)·log(εN) contexts and their ancestors.
 */
public final class HotTree {

    /** An upper bound of what a context may have lost before it was (last) seen anew. */
    private static final Resource MISSED = Resource.count("missed occurrences");

    private final double phi;
    private final double epsilon;
    private final Resource deciding;
    private final long window;

    private Profile known = new ProfileBuilder().build(Provenance.NONE);
    private long total;

    private ProfileBuilder recent = new ProfileBuilder();
    private long recentWeight;

    /**
     * @param phi contexts above this share of all occurrences are hot; 0.0001 finds about the
     *     hottest thousand
     * @param epsilon the error, less than phi; phi / 5 is enough in practice
     * @param deciding the count resource whose occurrences decide
     */
    public HotTree(double phi, double epsilon, Resource deciding) {
        if (!(epsilon > 0 && epsilon < phi && phi <= 1)) {
            throw new ModelException(
                    "hot calling-context tree: 0 < ε < φ ≤ 1 is needed, not φ="
                            + phi
                            + ", ε="
                            + epsilon);
        }
        this.phi = phi;
        this.epsilon = epsilon;
        this.deciding = deciding;
        this.window = (long) Math.ceil(1 / epsilon);
    }

    /** Takes a stack, outermost frame first, that occurred {@code weight} times. */
    public void add(List<Consumer> stack, long weight) {
        int node = Profile.ROOT;
        for (Consumer frame : stack) {
            node = recent.child(node, recent.consumer(frame), Site.NONE);
        }
        recent.column(deciding).add(node, Column.NO_THREAD, weight);
        recentWeight += weight;
        if (recentWeight >= window) {
            flush();
        }
    }

    /** Takes a whole Profile, such as that of the last interval. */
    public void add(Profile interval) {
        flush();
        absorb(interval);
    }

    /** The hot contexts and their ancestors; all else is folded into PRUNED nodes. */
    public Profile hot() {
        flush();
        double threshold = (phi - epsilon) * total;
        long[] counts = counts(known, deciding);
        boolean[] kept = new boolean[known.nodeCount()];
        int pruned = known.idOf(Consumer.PRUNED);
        for (int node = 0; node < kept.length; node++) {
            kept[node] = counts[node] >= threshold && known.consumer(node) != pruned;
        }
        return Operations.selectResources(
                Operations.keep(known, withAncestors(known, kept), false),
                resource -> !resource.equals(MISSED));
    }

    /** How many contexts are held at the moment. */
    public int size() {
        return known.nodeCount();
    }

    /** The occurrences seen so far: N. */
    public long total() {
        return total + recentWeight;
    }

    private void flush() {
        if (recentWeight > 0) {
            Profile batch = recent.build(Provenance.NONE);
            recent = new ProfileBuilder();
            recentWeight = 0;
            absorb(batch);
        }
    }

    private void absorb(Profile batch) {
        long missedBefore = (long) (epsilon * total);
        ProfileBuilder builder = new ProfileBuilder().consumerLabel(batch.consumerLabel());
        builder.addAll(known);
        int knownNodes = builder.nodeCount();
        builder.addAll(batch);
        ColumnBuilder missed = builder.column(MISSED);
        for (int node = knownNodes; node < builder.nodeCount(); node++) {
            missed.add(node, Column.NO_THREAD, missedBefore);
        }
        total += batch.column(deciding.name()).map(Column::total).orElse(0L);
        known = forget(builder.build(known.provenance().merge(batch.provenance())));
    }

    /**
     * Drops contexts that cannot be hot: their count and what they may have missed is within εN.
     */
    private Profile forget(Profile grown) {
        long error = (long) (epsilon * total);
        long[] counts = counts(grown, deciding);
        long[] missed = counts(grown, MISSED);
        int pruned = grown.idOf(Consumer.PRUNED);
        boolean[] kept = new boolean[counts.length];
        for (int node = 0; node < kept.length; node++) {
            kept[node] = counts[node] + missed[node] > error && grown.consumer(node) != pruned;
        }
        return Operations.keep(grown, withAncestors(grown, kept), false);
    }

    private static boolean[] withAncestors(Profile profile, boolean[] kept) {
        kept[Profile.ROOT] = true;
        for (int node = kept.length - 1; node > 0; node--) {
            kept[profile.parent(node)] |= kept[node];
        }
        return kept;
    }

    private static long[] counts(Profile profile, Resource resource) {
        return profile.column(resource.name())
                .map(column -> column.self(profile.nodeCount()))
                .orElseGet(() -> new long[profile.nodeCount()]);
    }
}
