package dev.heatline.collector.locks;

import dev.heatline.model.CallChain;
import dev.heatline.model.ContentionBuilder;
import dev.heatline.model.Resource;
import dev.heatline.wire.LockTrace;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Replays the events of one monitor. A blocked thread's time is divided at every exit of an owner
 * (001 §4.3.1, figure 4.4). An exit explains only the time since that owner's own entry, if the
 * entry was seen: the lock may have been somebody else's before.
 */
final class MonitorReplay implements EventOrder.Replay {
    static final String KIND = "monitor";
    static final String AFTER_WAIT = "monitor after wait";
    static final String WAIT = "wait";

    private final long lock;
    private final TraceNames names;
    private final ContentionSink sink;
    private final Ownership ownership = new Ownership();

    /** Threads that want the monitor, first come first. */
    private final Map<Long, Waiter> waiters = new LinkedHashMap<>();

    /** Threads inside {@code Object.wait}. */
    private final Map<Long, Waiter> waiting = new LinkedHashMap<>();

    /** The owner whose entry was seen and whose exit was not yet; empty if that is nobody. */
    private Optional<LockEvent> owner = Optional.empty();

    /** By then an owner had left whose entry was seen, and its exit was not. */
    private long leftUnseen = Ownership.NOT_YET;

    private final Sightings sightings = new Sightings();

    /**
     * A thread that waits.
     *
     * @param begin when it began
     * @param since what was before this is accounted for
     * @param lost whether events are missing since it began, so that it may have ended long ago
     */
    private record Waiter(String kind, long begin, long since, long chain, boolean lost) {
        Waiter(String kind, LockEvent event, long chain) {
            this(kind, event.nanos(), event.nanos(), chain, false);
        }

        Waiter cutAt(long nanos) {
            return lost ? this : new Waiter(kind, begin, Math.max(since, nanos), chain, false);
        }

        Waiter asLost() {
            return new Waiter(kind, begin, since, chain, true);
        }
    }

    MonitorReplay(long lock, TraceNames names, ContentionSink sink) {
        this.lock = lock;
        this.names = names;
        this.sink = sink;
    }

    @Override
    public void next(LockEvent event) {
        switch (event.type()) {
            case LockTrace.ENTER -> block(KIND, event, event.chain());
            case LockTrace.ENTERED, LockTrace.REENTERED -> enter(event);
            case LockTrace.EXIT -> leave(event);
            case LockTrace.WAIT -> {
                // Where its entry was lost, it seems to want the monitor still.
                waiters.remove(event.thread());
                leave(event);
                waiting.put(event.thread(), new Waiter(WAIT, event, event.chain()));
            }
            case LockTrace.WAITED -> wake(event);
            case LockTrace.OWNER -> sightings.add(event, entered(event));
            default -> throw new IllegalArgumentException("no monitor event: " + event);
        }
    }

    /** When an owner that was found did enter, if that was seen, or is just about to be told. */
    private OptionalLong entered(LockEvent found) {
        if (waiters.containsKey(found.thread())) {
            return OptionalLong.of(found.nanos());
        }
        return owner.filter(entry -> entry.thread() == found.thread())
                .map(entry -> OptionalLong.of(Math.min(entry.nanos(), found.nanos())))
                .orElse(OptionalLong.empty());
    }

    private void block(String kind, LockEvent event, long chain) {
        if (longest().isEmpty()) {
            // Exits that nobody waited for were not told, so what was known of owners is old.
            forget();
        }
        sightings.endOf(event.thread(), event.nanos());
        if (owner.isPresent() && owner.get().thread() == event.thread()) {
            owner = Optional.empty();
            leftUnseen = event.nanos();
        }
        // One that is still there from before, since its entry was lost, would keep its place.
        waiters.remove(event.thread());
        waiters.put(event.thread(), new Waiter(kind, event, chain));
    }

    private void wake(LockEvent event) {
        Waiter wait = waiting.remove(event.thread());
        if (wait != null) {
            accountWait(event.thread(), wait, event.nanos(), true);
        }
        block(AFTER_WAIT, event, wait == null ? 0 : wait.chain);
    }

    /** Since when somebody waits who was not let in unseen; empty if nobody does. */
    private Optional<Long> longest() {
        return waiters.values().stream()
                .filter(waiter -> !waiter.lost)
                .map(waiter -> waiter.begin)
                .findFirst();
    }

