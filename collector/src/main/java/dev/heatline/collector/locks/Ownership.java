package dev.heatline.collector.locks;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Who had a lock, and when, for as long as somebody waits for it: what a waiter's time is divided
 * by (001 §4.3.1).
 */
final class Ownership {

    /** What was before so many changes of owner nobody asks for, or it stays unknown. */
    private static final int MOST_SLICES = 50_000;

    /**
     * A lock that was left and is then had by a waiter was on its way to that waiter, unless it
     * took so long that somebody else must have had it.
     */
    private static final long LONGEST_HANDOVER_NANOS = 5_000_000;

    static final long NOT_YET = Long.MIN_VALUE;

    /**
     * One owner's time.
     *
     * @param from may lie before the time of the slice before it, if nobody knows when the owner
     *     got the lock
     */
    private record Slice(long from, long until, long thread, long chain) {}

    /**
     * A part of the time somebody waited.
     *
     * @param thread the owner's
     * @param chain the owner's
     */
    record Part(Cause cause, long thread, long chain, long nanos) {}

    /** Why somebody had to wait. */
    enum Cause {
        OWNER,
        HANDOVER,
        UNKNOWN
    }

    private final Deque<Slice> slices = new ArrayDeque<>();

    /** The end of the last owner's time; {@link #NOT_YET} before the first. */
    private long left = NOT_YET;

    /** An owner had the lock in this time and leaves it. */
    void held(long from, long until, long thread, long chain) {
        slices.add(new Slice(from, until, thread, chain));
        left = until;
        if (slices.size() > MOST_SLICES) {
            slices.remove();
        }
    }

    /** When the last known owner left; {@link #NOT_YET} if none did. */
    long left() {
        return left;
    }

    /** Nobody who waits now waited before this. */
    void forgetBefore(long nanos) {
        while (slices.size() > 1 && slices.element().until <= nanos) {
            slices.remove();
        }
    }

    void clear() {
        slices.clear();
        left = NOT_YET;
    }

    /** Divides the time somebody waited, which must not end before the last owner left. */
    List<Part> divide(long from, long until) {
        List<Part> parts = new ArrayList<>();
        long at = from;
        long lastLeft = NOT_YET;
        for (Slice slice : slices) {
            if (slice.until > at) {
                if (slice.from > at) {
                    addGap(parts, at, Math.min(slice.from, until), lastLeft);
                    at = Math.min(slice.from, until);
                }
                long end = Math.min(slice.until, until);
                if (end > at) {
                    parts.add(new Part(Cause.OWNER, slice.thread, slice.chain, end - at));
                    at = end;
                }
            }
            lastLeft = slice.until;
        }
        if (at < until) {
            addGap(parts, at, until, lastLeft);
        }
        return parts;
    }

    private static void addGap(List<Part> parts, long from, long until, long lastLeft) {
        boolean handedOver = lastLeft != NOT_YET && until - lastLeft <= LONGEST_HANDOVER_NANOS;
        parts.add(new Part(handedOver ? Cause.HANDOVER : Cause.UNKNOWN, 0, 0, until - from));
    }
}
