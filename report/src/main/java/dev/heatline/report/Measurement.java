package dev.heatline.report;

import dev.heatline.model.Column;
import dev.heatline.model.Profile;
import dev.heatline.model.Resource;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a report is about: one resource of one Profile. */
final class Measurement {
    private final Profile profile;
    private final Resource resource;
    private final Optional<Column> column;
    private final Optional<Column> occurrences;
    private final Scale scale;
    private final String rootName;

    /** Filled as they are asked for. */
    private final @Nullable String[] names;

    private Measurement(Profile profile, Optional<Column> column) {
        this.profile = profile;
        this.column = column;
        this.resource = column.map(Column::resource).orElse(Resource.SAMPLES);
        this.occurrences = profile.occurrences(resource);
        this.scale = Scale.of(resource, total());
        this.rootName = onlyThread().orElse(profile.consumerOf(Profile.ROOT).display());
        this.names = new @Nullable String[profile.consumerCount()];
    }

    /**
     * @throws ReportException if the resource that was asked for is not there
     */
    static Measurement of(Profile profile, ReportOptions options) {
        if (options.resource().isEmpty()) {
            return new Measurement(profile, profile.mainColumn());
        }
        String name = options.resource().get();
        Optional<Column> column = profile.column(name);
        if (column.isEmpty()) {
            throw new ReportException("no resource " + name + "; " + resourcesOf(profile));
        }
        return new Measurement(profile, column);
    }

    private static String resourcesOf(Profile profile) {
        return profile.columns().isEmpty()
                ? "this profile holds no values at all"
                : "this profile has "
                        + profile.columns().stream()
                                .map(c -> c.resource().name())
                                .collect(Collectors.joining(", "));
    }

    /** The same resource of a Profile that was made from this one. */
    Measurement in(Profile derived) {
        return new Measurement(derived, derived.column(resource.name()));
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

    double share(long value) {
        return total() == 0 ? 0 : (double) value / total();
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

    private Optional<String> onlyThread() {
        if (column.isEmpty()) {
            return Optional.empty();
        }
        int thread = column.get().thread(0);
        boolean only = thread != Column.NO_THREAD && isOnly(thread, column.get());
        return only && occurrences.map(c -> isOnly(thread, c)).orElse(true)
                ? Optional.of(profile.consumerAt(thread).display())
                : Optional.empty();
    }

    private static boolean isOnly(int thread, Column column) {
        for (int row = 0; row < column.rows(); row++) {
            if (column.thread(row) != thread) {
                return false;
            }
        }
        return true;
    }
}
