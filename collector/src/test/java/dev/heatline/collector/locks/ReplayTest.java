package dev.heatline.collector.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Column;
import dev.heatline.model.ContentionAspect;
import dev.heatline.model.Contentions;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import dev.heatline.wire.LockTrace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Who is blamed for what: the worked figures of 001, and traps. Times in milliseconds. */
final class ReplayTest {
    private static final long MONITOR = 1;
    private static final long MUTEX = 2;
    private static final long CONDITION = 3;
    private static final long MILLI = 1_000_000;

    private final TraceNames names = new TraceNames();
    private final ContentionSink sink = new ContentionSink(names);
    private final EventOrder order =
            new EventOrder(
                    new ParkReplay(names, sink), lock -> new MonitorReplay(lock, names, sink));
    private final Map<Long, Long> sequences = new TreeMap<>();

    ReplayTest() {
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
    private LockEvent event(int type, double millis, long thread, long lock, long other) {
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

    private LockEvent monitor(int type, double millis, long thread) {
        return event(type, millis, thread, MONITOR, 0);
    }

    private LockEvent park(double millis, long thread) {
        return event(LockTrace.PARK, millis, thread, MUTEX, 0);
    }

    private LockEvent parked(double millis, long thread) {
        return event(LockTrace.PARKED, millis, thread, 0, 0);
    }

    private LockEvent unpark(double millis, long thread, long other) {
        return event(LockTrace.UNPARK, millis, thread, 0, other);
    }

    private static LockEvent withChain(LockEvent event, long chain) {
        return new LockEvent(
                event.type(),
                event.nanos(),
                event.thread(),
                event.lock(),
                event.order(),
                event.other(),
                chain);
    }

    /** Figure 4.4: T1 holds, T2 and T3 block, T1 leaves, T2 enters and leaves, T3 enters. */
    private List<LockEvent> figure44() {
        return List.of(
                monitor(LockTrace.ENTER, 10, 2),
                monitor(LockTrace.ENTER, 20, 3),
                monitor(LockTrace.EXIT, 30, 1),
                monitor(LockTrace.ENTERED, 31, 2),
                monitor(LockTrace.EXIT, 50, 2),
                monitor(LockTrace.ENTERED, 52, 3));
    }

    /** Figure 4.6, with T4 getting the lock in the end: T3 takes the lock before T2 is awake. */
    private List<LockEvent> figure46() {
        return List.of(
                park(10, 2),
                park(12, 4),
                unpark(20, 1, 2),
                parked(22, 2),
                park(23, 2),
                unpark(40, 3, 2),
                parked(42, 2),
                unpark(58, 2, 4),
                parked(60, 4));
    }

    private static final Map<String, Double> FIGURE_44 =
            Map.of(
                    "T2 by T1", 20.0,
                    "T2 by [handed over]", 1.0,
                    "T3 by T1", 10.0,
                    "T3 by T2", 19.0,
                    "T3 by [handed over]", 3.0);

    private static final Map<String, Double> FIGURE_46 =
            Map.of(
                    "T2 by T1", 10.0,
                    "T2 by T3", 17.0,
                    "T2 by [handed over]", 4.0,
                    "T4 by T1", 8.0,
                    "T4 by T3", 20.0,
                    "T4 by T2", 16.0,
                    "T4 by [handed over]", 4.0);

    @Test
    void aBlockedThreadsTimeIsDividedOverTheOwnersOfTheMonitor() {
        figure44().forEach(order::add);

        assertThat(blame("blocked")).isEqualTo(FIGURE_44);
    }

    @Test
    void whoeverUnparksOneKeptAllOthersWaitingToo() {
        figure46().forEach(order::add);

        assertThat(blame("blocked")).isEqualTo(FIGURE_46);
    }

    @Property
    void theOrderInWhichBuffersAreReadMakesNoDifference(@ForAll long seed) {
        List<LockEvent> events = new ArrayList<>(figure44());
        events.addAll(figure46());
        Collections.shuffle(events, new Random(seed));

        events.forEach(order::add);

        Map<String, Double> both = new TreeMap<>(FIGURE_44);
        FIGURE_46.forEach((who, millis) -> both.merge(who, millis, Double::sum));
        assertThat(blame("blocked")).isEqualTo(both);
        assertThat(order.missing()).isZero();
    }

    @Test
    void everyContentionIsCountedOnce() {
        figure44().forEach(order::add);
        figure46().forEach(order::add);

        Profile profile = sink.take(Provenance.NONE);

        assertThat(profile.requireColumn("contentions").total()).isEqualTo(5);
        assertThat(profile.requireColumn("blocked").total())
                .isEqualTo((21 + 32 + 12 + 19 + 48) * MILLI);
    }

    /** T4 entered unseen, T1 only after T2 began to wait: what was before is not T1's fault. */
    @Test
    void anOwnerIsNotBlamedForTheTimeBeforeItsOwnEntry() {
        List.of(
                        monitor(LockTrace.ENTER, 0, 1),
                        monitor(LockTrace.ENTER, 0, 2),
                        monitor(LockTrace.ENTERED, 40, 1),
                        monitor(LockTrace.EXIT, 50, 1),
                        monitor(LockTrace.ENTERED, 50, 2))
                .forEach(order::add);

        assertThat(blame("blocked"))
                .isEqualTo(
                        Map.of(
                                "T1 by [unknown owner]",
                                40.0,
                                "T2 by [unknown owner]",
                                40.0,
                                "T2 by T1",
                                10.0));
    }

    @Test
    void anOwnerTheJvmWasAskedForIsMarked() {
        List.of(
                        monitor(LockTrace.ENTER, 0, 2),
                        monitor(LockTrace.OWNER, 1, 1),
                        monitor(LockTrace.ENTERED, 40, 2))
                .forEach(order::add);

        assertThat(blame("blocked")).isEqualTo(Map.of("T2 by T1 [looked up]", 40.0));
    }

    @Test
    void gettingAMonitorBackAfterWaitingIsTold() {
        List.of(
                        monitor(LockTrace.WAIT, 0, 2),
                        monitor(LockTrace.WAITED, 30, 2),
                        monitor(LockTrace.EXIT, 34, 1),
                        monitor(LockTrace.REENTERED, 34, 2))
                .forEach(order::add);

        Profile profile = sink.take(Provenance.NONE);

        assertThat(by(profile, "blocked", "kind,owner-thread"))
                .isEqualTo(Map.of("monitor after wait/T1", 4.0));
        assertThat(by(profile, "waited", "kind")).isEqualTo(Map.of("wait", 30.0));
    }

    @Test
    void waitingForAConditionIsNoContentionAndWhoSignalledIsNamed() {
        List.of(event(LockTrace.PARK, 0, 2, CONDITION, 0), unpark(30, 1, 2), parked(31, 2))
                .forEach(order::add);

        Profile profile = sink.take(Provenance.NONE);

        assertThat(profile.column("blocked")).isEmpty();
        assertThat(by(profile, "waited", "kind,owner-thread"))
                .isEqualTo(Map.of("condition/T1", 31.0));
    }

    /** T2 and T3 wait for a latch that T1 opens; the JDK lets T2 wake T3. */
    @Test
    void whoPassesTheNewsOnIsNotWhomOthersWaitedFor() {
        String synchronizer = "java.util.concurrent.locks.AbstractQueuedSynchronizer";
        names.className(5, synchronizer);
        names.className(6, "java.util.concurrent.CountDownLatch$Sync");
        names.lock(9, 6, 0x9);
        names.method(9, 5, "acquire", "()V");
        names.chain(9, List.of(9L, 2L), List.of(0, 0), false);
        List.of(
                        event(LockTrace.PARK, 0, 2, 9, 0),
                        event(LockTrace.PARK, 5, 3, 9, 0),
                        unpark(20, 1, 2),
                        parked(21, 2),
                        withChain(unpark(22, 2, 3), 9),
                        parked(25, 3))
                .forEach(order::add);

        assertThat(blame("waited")).isEqualTo(Map.of("T2 by T1", 21.0, "T3 by T1", 20.0));
    }

    /** T1 left and woke T2, which did not sleep yet; it was kept from running for a while. */
    @Test
    void whoWasWokenBeforeItParkedWaitedForNobody() {
        List.of(park(0, 2), parked(3, 2)).forEach(order::add);

        assertThat(blame("blocked")).isEqualTo(Map.of("T2 by [handed over]", 3.0));
    }

    @Test
    void whoHadEnoughOfWaitingWaitedForAnOwnerNobodySaw() {
        List.of(event(LockTrace.PARK, 0, 2, MUTEX, 1), parked(3, 2)).forEach(order::add);

        assertThat(blame("blocked")).isEqualTo(Map.of("T2 by [unknown owner]", 3.0));
    }

    @Test
    void anEventThatNeverComesCostsOnlyWhatItTold() {
        List<LockEvent> events = new ArrayList<>(figure44());
        events.remove(2);
        events.forEach(order::add);
        noticeGap();

        assertThat(order.missing()).isEqualTo(1);
        Map<String, Double> blame = blame("blocked");
        assertThat(blame.values().stream().mapToDouble(Double::doubleValue).sum())
                .isEqualTo(21 + 32);
        assertThat(blame).containsEntry("T2 by [unknown owner]", 21.0);
    }

    /** T2's entry is lost, so it seems to wait for ever. */
    @Test
    void anEntryThatNeverComesCostsOthersNothing() {
        order.add(monitor(LockTrace.ENTER, 0, 2));
        monitor(LockTrace.ENTERED, 5, 2);
        order.add(monitor(LockTrace.ENTER, 10, 3));
        noticeGap();

        order.cut(20 * MILLI);
        assertThat(blame("blocked")).isEqualTo(Map.of("T3 by [unknown owner]", 10.0));

        order.add(monitor(LockTrace.EXIT, 30, 1));
        order.add(monitor(LockTrace.ENTERED, 31, 3));
        Profile profile = sink.take(Provenance.NONE);
        assertThat(by(profile, "blocked", "owner-thread"))
                .isEqualTo(Map.of("T1", 10.0, "[handed over]", 1.0));
        assertThat(by(profile, "held", "owner-thread"))
                .as("since T3 wanted it")
                .isEqualTo(Map.of("T1", 20.0));

        order.add(monitor(LockTrace.ENTER, 40, 4));
        order.end(45 * MILLI);
        assertThat(blame("blocked")).isEqualTo(Map.of("T4 by [unknown owner]", 5.0));
    }

    /** T2 comes back after its entry was lost: T3 and T4 wait for longer now. */
    @Test
    void whoBlocksAgainAfterALossIsTheLastToWait() {
        order.add(monitor(LockTrace.ENTER, 0, 2));
        monitor(LockTrace.ENTERED, 5, 2);
        order.add(monitor(LockTrace.ENTER, 10, 3));
        noticeGap();
        List.of(
                        monitor(LockTrace.ENTER, 12, 4),
                        monitor(LockTrace.EXIT, 20, 1),
                        event(LockTrace.EXIT, 30, 1, MONITOR, 5 * MILLI),
                        monitor(LockTrace.ENTER, 40, 2),
                        event(LockTrace.EXIT, 50, 1, MONITOR, 5 * MILLI),
                        monitor(LockTrace.ENTERED, 50, 4),
                        monitor(LockTrace.EXIT, 60, 4),
                        monitor(LockTrace.ENTERED, 60, 3))
                .forEach(order::add);

        assertThat(blame("blocked"))
                .containsEntry("T3 by T1", 20.0)
                .containsEntry("T3 by T4", 10.0);
    }

    @Test
    void aMonitorWhoseWaitersWereLostIsIdle() {
        MonitorReplay replay = new MonitorReplay(MONITOR, names, sink);
        replay.next(monitor(LockTrace.ENTER, 0, 2));
        replay.next(monitor(LockTrace.WAIT, 0, 3));
        assertThat(replay.isIdle()).isFalse();

        replay.gap();

        assertThat(replay.isIdle()).isTrue();
    }

    /** The table of chains is full, or there was no room to describe one. */
    @Test
    void aParkWithoutACallChainIsToldUnlessItWasBrief() {
        List.of(
                        park(0, 2),
                        withChain(parked(3, 2), 0),
                        park(10, 3),
                        withChain(parked(10.01, 3), 0),
                        park(20, 4),
                        unpark(20.005, 1, 4),
                        withChain(event(LockTrace.PARKED, 20.01, 4, 0, 6), 0))
                .forEach(order::add);

        Profile profile = sink.take(Provenance.NONE);

        assertThat(by(profile, "blocked", "blocked-thread"))
                .isEqualTo(Map.of("T2", 3.0, "T4", 0.01));
        assertThat(profile.requireColumn("contentions").total()).isEqualTo(2);
    }

    @Test
    void aParkThatNeverEndsIsForgottenWhenEventsWereLostTwice() {
        ParkReplay replay = new ParkReplay(names, sink);
        replay.next(park(0, 2));
        replay.gap();
        replay.next(park(10, 3));
        assertThat(replay.isIdle()).isFalse();
        replay.gap();
        replay.next(parked(20, 3));

        assertThat(replay.isIdle()).isTrue();
        assertThat(blame("blocked")).isEqualTo(Map.of("T3 by [handed over]", 10.0));
    }

    /** T2 got the lock before events were lost, and may have left it since. */
    @Test
    void whoHadALockBeforeEventsWereLostIsNotBlamedForWhatFollows() {
        ParkReplay replay = new ParkReplay(names, sink);
        List.of(park(0, 2), park(1, 3), unpark(10, 1, 2), parked(11, 2)).forEach(replay::next);
        sink.take(Provenance.NONE);

        replay.gap();
        replay.next(park(30, 4));
        replay.cut(40 * MILLI);
        assertThat(blame("blocked")).isEqualTo(Map.of("T4 by [unknown owner]", 10.0));

        replay.next(unpark(50, 1, 4));
        assertThat(by(sink.take(Provenance.NONE), "held", "owner-thread"))
                .as("since T4 wanted it")
                .isEqualTo(Map.of("T1", 20.0));
    }

    /** Looks until what does not come is given up. */
    private void noticeGap() {
        for (int look = 0; look < 4; look++) {
            order.looked(look * EventOrder.PATIENCE_NANOS / 3);
        }
    }

    @Test
    void whoStillWaitsAtTheEndIsTold() {
        order.add(monitor(LockTrace.ENTER, 10, 2));
        order.end(25 * MILLI);

        assertThat(blame("blocked")).isEqualTo(Map.of("T2 by [unknown owner]", 15.0));
    }

    /** Milliseconds by blocked thread and owner. */
    private Map<String, Double> blame(String resource) {
        Map<String, Double> blame = new TreeMap<>();
        by(sink.take(Provenance.NONE), resource, "blocked-thread,owner-thread")
                .forEach((path, millis) -> blame.put(path.replace("/", " by "), millis));
        return blame;
    }

    private static Map<String, Double> by(Profile profile, String resource, String aspects) {
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
