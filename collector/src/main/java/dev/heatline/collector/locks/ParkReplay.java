package dev.heatline.collector.locks;

import dev.heatline.model.CallChain;
import dev.heatline.wire.LockTrace;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Replays all park events (001 §4.3.1, figure 4.6). Who unparks a thread that waits for a lock has
 * just left that lock, and had kept everybody waiting who is parked with the same blocker, not only
 * the one who is woken. A blocked thread's time is therefore divided at every unpark of its
 * blocker.
 */
final class ParkReplay implements EventOrder.Replay {
    /** Of parks that are shorter and that nobody ended, the tracer does not tell who parked. */
    private static final long BRIEF_NANOS = 20_000;

    private final TraceNames names;
    private final ContentionSink sink;
    private final Map<Long, Park> parked = new HashMap<>();
    private final Map<Long, Waiters> waiters = new HashMap<>();

    private static final class Park {
        private final LockEvent begin;
        private Optional<LockEvent> unpark = Optional.empty();

        /** What was before this is accounted for. */
        private long since;

        /** Whether events are missing since it began, so that it may have ended long ago. */
        private boolean lost;

        Park(LockEvent begin) {
            this.begin = begin;
            this.since = begin.nanos();
        }
    }

    /** Those who are parked with one blocker, and who had it meanwhile. */
    private static final class Waiters {
        private final Ownership ownership = new Ownership();

        private final Map<Long, Park> parks = new LinkedHashMap<>();

        /** The last who was woken and may have the lock now, and who woke it. */
        private Optional<LockEvent> woken = Optional.empty();

        private Optional<LockEvent> wokenBy = Optional.empty();

        /** Since when somebody is parked who did not go on unseen; empty if nobody is. */
        Optional<Long> longest() {
            return parks.values().stream()
                    .filter(park -> !park.lost)
                    .map(park -> park.begin.nanos())
                    .findFirst();
        }

        /** What is known of owners does not hold any more. */
        void forget() {
            ownership.clear();
            woken = Optional.empty();
            wokenBy = Optional.empty();
        }

        /** Nobody who is parked is accounted for only up to a moment before this. */
        long accounted() {
            return parks.values().iterator().next().since - BRIEF_NANOS;
        }
    }

    ParkReplay(TraceNames names, ContentionSink sink) {
        this.names = names;
        this.sink = sink;
    }

    @Override
    public void next(LockEvent event) {
        switch (event.type()) {
            case LockTrace.PARK -> park(event);
            case LockTrace.UNPARK -> unpark(event);
            case LockTrace.PARKED -> end(event);
            default -> throw new IllegalArgumentException("no park event: " + event);
        }
    }

    private void park(LockEvent event) {
        Park park = new Park(event);
        Park before = parked.put(event.thread(), park);
        if (before != null) {
            // Its end never came.
            leave(event.thread(), before);
        }
        if (event.lock() != 0) {
            names.blocker(event.lock());
            Waiters all = waiters.computeIfAbsent(event.lock(), _ -> new Waiters());
            // Who parks again did not get the lock.
            all.woken = all.woken.filter(last -> last.thread() != event.thread());
            all.parks.put(event.thread(), park);
        }
    }

    private void unpark(LockEvent event) {
        Park park = parked.get(event.other());
        if (park == null) {
            return;
        }
        park.unpark = Optional.of(event);
        Waiters all = waiters.get(park.begin.lock());
        if (all == null) {
            return;
        }
        if (Blocker.isPassedOn(names.chainOf(event.chain()))) {
            // It waited itself until now, and left nothing. Who woke it has woken both.
            if (isBy(all.woken, event)) {
                park.unpark = all.wokenBy;
            }
            return;
        }
        long from = isBy(all.woken, event) ? all.woken.get().nanos() : sinceWhen(all, event);
        if (from < event.nanos()) {
            all.ownership.held(from, event.nanos(), event.thread(), event.chain());
            Blocker blocker = blocker(park.begin.lock(), CallChain.NONE);
            if (blocker.hasOwner()) {
                sink.held(
                        blocker.kind(),
                        park.begin.lock(),
                        event.thread(),
                        event.chain(),
                        event.nanos() - from);
            }
        }
        all.woken = Optional.empty();
    }

    private static boolean isBy(Optional<LockEvent> one, LockEvent other) {
        return one.isPresent() && one.get().thread() == other.thread();
    }

    /** {@link Ownership#NOT_YET} is before any moment. */
    private static long sinceWhen(Waiters all, LockEvent event) {
        return Math.max(all.ownership.left(), all.longest().orElse(event.nanos()));
    }

