package dev.heatline.collector.locks;

import dev.heatline.model.CallChain;
import dev.heatline.model.Consumer;
import dev.heatline.model.ContentionBuilder;
import dev.heatline.model.ContentionBuilder.Lock;
import dev.heatline.model.ContentionBuilder.Owner;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Takes the contentions that replays find, and gives them their names. */
final class ContentionSink {
    private static final String LOOKED_UP = " [looked up]";

    /** So many locks are told apart until they are taken; more are of no use to anybody. */
    static final int MOST_NAMED = 10_000;

    private static final String OTHERS = "[others]";

    private static final Ownership.Part NOTHING =
            new Ownership.Part(Ownership.Cause.HANDOVER, 0, 0, 0, 0);

    private final TraceNames names;
    private ProfileBuilder builder = new ProfileBuilder();
    private ContentionBuilder contentions = new ContentionBuilder(builder);
    private final Set<TraceNames.LockObject> named = new HashSet<>();
    private long count;

    ContentionSink(TraceNames names) {
        this.names = names;
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
     * @param nanos since it began
     * @param over whether it has come to its end, so that it counts
     */
    record Wait(
            Resource time,
            String kind,
            long lock,
            long thread,
            CallChain chain,
            long nanos,
            boolean over) {}

    /**
     * Somebody waited.
     *
     * @param parts what of that is to be added, which may not be all
     * @param asked who had the lock when the JVM was asked, for parts whose owner is not known; its
     *     type does not matter
     */
    void waited(Wait wait, List<Ownership.Part> parts, Optional<LockEvent> asked) {
        List<Ownership.Part> all = parts.isEmpty() ? List.of(NOTHING) : parts;
        int largest = 0;
        for (int i = 1; i < all.size(); i++) {
            largest = all.get(i).nanos() > all.get(largest).nanos() ? i : largest;
        }
        Lock named = lock(wait.kind, wait.lock);
        Consumer blocked = names.threadOf(wait.thread);
        for (int i = 0; i < all.size(); i++) {
            Ownership.Part part = all.get(i);
            contentions.add(
                    wait.time,
                    named,
                    wait.nanos,
                    blocked,
                    wait.chain,
                    owner(part, asked),
                    wait.over && i == largest,
                    part.nanos());
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

    private Owner owner(Ownership.Part part, Optional<LockEvent> asked) {
        return switch (part.cause()) {
            case OWNER -> new Owner(names.threadOf(part.thread()), names.chainOf(part.chain()));
            case HANDOVER -> Owner.NOBODY;
            case UNKNOWN ->
                    asked.map(
                                    event ->
                                            new Owner(
                                                    lookedUp(names.threadOf(event.thread())),
                                                    names.chainOf(event.chain())))
                            .orElse(Owner.UNKNOWN);
        };
    }

    private static Consumer lookedUp(Consumer thread) {
        return Consumer.thread(thread.owner(), thread.name() + LOOKED_UP);
    }

    /** All contentions since the last time, as a Profile. */
    Profile take(Provenance provenance) {
        Profile profile = builder.build(provenance);
        named.clear();
        builder = new ProfileBuilder();
        contentions = new ContentionBuilder(builder);
        return profile;
    }
}
