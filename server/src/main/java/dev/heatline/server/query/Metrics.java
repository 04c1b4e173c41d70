package dev.heatline.server.query;

import dev.heatline.model.CallGraph;
import dev.heatline.model.Column;
import dev.heatline.model.CountedOnly;
import dev.heatline.model.Profile;
import dev.heatline.model.Resource;
import dev.heatline.model.ThreadValues;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.BitSet;
import java.util.Optional;

/**
 * What every consumer used of one resource: the numbers of 000 eq. 3.1 to 3.22. Made in O(nodes)
 * and then read by many.
 */
final class Metrics {
    private final Profile profile;
    private final Resource resource;
    private final Optional<Column> column;
    private final Optional<Column> occurrences;
    private final boolean counted;
    private final CallGraph graph;
    private final CountedOnly countedOnly;
    private final Optional<ThreadValues> threads;
    private final String rootName;

    private Metrics(Profile profile, Optional<Column> column, Resource resource, boolean counted) {
        this.profile = profile;
        this.column = column;
        this.resource = resource;
        this.counted = counted;
        this.occurrences = profile.occurrences(resource);
        this.graph = CallGraph.of(profile, self(column), self(occurrences), null);
        this.countedOnly = CountedOnly.of(profile, resource);
        BitSet seen = threadsOf(column);
        seen.or(threadsOf(occurrences));
        boolean apart = seen.cardinality() > 1 || (seen.cardinality() == 1 && !seen.get(0));
        this.threads = apart ? column.map(of -> ThreadValues.of(profile, of)) : Optional.empty();
        this.rootName =
                apart && seen.cardinality() == 1
                        ? profile.consumerAt(seen.nextSetBit(0) - 1).display()
                        : profile.consumerOf(Profile.ROOT).display();
    }

    /**
     * The metrics of a resource; of the profile's main one if none is named, and of nothing if
     * nothing was recorded.
     *
     * @param otherwise the resource that there is nothing of if nothing was recorded
     * @throws dev.heatline.model.ModelException if the profile has others, but not this one
     */
    static Metrics of(Profile profile, Optional<String> resource, Resource otherwise) {
        Optional<Column> column = column(profile, resource);
        Resource shown = column.map(Column::resource).orElse(otherwise);
        return new Metrics(profile, column, shown, profile.occurrences(shown).isPresent());
    }

    /** Of an empty profile, nothing of what others used. */
    static Metrics nothingLike(Metrics others, Profile empty) {
        return new Metrics(empty, Optional.empty(), others.resource, others.counted);
    }

    /** Empty only if nothing was recorded. */
    static Optional<Column> column(Profile profile, Optional<String> resource) {
        return resource.isEmpty() || profile.columns().isEmpty()
                ? profile.mainColumn()
                : Optional.of(profile.requireColumn(resource.get()));
    }

    private long[] self(Optional<Column> of) {
        int nodes = profile.nodeCount();
        return of.map(it -> it.self(nodes)).orElseGet(() -> new long[nodes]);
    }

    /** Consumer ids, shifted by one so that there is room for none. */
    private static BitSet threadsOf(Optional<Column> column) {
        BitSet threads = new BitSet();
        column.ifPresent(
                rows -> {
                    for (int row = 0; row < rows.rows(); row++) {
                        threads.set(rows.thread(row) + 1);
                    }
                });
        return threads;
    }

    Profile profile() {
        return profile;
    }

    Resource resource() {
        return resource;
    }

    /** Empty only if nothing was recorded. */
    Optional<Column> column() {
        return column;
    }

    /** Whether it is known how often the resource was observed. */
    boolean counted() {
        return counted;
    }

    long total() {
        return column.map(Column::total).orElse(0L);
    }

    long totalOccurrences() {
        return occurrences.map(Column::total).orElse(0L);
    }

    CallGraph graph() {
        return graph;
    }

    /** Calls of which it is not known what they used. */
    CountedOnly countedOnly() {
        return countedOnly;
    }

    /** Empty if threads were not recorded. */
    Optional<ThreadValues> threads() {
        return threads;
    }

    /** A consumer as people read it; the root is the thread when there is only one. */
    String name(int consumer) {
        return consumer == profile.consumer(Profile.ROOT)
                ? rootName
                : profile.consumerAt(consumer).display();
    }

    double percent(long value) {
        return total() == 0 ? 0 : 100.0 * value / total();
    }

    /** A stored value in the resource's unit, with nothing lost. */
    BigDecimal exact(long stored) {
        return exact(resource, stored);
    }

    static BigDecimal exact(Resource resource, long stored) {
        if (resource.perUnit() == 1) {
            return BigDecimal.valueOf(stored);
        }
        int decimals = Long.toString(resource.perUnit()).length() - 1;
        BigDecimal value = BigDecimal.valueOf(stored, decimals).stripTrailingZeros();
        return value.scale() < 1 ? value.setScale(1, RoundingMode.UNNECESSARY) : value;
    }
}
