package dev.heatline.server.query;

import java.time.Duration;
import java.time.InstantSource;

/**
 * How questions are answered.
 *
 * @param maxNodes how many tree nodes all merged selections may keep in memory together, about 50
 *     bytes each; the one used last is kept in any case
 * @param refreshEvery how long a merged selection is good before it is brought up to date
 * @param oldest an answer that would be older than this waits until its selection is up to date
 * @param clock what {@code now} means
 */
public record QueryOptions(
        long maxNodes, Duration refreshEvery, Duration oldest, InstantSource clock) {

    public static final QueryOptions DEFAULTS =
            new QueryOptions(
                    20_000_000,
                    Duration.ofSeconds(1),
                    Duration.ofMinutes(1),
                    InstantSource.system());

    public QueryOptions withMaxNodes(long nodes) {
        return new QueryOptions(nodes, refreshEvery, oldest, clock);
    }
}