    /** Nobody has what it waits for: that is yet to happen. */
    private void accountWait(long thread, Waiter wait, long until, boolean over) {
        long nanos = Math.max(0, until - wait.since);
        if (until > wait.begin) {
            sink.waited(
                    told(ContentionBuilder.WAITED, thread, wait, until, over),
                    List.of(new Ownership.Part(Ownership.Cause.UNKNOWN, 0, 0, wait.since, nanos)));
        }
    }

    private ContentionSink.Wait told(
            Resource time, long thread, Waiter waiter, long until, boolean over) {
        CallChain chain = names.chainOf(waiter.chain);
        return new ContentionSink.Wait(
                time, waiter.kind, lock, thread, chain, waiter.begin, until, over);
    }

    private void leave(LockEvent event) {
        if (waiters.isEmpty()) {
            return;
        }
        long from = event.other() == 0 ? sinceWhen(event) : event.nanos() - event.other();
        if (from < event.nanos()) {
            ownership.held(from, event.nanos(), event.thread(), event.chain());
            sink.held(KIND, lock, event.thread(), event.chain(), event.nanos() - from);
        }
        owner = Optional.empty();
        sightings.end(event.nanos());
    }

    /**
     * Since when an owner can have had the monitor whose entry was not seen: since the owner before
     * it left, at the latest since that one wanted it again, or for as long as anybody waited.
     * Where the entry of another was seen and no exit of that one, nobody knows.
     */
    private long sinceWhen(LockEvent exit) {
        if (owner.isPresent()) {
            return owner.get().thread() == exit.thread() ? owner.get().nanos() : exit.nanos();
        }
        long left = Math.max(ownership.left(), leftUnseen);
        return left == Ownership.NOT_YET ? longest().orElse(exit.nanos()) : left;
    }

    private void enter(LockEvent event) {
        Waiter waiter = waiters.remove(event.thread());
        sightings.end(event.nanos());
        if (waiter != null) {
            List<Ownership.Part> parts =
                    event.nanos() > waiter.since
                            ? ownership.divide(waiter.since, event.nanos())
                            : List.of();
            account(event.thread(), waiter, event.nanos(), true, parts);
        }
        owner = Optional.of(event);
        if (waiters.isEmpty()) {
            sightings.clear();
        } else {
            long since = waiters.values().iterator().next().since;
            ownership.forgetBefore(since);
            sightings.forgetBefore(since);
        }
    }

    private void account(
            long thread, Waiter waiter, long until, boolean over, List<Ownership.Part> parts) {
        if (until > waiter.begin) {
            sink.waited(
                    told(ContentionBuilder.BLOCKED, thread, waiter, until, over),
                    parts.stream().flatMap(part -> explained(part, thread)).toList());
        }
    }

    /**
     * Who was seen while the monitor seemed to be on its way had it without anybody seeing that.
     */
    private Stream<Ownership.Part> explained(Ownership.Part part, long waiter) {
        return part.cause() == Ownership.Cause.OWNER
                ? Stream.of(part)
                : sightings.explain(part, waiter).stream();
    }

    private void forget() {
        ownership.clear();
        sightings.clear();
        owner = Optional.empty();
        leftUnseen = Ownership.NOT_YET;
    }

    @Override
    public void gap() {
        forget();
        lose(waiters);
        lose(waiting);
    }

    /** Whoever was lost before and did not turn up since never will. */
    private static void lose(Map<Long, Waiter> those) {
        those.values().removeIf(Waiter::lost);
        those.replaceAll((_, waiter) -> waiter.asLost());
    }

    @Override
    public boolean isIdle() {
        return Stream.of(waiters, waiting)
                .flatMap(those -> those.values().stream())
                .allMatch(Waiter::lost);
    }

    @Override
    public void cut(long nanos) {
        soFar(nanos, false);
        waiters.replaceAll((_, waiter) -> waiter.cutAt(nanos));
        waiting.replaceAll((_, wait) -> wait.cutAt(nanos));
    }

    @Override
    public void end(long nanos) {
        soFar(nanos, true);
        waiters.clear();
        waiting.clear();
    }

    /** Accounts for those who still wait, as far as that was not done. */
    private void soFar(long until, boolean over) {
        waiters.forEach(
                (thread, waiter) -> {
                    if (!waiter.lost && (over || until > waiter.since)) {
                        account(thread, waiter, until, over, soFar(waiter, until));
                    }
                });
        waiting.forEach(
                (thread, wait) -> {
                    if (!wait.lost && (over || until > wait.since)) {
                        accountWait(thread, wait, until, over);
                    }
                });
    }

    private List<Ownership.Part> soFar(Waiter waiter, long until) {
        return until > waiter.since ? ownership.divideSoFar(waiter.since, until, owner) : List.of();
    }
}
