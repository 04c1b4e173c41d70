package dev.heatline.collector.locks;

import dev.heatline.model.CallChain;
import dev.heatline.model.Consumer;
import dev.heatline.model.ContentionBuilder;
import dev.heatline.model.ContentionBuilder.Lock;
import dev.heatline.model.ContentionBuilder.Owner;
import dev.heatline.model.ContentionBuilder.Span;
import dev.heatline.model.Moments;
import dev.heatline.model.MomentsByResource;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.wire.LockTrace;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Takes the contentions that replays find, and gives them their names. */
final class ContentionSink {
    private static final String LOOKED_UP = " [looked up]";

    /** So many locks are told apart until they are taken; more are of no use to anybody. */
    static final int MOST_NAMED = 10_000;

    private static final String OTHERS = "[others]";

    private final TraceNames names;
    private final long startNanos;
    private final MomentsByResource moments = new MomentsByResource();
    private ProfileBuilder builder = new ProfileBuilder();
    private ContentionBuilder contentions = new ContentionBuilder(builder);
    private final Set<TraceNames.LockObject> named = new HashSet<>();
    private long count;

    /**
     * @param start the moment from which on nanoseconds are counted
     */
    ContentionSink(TraceNames names, Instant start) {
        this.names = names;
        this.startNanos = start.getEpochSecond() * Resource.NANOS_PER_SECOND + start.getNano();
    }

    /** How many threads were kept waiting so far, each time counted. */
    long count() {
        return count;
    }

    /** How much is held until it is taken: contexts, names and values. */
    long size() {
        return builder.size() + named.size();
    }

    /**
     * A thread that waits, or waited.
     *
     * @param time what it counts as: being blocked, or just waiting
     * @param kind of lock
     * @param from when it began; likewise {@code until}
     * @param over whether it has come to its end, so that it counts
     */
    record Wait(
            Resource time,
            String kind,
            long lock,
            long thread,
            CallChain chain,
            long from,
            long until,
            boolean over) {

        /** None of its time, for one of which all time was added before. */
        private Ownership.Part nothing() {
            return new Ownership.Part(Ownership.Cause.HANDOVER, 0, 0, until, 0);
        }
    }

    /**
     * Somebody waited.
     *
     * @param parts what of that is to be added, which may not be all
     */
    void waited(Wait wait, List<Ownership.Part> parts) {
        Consumer blocked = names.threadOf(wait.thread);
        if (blocked.name().equals(LockTrace.TRACER_THREAD)) {
            return;
        }
        List<Ownership.Part> all = parts.isEmpty() ? List.of(wait.nothing()) : parts;
        int largest = 0;
        for (int i = 1; i < all.size(); i++) {
            largest = all.get(i).nanos() > all.get(largest).nanos() ? i : largest;
        }
        Lock named = lock(wait.kind, wait.lock);
        Moments.Builder when = moments.of(wait.time.name());
        for (int i = 0; i < all.size(); i++) {
            Ownership.Part part = all.get(i);
            Span span = new Span(startNanos + part.from(), part.nanos());
            contentions.add(
                    wait.time,
                    named,
                    wait.until - wait.from,
                    blocked,
                    wait.chain,
                    owner(part),
                    wait.over && i == largest,
                    span);
            span.bySecond(when::add);
            if (wait.over && i == largest) {
                moments.of(wait.time.occurrences()).add(span.firstSecond(), 1);
            }
        }
        count += wait.over ? 1 : 0;
    }

    /** Somebody held a lock that others wanted. */
    void held(String kind, long lock, long thread, long chain, long nanos) {
        contentions.addHold(
                lock(kind, lock), new Owner(names.threadOf(thread), names.chainOf(chain)), nanos);
    }

    private Lock lock(String kind, long lock) {
        TraceNames.LockObject object = names.lockOf(lock);
        boolean known = named.contains(object) || (named.size() < MOST_NAMED && named.add(object));
        return new Lock(kind, object.className(), known ? object.name() : OTHERS);
    }

    private Owner owner(Ownership.Part part) {
        return switch (part.cause()) {
            case OWNER -> new Owner(names.threadOf(part.thread()), names.chainOf(part.chain()));
            case HANDOVER -> Owner.NOBODY;
            case SIGHTED ->
                    new Owner(lookedUp(names.threadOf(part.thread())), names.chainOf(part.chain()));
            case UNKNOWN -> Owner.UNKNOWN;
        };
    }

    private static Consumer lookedUp(Consumer thread) {
        return Consumer.thread(thread.owner(), thread.name() + LOOKED_UP);
    }

    /** All contentions since the last time, as a Profile. */
    Profile take(Provenance provenance) {
        Profile profile = builder.build(moments.addedTo(provenance));
        moments.clear();
        named.clear();
        builder = new ProfileBuilder();
        contentions = new ContentionBuilder(builder);
        return profile;
    }
}
