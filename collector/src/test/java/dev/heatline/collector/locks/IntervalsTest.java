package dev.heatline.collector.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Column;
import dev.heatline.model.ContentionAspect;
import dev.heatline.model.Contentions;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import dev.heatline.wire.LockTrace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** What is taken interval by interval, and what is held meanwhile. */
final class IntervalsTest {
    private static final int THREADS = 4;
    private static final long MONITOR = 1;
    private static final long MUTEX = 2;
    private static final long FUTURE = 3;
    private static final long CONDITION = 4;
    private static final int MUTEX_CLASS = 2;
    private static final int FUTURE_CLASS = 3;
    private static final int CONDITION_CLASS = 4;
    private static final int CHAIN = 1;

    private final TraceNames names = new TraceNames();
    private final ContentionSink sink = new ContentionSink(names, Instant.EPOCH);
    private final EventOrder order =
            new EventOrder(
                    new ParkReplay(names, sink), lock -> new MonitorReplay(lock, names, sink));
    private final Map<Long, Long> places = new TreeMap<>();

    IntervalsTest() {
        names.className(1, "shop.Stock");
        names.className(MUTEX_CLASS, "java.util.concurrent.locks.ReentrantLock$NonfairSync");
        names.className(FUTURE_CLASS, "java.util.concurrent.FutureTask");
        names.lock(MONITOR, 1, 1);
        names.lock(MUTEX, MUTEX_CLASS, 2);
        names.lock(FUTURE, FUTURE_CLASS, 3);
        names.className(
                CONDITION_CLASS,
                "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject");
        names.lock(CONDITION, CONDITION_CLASS, 4);
        names.method(1, 1, "work", "()V");
        names.chain(CHAIN, List.of(1L), List.of(0), false);
        for (long thread = 1; thread <= THREADS; thread++) {
            names.thread(thread, "T" + thread, false);
        }
    }

    private LockEvent event(int type, long nanos, long thread, long lock, long other) {
        long place = places.merge(type >= LockTrace.PARK ? 0 : lock, 1L, Long::sum);
        return new LockEvent(type, nanos, thread, lock, place, other, CHAIN);
    }

    /** Threads that block, wait and park at random, and wake each other. */
    private List<LockEvent> happenings(Random random) {
        List<LockEvent> events = new ArrayList<>();
        int[] doing = new int[THREADS + 1];
        long[] parkedWith = new long[THREADS + 1];
        long nanos = 0;
        for (int i = 0; i < 60; i++) {
            nanos += 20_000 + random.nextInt(1_000_000);
            int thread = 1 + random.nextInt(THREADS);
            int other = 1 + random.nextInt(THREADS);
            int next =
                    switch (doing[thread]) {
                        case LockTrace.ENTER -> LockTrace.ENTERED;
                        case LockTrace.WAIT -> LockTrace.WAITED;
                        case LockTrace.WAITED -> LockTrace.REENTERED;
                        case LockTrace.PARK -> LockTrace.PARKED;
                        default ->
                                List.of(
                                                LockTrace.ENTER,
                                                LockTrace.EXIT,
                                                LockTrace.WAIT,
                                                LockTrace.PARK,
                                                LockTrace.UNPARK,
                                                LockTrace.SIGNAL)
                                        .get(random.nextInt(6));
                    };
            if (next == LockTrace.UNPARK) {
                if (doing[other] == LockTrace.PARK) {
                    events.add(event(next, nanos, thread, 0, other));
                }
                continue;
            }
            if (next == LockTrace.SIGNAL) {
                if (doing[other] == LockTrace.PARK && parkedWith[other] == CONDITION) {
                    parkedWith[other] = MUTEX;
                    events.add(event(next, nanos, thread, MUTEX, other));
                }
                continue;
            }
            doing[thread] = next;
            if (next == LockTrace.PARK) {
                parkedWith[thread] = MUTEX + random.nextInt(3);
            }
            boolean parks = next >= LockTrace.PARK;
            events.add(event(next, nanos, thread, parks ? parkedWith[thread] : MONITOR, 0));
        }
        return events;
    }

    @Property
    void intervalsAddUpToOneLongInterval(@ForAll long seed) {
        IntervalsTest whole = new IntervalsTest();
        List<LockEvent> events = whole.happenings(new Random(seed));
        Random cuts = new Random(~seed);
        Map<String, Long> parts = new TreeMap<>();
        long last = 0;
        for (LockEvent event : events) {
            order.add(event);
            whole.order.add(event);
            last = event.nanos();
            if (cuts.nextInt(5) == 0) {
                last += cuts.nextInt(20_000);
                order.cut(last);
                add(sink.take(Provenance.NONE), parts);
            }
        }
        order.end(last);
        whole.order.end(last);
        add(sink.take(Provenance.NONE), parts);

        Map<String, Long> all = new TreeMap<>();
        add(whole.sink.take(Provenance.NONE), all);
        assertThat(parts).isEqualTo(all);
    }

    /** Sums by what is counted, kind of lock and blocked thread. */
    private static void add(Profile profile, Map<String, Long> sums) {
        if (!Contentions.areIn(profile)) {
            return;
        }
        Profile arranged = Contentions.by(profile, ContentionAspect.parse("kind,blocked-thread"));
        for (Column column : arranged.columns()) {
            for (int row = 0; row < column.rows(); row++) {
                int node = column.node(row);
                String what =
                        column.resource().name()
                                + " "
                                + arranged.consumerOf(arranged.parent(node)).display()
                                + " "
                                + arranged.consumerOf(node).display();
                sums.merge(what, column.value(row), Long::sum);
            }
        }
    }

