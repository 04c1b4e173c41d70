package dev.heatline.server.query;

import java.time.Duration;
import java.time.InstantSource;

/**
 * How questions are answered.
 *
 * @param maxBytes how much memory all merged selections may keep together, about; the one used last
 *     is kept in any case, but no selection is merged that alone would take more
 * @param refreshEvery how long a merged selection is good before it is brought up to date
 * @param patience who asks after a while waits for so long that it is brought up to date
 * @param oldest an answer that would be older than this waits until its selection is up to date
 * @param clock what {@code now} means
 */
public record QueryOptions(
        long maxBytes,
        Duration refreshEvery,
        Duration patience,
        Duration oldest,
        InstantSource clock) {

    /** What else needs memory: uploads that are read, and answers that are made. */
    private static final int PART_OF_MEMORY = 3;

    public static final QueryOptions DEFAULTS =
            new QueryOptions(
                    Runtime.getRuntime().maxMemory() / PART_OF_MEMORY,
                    Duration.ofSeconds(1),
                    Duration.ofMillis(10),
                    Duration.ofMinutes(1),
                    InstantSource.system());

    public QueryOptions withMaxBytes(long bytes) {
        return new QueryOptions(bytes, refreshEvery, patience, oldest, clock);
    }
}
