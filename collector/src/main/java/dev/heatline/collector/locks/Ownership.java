package dev.heatline.collector.locks;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Who had a lock, and when, for as long as somebody waits for it: what a waiter's time is divided
 * by (001 §4.3.1).
 */
final class Ownership {

    /** What was before so many changes of owner nobody asks for, or it stays unknown. */
    private static final int MOST_SLICES = 50_000;

    static final long NOT_YET = Long.MIN_VALUE;

    /** One owner's time. */
    record Slice(long from, long until, long thread, long chain) {}

    /**
     * A part of the time somebody waited.
     *
     * @param thread the owner's
     * @param chain the owner's
     * @param from when it began
     */
    record Part(Cause cause, long thread, long chain, long from, long nanos) {}

    /** Why somebody had to wait. */
    enum Cause {
        OWNER,
        /** An owner that nobody saw leaving. */
        SIGHTED,
        HANDOVER,
        UNKNOWN
    }

    /** One after the other. */
    private final Deque<Slice> slices;

    /** The end of the last owner's time; {@link #NOT_YET} before the first. */
    private long left = NOT_YET;

    Ownership() {
        this(new ArrayDeque<>());
    }

    Ownership(Deque<Slice> slices) {
        this.slices = slices;
    }

    /** An owner had the lock in this time and leaves it. */
    void held(long from, long until, long thread, long chain) {
        long since = Math.max(from, left);
        if (until <= since) {
            // Told late: others have left since.
            return;
        }
        slices.add(new Slice(since, until, thread, chain));
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

    /**
     * Divides the time somebody waited, which must not end before the last owner left. O(owners
     * meanwhile): of a lock that somebody waits for very long, all others wait briefly.
     */
    List<Part> divide(long from, long until) {
        List<Part> parts = new ArrayList<>();
        long at = from;
        long lastLeft = NOT_YET;
        for (Slice slice : lastBeforeAndAllSince(from)) {
            if (slice.until > at && slice.from < until) {
                if (slice.from > at) {
                    addGap(parts, at, slice.from, lastLeft);
                    at = slice.from;
                }
                long end = Math.min(slice.until, until);
                parts.add(new Part(Cause.OWNER, slice.thread, slice.chain, at, end - at));
                at = end;
            }
            lastLeft = Math.min(slice.until, until);
        }
        if (at < until) {
            addGap(parts, at, until, lastLeft);
        }
        return parts;
    }

    /** The slices that end after a moment, and the one before them. */
    private List<Slice> lastBeforeAndAllSince(long moment) {
        List<Slice> met = new ArrayList<>();
        Iterator<Slice> latestFirst = slices.descendingIterator();
        boolean since = true;
        while (since && latestFirst.hasNext()) {
            Slice slice = latestFirst.next();
            met.add(slice);
            since = slice.until > moment;
        }
        return met.reversed();
    }

    /**
     * Divides the time of somebody who still waits. Who has the lock now did not leave it yet, so
     * its call chain is not known.
     *
     * @param last who entered last and has not been seen leaving
     */
    List<Part> divideSoFar(long from, long until, Optional<LockEvent> last) {
        long known = leftWithin(from, until);
        if (last.isEmpty()) {
            return divide(from, known, new Part(Cause.UNKNOWN, 0, 0, known, until - known));
        }
        long entered = Math.clamp(last.get().nanos(), known, until);
        return divide(
                from,
                known,
                new Part(Cause.HANDOVER, 0, 0, known, entered - known),
                new Part(Cause.OWNER, last.get().thread(), 0, entered, until - entered));
    }

    /**
     * Likewise where the thread is known that has the lock.
     *
     * @param thread has it since the last owner left, as far as anybody knows
     * @param chain a call chain it had meanwhile
     */
    List<Part> divideSoFar(long from, long until, long thread, long chain) {
        long known = leftWithin(from, until);
        return divide(from, known, new Part(Cause.OWNER, thread, chain, known, until - known));
    }

    private long leftWithin(long from, long until) {
        return left == NOT_YET ? from : Math.clamp(left, from, until);
    }

    /** Divides the time until somebody left, and adds what followed, as far as that took time. */
    private List<Part> divide(long from, long until, Part... following) {
        List<Part> parts = new ArrayList<>(divide(from, until));
        parts.addAll(List.of(following));
        parts.removeIf(part -> part.nanos() == 0);
        return parts;
    }

    /** Between the exit of one owner and the entry of the next, nobody had the lock. */
    private static void addGap(List<Part> parts, long from, long until, long lastLeft) {
        Cause cause = lastLeft == NOT_YET ? Cause.UNKNOWN : Cause.HANDOVER;
        parts.add(new Part(cause, 0, 0, from, until - from));
    }
}