    private void end(LockEvent event) {
        Park park = parked.remove(event.thread());
        if (park == null) {
            return;
        }
        if (isTold(park, event)) {
            CallChain chain = names.chainOf(event.chain());
            Blocker blocker = blocker(park.begin.lock(), chain);
            List<Ownership.Part> parts =
                    event.nanos() > park.since ? parts(park, blocker, event.nanos()) : List.of();
            if (blocker.hasOwner() && wasFree(park, event)) {
                parts = parts.stream().map(ParkReplay::onItsWay).toList();
            }
            account(park, event.thread(), chain, event.nanos(), true, parts);
        }
        leave(event.thread(), park)
                .ifPresent(
                        others -> {
                            others.woken = park.unpark.map(_ -> event);
                            others.wokenBy = park.unpark;
                        });
    }

    /** A chain can be missing for other reasons, too: there was no room for it. */
    private static boolean isTold(Park park, LockEvent end) {
        return end.chain() != 0
                || end.other() != 0
                || end.nanos() - park.begin.nanos() >= BRIEF_NANOS;
    }

    /**
     * Whether the lock was already on its way when the thread parked: it was woken before it did.
     * So was who goes on without having been woken or having had enough.
     */
    private static boolean wasFree(Park park, LockEvent end) {
        boolean timed = park.begin.other() != 0;
        return park.unpark.map(by -> by.nanos() <= park.since).orElse(end.other() == 0 && !timed);
    }

    private static Ownership.Part onItsWay(Ownership.Part part) {
        return part.cause() == Ownership.Cause.UNKNOWN
                ? new Ownership.Part(Ownership.Cause.HANDOVER, 0, 0, part.from(), part.nanos())
                : part;
    }

    /** Returns those who are still parked with the same blocker, if there are any. */
    private Optional<Waiters> leave(long thread, Park park) {
        Waiters all = waiters.get(park.begin.lock());
        if (all == null) {
            return Optional.empty();
        }
        all.parks.remove(thread);
        if (all.parks.isEmpty()) {
            waiters.remove(park.begin.lock());
            return Optional.empty();
        }
        all.ownership.forgetBefore(all.accounted());
        return Optional.of(all);
    }

    private Blocker blocker(long lock, CallChain chain) {
        return Blocker.of(names.lockOf(lock).className(), chain);
    }

    private List<Ownership.Part> parts(Park park, Blocker blocker, long until) {
        Waiters all = waiters.get(park.begin.lock());
        return blocker.hasOwner() && all != null
                ? all.ownership.divide(park.since, until)
                : List.of(wakers(park, until - park.since));
    }

    private List<Ownership.Part> partsSoFar(Park park, Blocker blocker, long until) {
        Waiters all = waiters.get(park.begin.lock());
        return blocker.hasOwner() && all != null
                ? all.ownership.divideSoFar(park.since, until, all.woken)
                : List.of(wakers(park, until - park.since));
    }

    private void account(
            Park park,
            long thread,
            CallChain chain,
            long until,
            boolean over,
            List<Ownership.Part> parts) {
        long nanos = until - park.begin.nanos();
        if (nanos > 0) {
            Blocker blocker = blocker(park.begin.lock(), chain);
            sink.waited(
                    new ContentionSink.Wait(
                            blocker.time(),
                            blocker.kind(),
                            park.begin.lock(),
                            thread,
                            chain,
                            nanos,
                            over),
                    parts,
                    Optional.empty());
        }
    }

    /** Where there is no owner, who woke the thread is the one it waited for. */
    private static Ownership.Part wakers(Park park, long nanos) {
        return park.unpark
                .map(
                        by ->
                                new Ownership.Part(
                                        Ownership.Cause.OWNER, by.thread(), by.chain(), 0, nanos))
                .orElseGet(() -> new Ownership.Part(Ownership.Cause.UNKNOWN, 0, 0, 0, nanos));
    }

    @Override
    public void gap() {
        waiters.values().forEach(Waiters::forget);
        // Whoever did not go on since the last time may never do, and there is no end of threads.
        Map<Long, Park> goneOn = new HashMap<>(parked);
        goneOn.values().removeIf(park -> !park.lost);
        goneOn.forEach(
                (thread, park) -> {
                    parked.remove(thread);
                    leave(thread, park);
                });
        parked.values().forEach(park -> park.lost = true);
    }

    @Override
    public boolean isIdle() {
        return parked.isEmpty();
    }

    /** Those who parked just now may not even be told of in the end. */
    @Override
    public void cut(long nanos) {
        soFar(nanos - BRIEF_NANOS, nanos, false);
    }

    @Override
    public void end(long nanos) {
        soFar(nanos, nanos, true);
        parked.clear();
        waiters.clear();
    }

    /** Without a call chain: it is taken when a park ends. */
    private void soFar(long begunBefore, long until, boolean over) {
        parked.forEach(
                (thread, park) -> {
                    boolean more = until > park.since;
                    if (!park.lost && park.begin.nanos() <= begunBefore && (over || more)) {
                        Blocker blocker = blocker(park.begin.lock(), CallChain.NONE);
                        List<Ownership.Part> parts =
                                more ? partsSoFar(park, blocker, until) : List.of();
                        account(park, thread, CallChain.NONE, until, over, parts);
                        park.since = Math.max(park.since, until);
                    }
                });
    }
}
