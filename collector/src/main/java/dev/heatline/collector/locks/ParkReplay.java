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
    private final TraceNames names;
    private final ContentionSink sink;
    private final Map<Long, Park> parked = new HashMap<>();
    private final Map<Long, Waiters> waiters = new HashMap<>();

    private static final class Park {
        private final LockEvent begin;
        private Optional<LockEvent> unpark = Optional.empty();

        Park(LockEvent begin) {
            this.begin = begin;
        }
    }

    /** Those who are parked with one blocker, and who had it meanwhile. */
    private static final class Waiters {
        private final Ownership ownership = new Ownership();

        private final Map<Long, Park> parks = new LinkedHashMap<>();

        /** The last who was woken and may have the lock now. */
        private Optional<LockEvent> woken = Optional.empty();

        long longest() {
            return parks.values().iterator().next().begin.nanos();
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
            Waiters all = waiters.computeIfAbsent(event.lock(), _ -> new Waiters());
            if (all.parks.isEmpty() && all.woken.isEmpty()) {
                all.ownership.clear();
            }
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
        if (all != null) {
            long from =
                    all.woken
                            .filter(last -> last.thread() == event.thread())
                            .map(LockEvent::nanos)
                            .orElseGet(() -> sinceWhen(all));
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
    }

    private static long sinceWhen(Waiters all) {
        long left = all.ownership.left();
        return left == Ownership.NOT_YET ? all.longest() : Math.max(left, all.longest());
    }

    private void end(LockEvent event) {
        Park park = parked.remove(event.thread());
        if (park == null) {
            return;
        }
        if (event.chain() != 0) {
            account(park, event.thread(), names.chainOf(event.chain()), event.nanos());
        }
        leave(event.thread(), park).ifPresent(others -> others.woken = park.unpark.map(_ -> event));
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
        all.ownership.forgetBefore(all.longest());
        return Optional.of(all);
    }

    private Blocker blocker(long lock, CallChain chain) {
        return Blocker.of(names.lockOf(lock).className(), chain);
    }

    private void account(Park park, long thread, CallChain chain, long until) {
        long since = park.begin.nanos();
        if (until <= since) {
            return;
        }
        Blocker blocker = blocker(park.begin.lock(), chain);
        Waiters all = waiters.get(park.begin.lock());
        List<Ownership.Part> parts =
                blocker.hasOwner() && all != null
                        ? all.ownership.divide(since, until)
                        : List.of(wakers(park, until - since));
        sink.waited(
                blocker.time(),
                blocker.kind(),
                park.begin.lock(),
                thread,
                chain,
                parts,
                Optional.empty());
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
        waiters.values().forEach(all -> all.ownership.clear());
    }

    @Override
    public boolean isIdle() {
        return parked.isEmpty();
    }

    /** Without a call chain: it is taken when a park ends. */
    @Override
    public void end(long nanos) {
        parked.forEach((thread, park) -> account(park, thread, CallChain.NONE, nanos));
        parked.clear();
        waiters.clear();
    }
}
