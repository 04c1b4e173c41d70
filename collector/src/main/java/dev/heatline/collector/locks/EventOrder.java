package dev.heatline.collector.locks;

import dev.heatline.wire.LockTrace;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.LongFunction;

/**
 * Brings the events of each lock into their order (001 §4.2.2, "Event Ordering"). Threads publish
 * what they saw each for itself, so an event can come before another that happened earlier. The
 * numbers of a lock's events have no gaps, which tells whether one is still to come.
 *
 * <p>An event that was dropped never comes. It is waited for until the trace was looked at twice
 * more, and for longer than a thread is kept from publishing what it saw on a busy machine.
 */
final class EventOrder {
    private static final int PATIENCE = 2;
    static final long PATIENCE_NANOS = 2_000_000_000L;

    /** Beyond so many locks, those that nobody waits for are forgotten. */
    static final int MOST = 100_000;

    /**
     * But not the last so many that something happened to: a lock that the tracer still knows goes
     * on in its order. It knows 32K, and as many may have been used since and were forgotten.
     */
    static final int LEAST = 70_000;

    /** Where all park events go: they have one order for all locks. */
    private static final long PARKS = 0;

    private final LongFunction<Replay> monitors;

    /** What something happened to last is last. */
    private final Map<Long, Queue> queues = new LinkedHashMap<>(16, 0.75f, true);

    private long missing;

    /** What replays the events of a lock, or all park events. */
    interface Replay {
        void next(LockEvent event);

        /** Events are missing before the next. */
        void gap();

        /** Whether nobody waits. */
        boolean isIdle();

        /** Accounts for those who still wait up to this moment; all events before it are known. */
        void cut(long nanos);

        /** Nothing more comes: whoever still waits has waited until now. */
        void end(long nanos);
    }

    private static final class Queue {
        private final Replay replay;
        private final PriorityQueue<LockEvent> early =
                new PriorityQueue<>(Comparator.comparingLong(LockEvent::order));
        private long expected = 1;
        private int looks;
        private long missedSince;

        Queue(Replay replay) {
            this.replay = replay;
        }

        void replayDue() {
            while (!early.isEmpty() && early.element().order() <= expected) {
                LockEvent event = early.remove();
                expected = Math.max(expected, event.order() + 1);
                looks = 0;
                replay.next(event);
            }
        }
    }

    /**
     * @param parks replays the park events
     * @param monitors the replay of a monitor, by its identifier
     */
    EventOrder(Replay parks, LongFunction<Replay> monitors) {
        this.monitors = monitors;
        queues.put(PARKS, new Queue(parks));
    }

    /** How many events never came. */
    long missing() {
        return missing;
    }

    void add(LockEvent event) {
        boolean park = event.type() >= LockTrace.PARK;
        long key = park ? PARKS : event.lock();
        Queue queue = queues.computeIfAbsent(key, lock -> new Queue(monitors.apply(lock)));
        queue.early.add(event);
        queue.replayDue();
    }

    /** The trace was looked at, and this is all for now. */
    void looked(long nanos) {
        for (Queue queue : queues.values()) {
            if (!queue.early.isEmpty()) {
                queue.missedSince = queue.looks == 0 ? nanos : queue.missedSince;
                queue.looks++;
                if (queue.looks > PATIENCE && nanos - queue.missedSince >= PATIENCE_NANOS) {
                    skipGap(queue);
                }
            }
        }
        if (queues.size() > MOST) {
            forgetOldest();
        }
    }

    private void forgetOldest() {
        int old = queues.size() - LEAST;
        Iterator<Map.Entry<Long, Queue>> oldest = queues.entrySet().iterator();
        for (int i = 0; i < old; i++) {
            Map.Entry<Long, Queue> lock = oldest.next();
            Queue queue = lock.getValue();
            if (lock.getKey() != PARKS && queue.early.isEmpty() && queue.replay.isIdle()) {
                oldest.remove();
            }
        }
    }

    /**
     * Accounts for those who still wait, up to a moment long enough ago that what happened before
     * it was told. Where an event is missed, that has to wait.
     */
    void cut(long nanos) {
        for (Queue queue : queues.values()) {
            if (queue.early.isEmpty()) {
                queue.replay.cut(nanos);
            }
        }
    }

    /** How many locks and events are remembered. */
    long size() {
        return queues.size() + queues.values().stream().mapToLong(it -> it.early.size()).sum();
    }

    private void skipGap(Queue queue) {
        missing += queue.early.element().order() - queue.expected;
        queue.expected = queue.early.element().order();
        queue.replay.gap();
        queue.replayDue();
    }

    /** Nothing more comes. */
    void end(long nanos) {
        for (Queue queue : queues.values()) {
            skipGaps(queue);
            queue.replay.end(nanos);
        }
    }

    private void skipGaps(Queue queue) {
        while (!queue.early.isEmpty()) {
            skipGap(queue);
        }
    }

    /** Nothing more comes, though more has happened: nobody knows how long anybody waited then. */
    void breakOff(long nanos) {
        for (Queue queue : queues.values()) {
            skipGaps(queue);
            queue.replay.gap();
            queue.replay.end(nanos);
        }
    }
}
