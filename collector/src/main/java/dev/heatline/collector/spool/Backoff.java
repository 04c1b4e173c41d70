package dev.heatline.collector.spool;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait after each failure in a row: twice as long as before up to a limit, and a random
 * part less, so that many collectors do not all come back to a server at the same moment.
 */
public final class Backoff {
    private static final Duration FIRST = Duration.ofMillis(200);

    /** Short enough that a server that is back has everything again after a few seconds. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final RandomGenerator random;
    private Duration next = FIRST;

    public Backoff(RandomGenerator random) {
        this.random = random;
    }

    /** What to wait after one more failure. */
    public Duration failed() {
        long longest = next.toMillis();
        next = next.multipliedBy(2).compareTo(LONGEST) < 0 ? next.multipliedBy(2) : LONGEST;
        return Duration.ofMillis(random.nextLong(longest / 2, longest + 1));
    }

    /** It works again: the next failure is a first one. */
    public void succeeded() {
        next = FIRST;
    }
}
