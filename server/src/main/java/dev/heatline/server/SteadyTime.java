package dev.heatline.server;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The time that ages are counted from. A clock that was set wrong, for a machine that has just
 * started or by somebody's mistake, would have everything deleted at once; so it counts only when
 * it has gone on for a while without being set.
 */
final class SteadyTime {
    private static final Duration WHILE = Duration.ofMinutes(10);
    private static final Duration SMALLEST_JUMP = Duration.ofMinutes(1);

    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private Instant last;
    private long lastNanos;
    private long setNanos;

    /**
     * @param nanoTime what no clock that is set changes
     */
    SteadyTime(InstantSource clock, LongSupplier nanoTime) {
        this.clock = clock;
        this.nanoTime = nanoTime;
        last = clock.instant();
        lastNanos = nanoTime.getAsLong();
        setNanos = lastNanos;
    }

    /** Now, or where that is not sure the beginning of time, when nothing is old. */
    Instant forAges() {
        Instant now = clock.instant();
        long nanos = nanoTime.getAsLong();
        Duration jump = Duration.between(last.plusNanos(nanos - lastNanos), now).abs();
        if (jump.compareTo(SMALLEST_JUMP) >= 0) {
            setNanos = nanos;
        }
        last = now;
        lastNanos = nanos;
        return nanos - setNanos >= WHILE.toNanos() ? now : Instant.EPOCH;
    }
}
