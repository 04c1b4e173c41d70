package dev.heatline.server.query;

import dev.heatline.model.Column;
import dev.heatline.model.Profile;

/** About how much memory things take, in bytes. */
final class Weight {

    /** Parent, consumer, site and end of a node. */
    private static final long NODE = 16;

    /** Node, thread and value of a row. */
    private static final long ROW = 16;

    /** Its names, and what refers to them. */
    private static final long CONSUMER = 200;

    /** Its sums, and some arcs to others. */
    private static final long MEASURED_CONSUMER = 200;

    /** Of a method on a thread. */
    private static final long THREAD_VALUE = 12;

    /**
     * Of a node, consumer or row while profiles are merged: as it grows, and as it is in the end.
     */
    private static final long MERGING = 48;

    private Weight() {}

    static long of(Profile profile) {
        return NODE * profile.nodeCount()
                + ROW * rows(profile)
                + CONSUMER * profile.consumerCount();
    }

    static long of(Metrics metrics) {
        long threads =
                metrics.threads().isEmpty() ? 0 : metrics.column().map(Column::rows).orElse(0);
        return MEASURED_CONSUMER * metrics.profile().consumerCount() + THREAD_VALUE * threads;
    }

    /** Which size profiles may be merged to within so many bytes. */
    static long mergedWithin(long bytes) {
        return bytes / MERGING;
    }

    /** As {@link dev.heatline.model.ProfileBuilder#size} counts what is of no known seconds. */
    static long size(Profile profile) {
        return profile.nodeCount() + profile.consumerCount() + rows(profile);
    }

    private static long rows(Profile profile) {
        return profile.columns().stream().mapToLong(Column::rows).sum();
    }
}
