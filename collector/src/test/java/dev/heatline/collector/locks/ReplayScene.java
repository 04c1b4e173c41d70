package dev.heatline.collector.locks;

import dev.heatline.model.Column;
import dev.heatline.model.ContentionAspect;
import dev.heatline.model.Contentions;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import dev.heatline.wire.LockTrace;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Four threads, a monitor, a lock and a condition of it, with what happens to them as a tracer
 * tells it, and who is blamed for it. Times in milliseconds.
 */
class ReplayScene {
    static final long MONITOR = 1;
    static final long MUTEX = 2;
    static final long CONDITION = 3;
    static final long MILLI = 1_000_000;

    final TraceNames names = new TraceNames();
    final ContentionSink sink = new ContentionSink(names, Instant.EPOCH);
    final EventOrder order =
            new EventOrder(
                    new ParkReplay(names, sink), lock -> new MonitorReplay(lock, names, sink));
    final Map<Long, Long> sequences = new TreeMap<>();

    ReplayScene() {
        names.className(1, "shop.Stock");
        names.className(2, "java.util.concurrent.locks.ReentrantLock$NonfairSync");
        names.className(3, "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject");
        names.lock(MONITOR, 1, 0xabc);
        names.lock(MUTEX, 2, 0xdef);
        names.lock(CONDITION, 3, 0x123);
        for (long thread = 1; thread <= 4; thread++) {
            names.thread(thread, "T" + thread, false);
            names.method(thread, 1, "work" + thread, "()V");
            names.chain(thread, List.of(thread), List.of(0), false);
        }
    }

    /** The chain of a thread is its own. */
    LockEvent event(int type, double millis, long thread, long lock, long other) {
        boolean park = type >= LockTrace.PARK;
        long place = sequences.merge(park ? 0 : lock, 1L, Long::sum);
        boolean hasChain = type != LockTrace.PARK && type != LockTrace.ENTERED;
        return new LockEvent(
                type,
                Math.round(millis * MILLI),
                thread,
                lock,
                place,
                other,
                hasChain ? thread : 0);
    }

    LockEvent monitor(int type, double millis, long thread) {
        return event(type, millis, thread, MONITOR, 0);
    }

    LockEvent park(double millis, long thread) {
        return event(LockTrace.PARK, millis, thread, MUTEX, 0);
    }

    LockEvent parked(double millis, long thread) {
        return event(LockTrace.PARKED, millis, thread, 0, 0);
    }

    LockEvent unpark(double millis, long thread, long other) {
        return event(LockTrace.UNPARK, millis, thread, 0, other);
    }

    static LockEvent withChain(LockEvent event, long chain) {
        return new LockEvent(
                event.type(),
                event.nanos(),
                event.thread(),
                event.lock(),
                event.order(),
                event.other(),
                chain);
    }

    /** Milliseconds by blocked thread and owner. */
    Map<String, Double> blame(String resource) {
        Map<String, Double> blame = new TreeMap<>();
        by(sink.take(Provenance.NONE), resource, "blocked-thread,owner-thread")
                .forEach((path, millis) -> blame.put(path.replace("/", " by "), millis));
        return blame;
    }

    static Map<String, Double> by(Profile profile, String resource, String aspects) {
        Profile arranged = Contentions.by(profile, ContentionAspect.parse(aspects));
        Column column = arranged.requireColumn(resource);
        Map<String, Double> sums = new TreeMap<>();
        for (int row = 0; row < column.rows(); row++) {
            String path =
                    String.join(
                            "/",
                            arranged.path(column.node(row)).stream()
                                    .map(consumer -> consumer.display())
                                    .toList());
            sums.merge(path, (double) column.value(row) / MILLI, Double::sum);
        }
        return sums;
    }
}
