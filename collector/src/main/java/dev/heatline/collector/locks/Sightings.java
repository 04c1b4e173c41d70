package dev.heatline.collector.locks;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;

/**
 * Who was found to have a lock, although nobody saw it leaving: its code had no hooks then. What is
 * not known of a waiter's time is explained by that as far as it goes.
 */
final class Sightings {
    /** More than one waiter usually meets with; of what is older, nobody knows the owner then. */
    private static final int MOST = 1_000;

    private static final long STILL = Long.MAX_VALUE;

    /**
     * @param entered when it did, if that is known: it did not have the lock before
     * @param until when it was known not to have it any more
     */
    private record Sighting(LockEvent owner, OptionalLong entered, long until) {}

    private final Deque<Sighting> all = new ArrayDeque<>();

    /** When somebody entered or left last, as far as that is known. */
    private long lastChange = Long.MIN_VALUE;

    /**
     * An owner was found. By the time that is told it may be old.
     *
     * @param entered when it did, if that is known
     */
    void add(LockEvent owner, OptionalLong entered) {
        if (owner.nanos() < lastChange) {
            return;
        }
        end(owner.nanos());
        all.add(new Sighting(owner, entered, STILL));
        if (all.size() > MOST) {
            all.remove();
        }
    }

    /** A thread wants the lock, so it does not have it any more. */
    void endOf(long thread, long nanos) {
        if (!all.isEmpty() && all.getLast().owner.thread() == thread) {
            end(nanos);
        }
    }

    /** Somebody enters or leaves. That may be told late, when others were found since. */
    void end(long nanos) {
        lastChange = Math.max(lastChange, nanos);
        Sighting last = all.peekLast();
        if (last != null && last.until == STILL && nanos >= last.owner.nanos()) {
            all.removeLast();
            all.add(new Sighting(last.owner, last.entered, nanos));
        }
    }

    /** Nobody who waits now waited before this. */
    void forgetBefore(long nanos) {
        while (!all.isEmpty() && all.element().until <= nanos) {
            all.remove();
        }
    }

    void clear() {
        all.clear();
        lastChange = Long.MIN_VALUE;
    }

    /**
     * Divides a part whose owner is not known. Who had the lock when it was looked for had it since
     * the part began, as far as anybody knows.
     *
     * @param waiter whose time it is, which is not its own fault
     */
    List<Ownership.Part> explain(Ownership.Part part, long waiter) {
        List<Ownership.Part> parts = new ArrayList<>();
        long end = part.from() + part.nanos();
        long at = part.from();
        for (Sighting sighting : all) {
            LockEvent owner = sighting.owner;
            if (owner.thread() != waiter && owner.nanos() < end && sighting.until > at) {
                long from = sighting.entered.orElse(at);
                if (from > at) {
                    parts.add(new Ownership.Part(part.cause(), 0, 0, at, from - at));
                    at = from;
                }
                long until = Math.min(sighting.until, end);
                parts.add(
                        new Ownership.Part(
                                Ownership.Cause.SIGHTED,
                                owner.thread(),
                                owner.chain(),
                                at,
                                until - at));
                at = until;
            }
        }
        if (at < end || parts.isEmpty()) {
            parts.add(new Ownership.Part(part.cause(), 0, 0, at, end - at));
        }
        return parts;
    }
}
