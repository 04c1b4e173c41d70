package dev.heatline.collector.locks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Those who are parked with one blocker, and who had it meanwhile. */
final class ParkedThreads {
    private final Ownership ownership = new Ownership();
    private final Map<Long, Park> parks = new LinkedHashMap<>();

    /** The last who was woken and may have the lock now, and who woke it. */
    private Optional<LockEvent> woken = Optional.empty();

    private Optional<LockEvent> wokenBy = Optional.empty();

    /** The last signal by the lock's owner, if it was not seen leaving since. */
    private Optional<LockEvent> signal = Optional.empty();

    Optional<LockEvent> wokenBy() {
        return wokenBy;
    }

    boolean isEmpty() {
        return parks.isEmpty();
    }

    boolean isOne() {
        return parks.size() == 1;
    }

    void add(long thread, Park park) {
        // Who parks again did not get the lock.
        woken = woken.filter(last -> last.thread() != thread);
        parks.put(thread, park);
    }

    void remove(long thread) {
        parks.remove(thread);
        if (!parks.isEmpty()) {
            // Nobody who is parked is accounted for only up to a moment before this.
            long accounted = parks.values().iterator().next().current().since();
            ownership.forgetBefore(accounted - Park.UNDECIDED_NANOS);
        }
    }

    /** One of them goes on, and may have the lock now; unless nobody woke it. */
    void goesOn(LockEvent end, Optional<LockEvent> by) {
        woken = by.map(_ -> end);
        wokenBy = by;
    }

    /** Who signals has the lock. */
    void signalled(LockEvent event) {
        signal = Optional.of(event);
    }

    /** Whoever had the lock since then leaves it. */
    void left(long since, LockEvent unpark) {
        ownership.held(since, unpark.nanos(), unpark.thread(), unpark.chain());
        signal = Optional.empty();
    }

    /** Nobody is known to have the lock. */
    void forgetWoken() {
        woken = Optional.empty();
    }

    /** What is known of owners does not hold any more. */
    void forget() {
        ownership.clear();
        woken = Optional.empty();
        wokenBy = Optional.empty();
        signal = Optional.empty();
    }

    /** Whether the last who was woken now wakes another itself. */
    boolean isByWoken(LockEvent event) {
        return woken.isPresent() && woken.get().thread() == event.thread();
    }

    /** Since when whoever wakes one of them had the lock, as far as that can be known. */
    long heldSince(LockEvent unpark) {
        if (isByWoken(unpark)) {
            return woken.get().nanos();
        }
        // Ownership.NOT_YET is before any moment.
        return Math.max(ownership.left(), longest().orElse(unpark.nanos()));
    }

    /** Since when somebody is parked who did not go on unseen; empty if nobody is. */
    private Optional<Long> longest() {
        return parks.values().stream()
                .filter(park -> !park.isLost())
                .map(park -> park.current().from())
                .findFirst();
    }

    /** By whom the time was used of one who waited until somebody woke it. */
    List<Ownership.Part> divide(long from, long until) {
        return ownership.divide(from, until);
    }

    /** By whom that was of one who still waits, or gave up while somebody had the lock. */
    List<Ownership.Part> divideSoFar(long from, long until) {
        return signal.isPresent()
                ? ownership.divideSoFar(from, until, signal.get().thread(), signal.get().chain())
                : ownership.divideSoFar(from, until, woken);
    }
}