    @Test
    void whoWaitsForLongIsInEveryIntervalAndCountsInTheLast() {
        order.add(event(LockTrace.ENTER, 1_000, 1, MONITOR, 0));
        order.cut(5_000);
        Profile first = sink.take(Provenance.NONE);
        order.add(event(LockTrace.EXIT, 9_000, 2, MONITOR, 0));
        order.add(event(LockTrace.ENTERED, 9_000, 1, MONITOR, 0));
        Profile second = sink.take(Provenance.NONE);

        assertThat(first.requireColumn("blocked").total()).isEqualTo(4_000);
        assertThat(first.column("contentions")).isEmpty();
        assertThat(second.requireColumn("blocked").total()).isEqualTo(4_000);
        assertThat(second.requireColumn("contentions").total()).isEqualTo(1);
        assertThat(second.requireColumn("held").total())
                .as("since somebody wanted it, whatever was taken meanwhile")
                .isEqualTo(8_000);
    }

    @Test
    void aMillionFuturesAndVirtualThreadsTakeNoMoreRoomThanAFew() {
        wait(1_000_000, FUTURE_CLASS);

        assertThat(sink.count()).isEqualTo(1_000_000);
        int seconds = 100;
        assertThat(sink.size())
                .as("of each second how many and how long")
                .isLessThan(100 + 2 * seconds);
        assertThat(order.size()).isLessThan(10);
        assertThat(names.size())
                .isLessThan(TraceNames.MOST_THREADS + TraceNames.MOST_BLOCKERS + 100);
        Profile profile = sink.take(Provenance.NONE);
        assertThat(Contentions.by(profile, ContentionAspect.parse("lock")).nodeCount())
                .isEqualTo(2);
        assertThat(profile.requireColumn("waits").total()).isEqualTo(1_000_000);
    }

    @Test
    void ofManyLocksOnlySomeAreToldApart() {
        int many = TraceNames.MOST_OWNED + 50_000;
        wait(many, MUTEX_CLASS);

        assertThat(sink.size()).isLessThan(20L * ContentionSink.MOST_NAMED);
        assertThat(names.size()).isLessThan(TraceNames.MOST_THREADS + TraceNames.MOST_OWNED + 100);
        Profile profile = sink.take(Provenance.NONE);
        assertThat(profile.requireColumn("contentions").total()).isEqualTo(many);
        assertThat(Contentions.by(profile, ContentionAspect.parse("lock")).nodeCount())
                .isEqualTo(ContentionSink.MOST_NAMED + 2);
    }

    /** One after the other, each of a thread of its own for a blocker of its own. */
    private void wait(int times, int lockClass) {
        for (int i = 1; i <= times; i++) {
            long lock = FUTURE + i;
            long thread = (long) THREADS + i;
            long nanos = 100_000L * i;
            names.lock(lock, lockClass, i);
            names.thread(thread, "", true);
            order.add(event(LockTrace.PARK, nanos, thread, lock, 0));
            order.add(event(LockTrace.UNPARK, nanos + 50_000, 1, 0, thread));
            order.add(event(LockTrace.PARKED, nanos + 60_000, thread, 0, 0));
            if (i % 10_000 == 0 || i == times) {
                names.forgetOld();
            }
        }
    }

    /** As agent/src/main/native/chains.c has it, whenever it has described too many. */
    @Test
    void codeThatIsDescribedAgainTakesNoMoreRoomThanOnce() {
        int generation = 64 * 1024;
        for (int i = 1; i <= 4 * generation; i++) {
            names.className(1000 + i, "Made" + i % generation);
            names.method(1000 + i, 1000 + i, "run", "()V");
            names.chain(1000 + i, List.of(1000L + i), List.of(1), false);
            if (i % 10_000 == 0) {
                names.forgetOld();
            }
            // As its events may be read after the tracer has begun with others.
            int before = Math.max(1, i - generation / 2);
            assertThat(names.chainOf(1000L + before).methods().getFirst().owner())
                    .isEqualTo("Made" + before % generation);
        }
        names.forgetOld();
        assertThat(names.size()).isLessThan(3L * TraceNames.MOST_IN_CODE + 100);
    }

    /** As agent/src/main/native/threads.c and locks.c have it; blockers are not described again. */
    @Test
    void whatTheTracerDoesNotDescribeAgainIsNotForgotten() {
        int threads = 96 * 1024;
        int monitors = 32 * 1024;
        int futures = 100_000;
        for (int i = 1; i <= threads; i++) {
            names.thread(THREADS + i, "pool-" + i, false);
        }
        for (int i = 1; i < monitors; i++) {
            names.lock(FUTURE + i, 1, i);
        }
        for (int i = 0; i < futures; i++) {
            long future = FUTURE + monitors + i;
            names.lock(future, FUTURE_CLASS, i);
            names.blocker(future);
        }
        names.forgetOld();

        assertThat(names.threadOf(1).name()).isEqualTo("T1");
        assertThat(names.lockOf(MONITOR).name()).isEqualTo("Stock@1");
        assertThat(names.lockOf(MUTEX).className()).contains("ReentrantLock");
    }

    @Test
    void locksThatTheTracerStillNumbersGoOnInTheirOrder() {
        int many = EventOrder.MOST + 1;
        for (int lock = 1; lock <= many; lock++) {
            order.add(new LockEvent(LockTrace.ENTER, lock, 1, lock, 1, 0, CHAIN));
            order.add(new LockEvent(LockTrace.ENTERED, lock + 1, 1, lock, 2, 0, 0));
        }
        order.looked(many);
        assertThat(order.size()).isLessThanOrEqualTo(EventOrder.LEAST + 1);

        for (int lock = many - 32 * 1024; lock <= many; lock++) {
            order.add(new LockEvent(LockTrace.ENTER, many, 1, lock, 3, 0, CHAIN));
        }
        order.end(many + 1);
        assertThat(order.missing()).isZero();
    }
}
