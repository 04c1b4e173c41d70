package dev.heatline.report;

import dev.heatline.model.Column;
import dev.heatline.model.CountedOnly;
import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import dev.heatline.model.Resource;
import java.math.BigDecimal;
import java.util.BitSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a report is about: one resource of one Profile. */
final class Measurement {
    private final Profile profile;
    private final Resource resource;
    private final Optional<Column> column;
    private final Optional<Column> occurrences;
    private final Scale scale;
    private final BitSet threads;
    private final String rootName;

    /** Filled as they are asked for. */
    private final @Nullable String[] names;

    private Measurement(Profile profile, Optional<Column> column, Resource otherwise) {
        this.profile = profile;
        this.column = column;
        this.resource = column.map(Column::resource).orElse(otherwise);
        this.occurrences = profile.occurrences(resource);
        this.scale =
                Scale.of(resource, Math.max(total(), baseline().map(Column::total).orElse(0L)));
        this.threads = threadsOf(column);
        threads.or(threadsOf(occurrences));
        this.rootName =
                threads() == 1
                        ? profile.consumerAt(threads.nextSetBit(0) - 1).display()
                        : profile.consumerOf(Profile.ROOT).display();
        this.names = new @Nullable String[profile.consumerCount()];
    }

    /**
     * @throws dev.heatline.model.ModelException if the resource that was asked for is not there
     */
    static Measurement of(Profile profile, ReportOptions options) {
        if (options.resource().isEmpty()) {
            return new Measurement(profile, profile.mainColumn(), options.otherwise());
        }
        return of(profile, options.resource().get());
    }

    /** As above, for a resource known by name. */
    static Measurement of(Profile profile, String resource) {
        Column column = profile.requireColumn(resource);
        return new Measurement(profile, Optional.of(column), column.resource());
    }

    /** The same resource of a Profile that was made from this one. */
    Measurement in(Profile derived) {
        return new Measurement(derived, derived.column(resource.name()), resource);
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

    /** How often it was observed; empty if that is not known. */
    Optional<Column> occurrences() {
        return occurrences;
    }

    /** What the resource was before, if the Profile holds a comparison. */
    Optional<Column> baseline() {
        return profile.column(resource.name() + Operations.BASELINE);
    }

    /** How often it was observed before. */
    Optional<Column> baselineOccurrences() {
        return profile.column(resource.occurrences() + Operations.BASELINE);
    }

    Scale scale() {
        return scale;
    }

    /** Whether it is known how often the resource was observed. */
    boolean counted() {
        return occurrences.isPresent();
    }

    long total() {
        return column.map(Column::total).orElse(0L);
    }

    long totalOccurrences() {
        return occurrences.map(Column::total).orElse(0L);
    }

    /** What each node used by itself. */
    long[] self() {
        int nodes = profile.nodeCount();
        return column.map(c -> c.self(nodes)).orElseGet(() -> new long[nodes]);
    }

    /** How often each node itself was observed. */
    long[] calls() {
        int nodes = profile.nodeCount();
        return occurrences.map(c -> c.self(nodes)).orElseGet(() -> new long[nodes]);
    }

    /** Calls of which it is not known what they used; empty if there are none. */
    Optional<Column> countedOnly() {
        return CountedOnly.column(profile, resource);
    }

    double share(long value) {
        return total() == 0 ? 0 : (double) value / total();
    }

    /** The share in percent, for JSON: whole percentages come out whole. */
    double percent(long value) {
        return total() == 0 ? 0 : 100.0 * value / total();
    }

    BigDecimal exact(long value) {
        return Scale.exact(resource, value);
    }

    /** What the root stands for: the thread, when all values belong to one. */
    String rootName() {
        return rootName;
    }

    /** A consumer as people read it. */
    String name(int consumer) {
        String name = names[consumer];
        if (name == null) {
            name =
                    consumer == profile.consumer(Profile.ROOT)
                            ? rootName
                            : profile.consumerAt(consumer).display();
            names[consumer] = name;
        }
        return name;
    }

    /** How many threads the values belong to; those of no known thread count as one more. */
    int threads() {
        return threads.cardinality() == 1 && threads.get(0) ? 0 : threads.cardinality();
    }

    /** The threads of a column: consumer ids, shifted by one so that there is room for none. */
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
}
