package dev.heatline.collector.locks;

import dev.heatline.model.CallChain;
import dev.heatline.wire.LockTrace;
import java.util.HashMap;
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
    private final TraceNames names;
    private final ContentionSink sink;
    private final Map<Long, Park> parked = new HashMap<>();
    private final Map<Long, ParkedThreads> waiters = new HashMap<>();

    ParkReplay(TraceNames names, ContentionSink sink) {
        this.names = names;
        this.sink = sink;
    }

    @Override
    public void next(LockEvent event) {
        switch (event.type()) {
            case LockTrace.PARK -> park(event);
            case LockTrace.SIGNAL -> signal(event);
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
            enter(event.thread(), park);
        }
    }

    private ParkedThreads enter(long thread, Park park) {
        names.blocker(park.lock());
        ParkedThreads all = waiters.computeIfAbsent(park.lock(), _ -> new ParkedThreads());
        all.add(thread, park);
        return all;
    }

    /** Who is signalled does not wait for the condition any more, but for the lock's owners. */
    private void signal(LockEvent event) {
        Park park = parked.get(event.other());
        // Without an identifier of the lock, nobody knows what it waits for from now on.
        if (park == null
                || park.unpark().isPresent()
                || park.signal().isPresent()
                || event.lock() == 0) {
            return;
        }
        leave(event.other(), park);
        park.signalledBy(event);
        enter(event.other(), park).signalled(event);
    }

    private void unpark(LockEvent event) {
        Park park = parked.get(event.other());
        if (park == null) {
            return;
        }
        park.wokenBy(Optional.of(event));
        ParkedThreads all = waiters.get(park.lock());
        if (all == null) {
            return;
        }
        if (Blocker.isPassedOn(names.chainOf(event.chain()))) {
            // It waited itself until now, and left nothing. Who woke it has woken both.
            if (all.isByWoken(event)) {
                park.wokenBy(all.wokenBy());
            }
            return;
        }
        long from = all.heldSince(event);
        if (from < event.nanos()) {
            all.left(from, event);
            Blocker blocker = blocker(park, CallChain.NONE);
            if (blocker.hasOwner() && !(park.isLetGoAtOnce() && all.isOne())) {
                long held = event.nanos() - from;
                sink.held(blocker.kind(), park.lock(), event.thread(), event.chain(), held);
            }
        }
        all.forgetWoken();
    }

    private void end(LockEvent event) {
        Park park = parked.remove(event.thread());
        if (park == null) {
            return;
        }
        if (isTold(park, event)) {
            CallChain chain = names.chainOf(event.chain());
            if (!park.isLetGoAtOnce()) {
                accountEnd(park, event, chain);
            }
            accountCondition(event.thread(), park, chain, event.nanos(), true);
        }
        leave(event.thread(), park).ifPresent(others -> others.goesOn(event, park.unpark()));
    }

    private void accountEnd(Park park, LockEvent event, CallChain chain) {
        Blocker blocker = blocker(park, chain);
        long until = park.waitedUntil(event.nanos());
        List<Ownership.Part> parts = parts(park, blocker, until, gaveUp(park));
        if (blocker.hasOwner() && wasFree(park, event)) {
            parts = parts.stream().map(ParkReplay::onItsWay).toList();
        }
        account(event.thread(), park.current(), blocker, chain, until, true, parts);
        park.current().accountedUntil(until);
    }

    /** The wait for a condition, if a signal has ended one: all that was not for the lock. */
    private void accountCondition(
            long thread, Park park, CallChain chain, long until, boolean over) {
        if (park.condition().isEmpty()) {
            return;
        }
        Park.Wait wait = park.condition().get();
        LockEvent by = park.signal().orElseThrow();
        Park.Wait forLock = park.current();
        Ownership.Part before = caused(by, wait.since(), Math.min(until, forLock.from()));
        Ownership.Part after = caused(by, Math.max(forLock.since(), wait.since()), until);
        if (over || before.nanos() + after.nanos() > 0) {
            account(thread, wait, Blocker.CONDITION, chain, until, over, List.of(before, after));
        }
        wait.accountedUntil(until);
        if (over) {
            park.forgetCondition();
        }
    }

    private static Ownership.Part caused(LockEvent by, long from, long until) {
        return new Ownership.Part(
                Ownership.Cause.OWNER, by.thread(), by.chain(), from, Math.max(0, until - from));
    }

    /** A chain can be missing for other reasons, too: there was no room for it. */
    private static boolean isTold(Park park, LockEvent end) {
        return end.chain() != 0
                || end.other() != 0
                || end.nanos() - park.from() >= Park.BRIEF_NANOS;
    }

    /**
     * Whether the lock was already on its way when the thread parked: it was woken before it did.
     * So was who goes on without having been woken or having had enough.
     */
    private static boolean wasFree(Park park, LockEvent end) {
        return park.unpark()
                .map(by -> by.nanos() <= park.current().since())
                .orElse(end.other() == 0 && !park.isTimed() && !gaveUp(park));
    }

    /** Whether it was signalled, and did not wait until the lock was left for it. */
    private static boolean gaveUp(Park park) {
        return park.signal().isPresent() && park.unpark().isEmpty();
    }

    private static Ownership.Part onItsWay(Ownership.Part part) {
        return part.cause() == Ownership.Cause.UNKNOWN
                ? new Ownership.Part(Ownership.Cause.HANDOVER, 0, 0, part.from(), part.nanos())
                : part;
    }

    /** Returns those who are still parked with the same blocker, if there are any. */
    private Optional<ParkedThreads> leave(long thread, Park park) {
        ParkedThreads all = waiters.get(park.lock());
        if (all == null) {
            return Optional.empty();
        }
        all.remove(thread);
        if (all.isEmpty()) {
            waiters.remove(park.lock());
            return Optional.empty();
        }
        return Optional.of(all);
    }

    /** Who was signalled wants a lock back, whatever its call chain. */
    private Blocker blocker(Park park, CallChain chain) {
        Blocker blocker = Blocker.of(names.lockOf(park.lock()).className(), chain);
        return blocker.hasOwner() && park.signal().isPresent() ? Blocker.LOCK_AFTER_WAIT : blocker;
    }

    /** What is not accounted for yet. */
    private List<Ownership.Part> parts(Park park, Blocker blocker, long until, boolean waits) {
        long since = park.current().since();
        ParkedThreads all = waiters.get(park.lock());
        if (until <= since) {
            return List.of();
        }
        if (!blocker.hasOwner() || all == null) {
            return List.of(wakers(park, until));
        }
        return waits ? all.divideSoFar(since, until) : all.divide(since, until);
    }

    private void account(
            long thread,
            Park.Wait wait,
            Blocker blocker,
            CallChain chain,
            long until,
            boolean over,
            List<Ownership.Part> parts) {
        if (until > wait.from()) {
            sink.waited(
                    new ContentionSink.Wait(
                            blocker.time(),
                            blocker.kind(),
                            wait.lock(),
                            thread,
                            chain,
                            wait.from(),
                            until,
                            over),
                    parts);
        }
    }

    /** Where there is no owner, who woke the thread is the one it waited for. */
    private static Ownership.Part wakers(Park park, long until) {
        long since = park.current().since();
        Ownership.Cause cause =
                park.unpark().isPresent() ? Ownership.Cause.OWNER : Ownership.Cause.UNKNOWN;
        return new Ownership.Part(
                cause,
                park.unpark().map(LockEvent::thread).orElse(0L),
                park.unpark().map(LockEvent::chain).orElse(0L),
                since,
                until - since);
    }

    @Override
    public void gap() {
        waiters.values().forEach(ParkedThreads::forget);
        // Whoever did not go on since the last time may never do, and there is no end of threads.
        Map<Long, Park> goneOn = new HashMap<>(parked);
        goneOn.values().removeIf(park -> !park.isLost());
        goneOn.forEach(
                (thread, park) -> {
                    parked.remove(thread);
                    leave(thread, park);
                });
        parked.values().forEach(Park::lose);
    }

    @Override
    public boolean isIdle() {
        return parked.isEmpty();
    }

    /** Those who parked just now may not even be told of in the end. */
    @Override
    public void cut(long nanos) {
        soFar(nanos - Park.BRIEF_NANOS, nanos, false);
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
                    if (!park.isLost() && park.from() <= begunBefore) {
                        soFar(thread, park, begunBefore, until, over);
                    }
                });
    }

    private void soFar(long thread, Park park, long begunBefore, long until, boolean over) {
        Park.Wait wait = park.current();
        boolean briefly = park.isLetGoAtOnce();
        boolean decided = briefly || over || park.isDecided(begunBefore);
        if (decided && !briefly) {
            long waited = park.waitedUntil(until);
            if (over || waited > wait.since()) {
                Blocker blocker = blocker(park, CallChain.NONE);
                List<Ownership.Part> parts = parts(park, blocker, waited, true);
                account(thread, wait, blocker, CallChain.NONE, waited, over, parts);
                wait.accountedUntil(waited);
            }
        }
        long known = decided ? until : Math.min(until, wait.from());
        accountCondition(thread, park, CallChain.NONE, known, over);
    }
}
