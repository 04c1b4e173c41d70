package dev.heatline.collector.locks;

import java.util.Optional;

/**
 * A thread that is parked: what for, since when, and who woke it. One that waits for a condition
 * and is signalled stays parked, but from then on for the lock that it must have to go on.
 */
final class Park {
    /** Of parks that are shorter and that nobody ended, the tracer does not tell who parked. */
    static final long BRIEF_NANOS = 20_000;

    /**
     * Who signals and leaves within this time has left at once; it takes that long to tell both.
     */
    private static final long BRIEF_KEEPING_NANOS = 100_000;

    /** No later than this, it is sure what a thread waited for at a moment. */
    static final long UNDECIDED_NANOS = BRIEF_NANOS + BRIEF_KEEPING_NANOS;

    private final boolean timed;
    private Wait current;

    /** The wait for a condition that the signal has ended, until it is told. */
    private Optional<Wait> condition = Optional.empty();

    private Optional<LockEvent> signal = Optional.empty();
    private Optional<LockEvent> unpark = Optional.empty();

    /** When it was first woken; several may do so at the same time. */
    private Optional<Long> woken = Optional.empty();

    private boolean lost;

    /** A wait for one thing. */
    static final class Wait {
        private final long lock;
        private final long from;

        /** What was before this is accounted for. */
        private long since;

        private Wait(long lock, long from, long since) {
            this.lock = lock;
            this.from = from;
            this.since = since;
        }

        long lock() {
            return lock;
        }

        long from() {
            return from;
        }

        long since() {
            return since;
        }

        void accountedUntil(long nanos) {
            since = Math.max(since, nanos);
        }
    }

    Park(LockEvent begin) {
        timed = begin.other() != 0;
        current = new Wait(begin.lock(), begin.nanos(), begin.nanos());
    }

    /** What it waits for now. */
    Wait current() {
        return current;
    }

    long lock() {
        return current.lock;
    }

    Optional<Wait> condition() {
        return condition;
    }

    /** The wait for the condition was told to its end. */
    void forgetCondition() {
        condition = Optional.empty();
    }

    /** Since when it is parked; once the wait for a condition was told, since the signal. */
    long from() {
        return condition.orElse(current).from;
    }

    boolean isTimed() {
        return timed;
    }

    /** Whether events are missing since it began, so that it may have ended long ago. */
    boolean isLost() {
        return lost;
    }

    void lose() {
        lost = true;
    }

    Optional<LockEvent> unpark() {
        return unpark;
    }

    void wokenBy(Optional<LockEvent> event) {
        unpark = event;
        woken = woken.or(() -> event.map(LockEvent::nanos));
    }

    Optional<LockEvent> signal() {
        return signal;
    }

    /** From now on it wants the lock of its condition back. */
    void signalledBy(LockEvent event) {
        signal = Optional.of(event);
        condition = Optional.of(current);
        // Told late, the time up to the last cut is already accounted for.
        long since = Math.max(current.since, event.nanos());
        current = new Wait(event.lock(), event.nanos(), since);
    }

    /** Whether it is sure that it waited for long enough before a moment to be told of. */
    boolean isDecided(long moment) {
        long undecided = signal.isPresent() ? BRIEF_KEEPING_NANOS : 0;
        return current.from <= moment - undecided;
    }

    /** Whether the lock was left so soon after the signal that it did not keep anybody. */
    boolean isLetGoAtOnce() {
        return condition.isPresent()
                && current.since == current.from
                && woken.map(nanos -> nanos - current.from < BRIEF_KEEPING_NANOS).orElse(false);
    }

    /**
     * Until when it waited for the lock: until that was left for it. What it took to wake up after
     * a signal is the price of having waited for the condition.
     */
    long waitedUntil(long end) {
        return signal.isPresent() && woken.isPresent()
                ? Math.clamp(woken.get(), current.since, Math.max(current.since, end))
                : end;
    }
}
