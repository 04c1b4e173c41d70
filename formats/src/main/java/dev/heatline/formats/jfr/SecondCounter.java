package dev.heatline.formats.jfr;

import dev.heatline.model.Moments;

/**
 * Counts events by the second in which they began. Events of one second mostly come together, so
 * what an event costs is a comparison.
 */
final class SecondCounter {
    private final Moments.Builder moments = new Moments.Builder();

    /** The second of the last event, and the ticks that it has. */
    private long second;

    private long firstTick;
    private long ticks;

    /** Events in that second that are not in the moments yet. */
    private long events;

    /**
     * Adds an event.
     *
     * @return whether it may be of another second than the one before
     */
    boolean add(long tick, Chunk chunk) {
        boolean turns = Long.compareUnsigned(tick - firstTick, ticks) >= 0;
        if (turns) {
            turnTo(chunk.second(tick), chunk);
        }
        events++;
        return turns;
    }

    /** That of the last event. */
    long second() {
        return second;
    }

    private void turnTo(long next, Chunk chunk) {
        moments.add(second, events);
        events = 0;
        second = next;
        firstTick = chunk.ticks(next);
        ticks = chunk.ticks(next + 1) - firstTick;
    }

    Moments moments() {
        moments.add(second, events);
        events = 0;
        return moments.build();
    }

    /** Forgets all events; the next may be of another chunk. */
    void clear() {
        moments.clear();
        events = 0;
        ticks = 0;
    }
}
