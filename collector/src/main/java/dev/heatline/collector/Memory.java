package dev.heatline.collector;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What the intervals of all JVMs hold together, in calling contexts, names and values. Whoever
 * finds it full closes an interval before its time: a profile more, and nothing is lost.
 */
final class Memory {

    /** What fits into the heap that a collector is started with. */
    static final long DEFAULT_LIMIT = 1_500_000;

    private final long limit;
    private final AtomicLong held = new AtomicLong();

    Memory(long limit) {
        this.limit = limit;
    }

    void add(long more) {
        held.addAndGet(more);
    }

    boolean isFull() {
        return isFullWith(0);
    }

    /** Whether it would be, if so much more came. */
    boolean isFullWith(long more) {
        return held.get() + more > limit;
    }
}
