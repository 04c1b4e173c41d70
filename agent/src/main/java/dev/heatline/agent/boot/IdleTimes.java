package dev.heatline.agent.boot;

/**
 * For how much of the time that a thread spent in its contexts it was not running: it waited, or
 * its CPU was taken away. A thread's CPU clock is much dearer to read than the other, and who waits
 * mostly does so for longer than most calls take: so the CPU clock is read only after a piece of
 * time that was not brief. All brief ones are taken for running; what is wrong about that is
 * forgotten every millisecond, before it is charged to whoever comes next.
 *
 * <p>All times are those of a clock that stands still while the thread does what is not the
 * application's.
 */
final class IdleTimes {
    static final long BRIEF_NANOS = 20_000;
    private static final long FORGET_NANOS = 1_000_000;

    private volatile long[] nanos = new long[0];

    /** The CPU clock when it was last read. */
    private long cpu;

    /** When that was. */
    private long readAt;

    /** Whether it is worth a look. */
    boolean isDue(long took, long now) {
        return took > BRIEF_NANOS || now - readAt > FORGET_NANOS;
    }

    /**
     * Finds out for how much of the last piece of time the thread was not running.
     *
     * @param node in which that was spent
     * @param end of it
     * @param nowCpu what the CPU clock says; negative if it was switched off
     * @param nodes how many there may be
     */
    void look(int node, long took, long end, long nowCpu, int nodes) {
        long waited = since(end - took, took, nowCpu);
        anchor(end, nowCpu);
        if (waited > 0 && node != CallTree.OUTSIDE) {
            add(node, waited, nodes);
        }
    }

    /** For how much of a piece of time after the last reading the thread was not running. */
    long since(long start, long took, long nowCpu) {
        long running = nowCpu - cpu - (start - readAt);
        return took > BRIEF_NANOS && nowCpu > 0 ? Math.max(0, took - Math.max(0, running)) : 0;
    }

    /** Goes on from here. */
    void anchor(long now, long nowCpu) {
        cpu = nowCpu;
        readAt = now;
    }

    void add(int node, long more, int nodes) {
        nanos = Numbers.plus(nanos, node, more, nodes);
    }

    long of(int node) {
        return Numbers.of(nanos, node);
    }

    void forget(int node) {
        Numbers.clear(nanos, node);
    }
}
