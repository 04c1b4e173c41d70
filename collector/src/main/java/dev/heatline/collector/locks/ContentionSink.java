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
import java.util.List;
import java.util.Optional;

/** Takes the contentions that replays find, and gives them their names. */
final class ContentionSink {
    private static final String LOOKED_UP = " [looked up]";

    private final TraceNames names;
    private ProfileBuilder builder = new ProfileBuilder();
    private ContentionBuilder contentions = new ContentionBuilder(builder);
    private long count;

    ContentionSink(TraceNames names) {
        this.names = names;
    }

    /** How many threads were kept waiting so far, each time counted. */
    long count() {
        return count;
    }

    /**
     * Somebody waited.
     *
     * @param time what it counts as: being blocked, or just waiting
     * @param kind of lock
     * @param parts of the time, which add up to it
     * @param asked who had the lock when the JVM was asked, for parts whose owner is not known; its
     *     type does not matter
     */
    void waited(
            Resource time,
            String kind,
            long lock,
            long thread,
            CallChain chain,
            List<Ownership.Part> parts,
            Optional<LockEvent> asked) {
        long total = 0;
        int largest = 0;
        for (int i = 0; i < parts.size(); i++) {
            total += parts.get(i).nanos();
            largest = parts.get(i).nanos() > parts.get(largest).nanos() ? i : largest;
        }
        Lock named = lock(kind, lock);
        Consumer blocked = names.threadOf(thread);
        for (int i = 0; i < parts.size(); i++) {
            Ownership.Part part = parts.get(i);
            contentions.add(
                    time,
                    named,
                    total,
                    blocked,
                    chain,
                    owner(part, asked),
                    i == largest,
                    part.nanos());
        }
        count++;
    }

    /** Somebody held a lock that others wanted. */
    void held(String kind, long lock, long thread, long chain, long nanos) {
        contentions.addHold(
                lock(kind, lock), new Owner(names.threadOf(thread), names.chainOf(chain)), nanos);
    }

    private Lock lock(String kind, long lock) {
        TraceNames.LockObject object = names.lockOf(lock);
        String className = object.className().isEmpty() ? "[no blocker]" : object.className();
        return new Lock(kind, className, object.name());
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
        builder = new ProfileBuilder();
        contentions = new ContentionBuilder(builder);
        return profile;
    }
}
