package dev.heatline.collector.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Column;
import dev.heatline.model.Moments;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import dev.heatline.model.RowSeconds;
import dev.heatline.wire.LockTrace;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Who is blamed for what where threads park: locks, conditions, latches. */
final class ParkReplayTest extends ReplayScene {
    @Test
    void waitingForAConditionIsNoContentionAndWhoSignalledIsNamed() {
        List.of(event(LockTrace.PARK, 0, 2, CONDITION, 0), unpark(30, 1, 2), parked(31, 2))
                .forEach(order::add);

        Profile profile = sink.take(Provenance.NONE);

        assertThat(profile.column("blocked")).isEmpty();
        assertThat(by(profile, "waited", "kind,owner-thread"))
                .isEqualTo(Map.of("condition/T1", 31.0));
    }

    private LockEvent signal(double millis, long thread, long other) {
        return event(LockTrace.SIGNAL, millis, thread, MUTEX, other);
    }

    /** T1 signals T2 and T3 and keeps the lock for another 10 ms; then T2 has it for 9 ms. */
    @Test
    void whoIsSignalledWaitsForTheLockFromThenOn() {
        List.of(
                        event(LockTrace.PARK, 0, 2, CONDITION, 0),
                        event(LockTrace.PARK, 5, 3, CONDITION, 0),
                        signal(20, 1, 2),
                        signal(20, 1, 3),
                        unpark(30, 1, 2),
                        parked(31, 2),
                        unpark(40, 2, 3),
                        parked(42, 3))
                .forEach(order::add);

        Profile profile = sink.take(Provenance.NONE);

        assertThat(by(profile, "waited", "kind,blocked-thread,owner-thread"))
                .isEqualTo(Map.of("condition/T2/T1", 21.0, "condition/T3/T1", 17.0));
        assertThat(by(profile, "blocked", "kind,blocked-thread,owner-thread"))
                .isEqualTo(
                        Map.of(
                                "lock after wait/T2/T1", 10.0,
                                "lock after wait/T3/T1", 10.0,
                                "lock after wait/T3/T2", 9.0,
                                "lock after wait/T3/[handed over]", 1.0));
    }

    @Test
    void whoGivesUpAfterASignalWasKeptByTheOneWhoSignalled() {
        List.of(event(LockTrace.PARK, 0, 2, CONDITION, 0), signal(20, 1, 2), parked(25, 2))
                .forEach(order::add);

        assertThatT1HasKept(20, 5);
    }

    /** T1 let somebody wait for its signal, and then for the lock, for so many milliseconds. */
    private void assertThatT1HasKept(double fromSignal, double fromLock) {
        Profile profile = sink.take(Provenance.NONE);
        assertThat(by(profile, "waited", "kind,owner-thread"))
                .isEqualTo(Map.of("condition/T1", fromSignal));
        assertThat(by(profile, "blocked", "kind,owner-thread"))
                .isEqualTo(Map.of("lock after wait/T1", fromLock));
    }

    @Test
    void whoStillWaitsAfterASignalIsKeptByTheOneWhoSignalled() {
        List.of(event(LockTrace.PARK, 0, 2, CONDITION, 0), signal(20, 1, 2)).forEach(order::add);
        order.cut(30 * MILLI);

        assertThatT1HasKept(20, 10);
    }

    /** What was waited until the cut is told; the signal before it comes after it. */
    @Test
    void aSignalThatIsToldLateCountsNothingTwice() {
        List.of(event(LockTrace.PARK, 0, 2, CONDITION, 0)).forEach(order::add);
        order.cut(30 * MILLI);
        Profile first = sink.take(Provenance.NONE);
        List.of(signal(20, 1, 2), unpark(40, 1, 2), parked(41, 2)).forEach(order::add);
        Profile second = sink.take(Provenance.NONE);

        assertThat(by(first, "waited", "kind")).isEqualTo(Map.of("condition", 30.0));
        assertThat(by(second, "waited", "kind")).isEqualTo(Map.of("condition", 1.0));
        assertThat(by(second, "blocked", "kind")).isEqualTo(Map.of("lock after wait", 10.0));
    }

    @Test
    void momentsTellInWhichSecondsSomebodyWaited() {
        List.of(park(1_500, 2), unpark(3_100, 1, 2), parked(3_200, 2)).forEach(order::add);

        Profile profile = sink.take(Provenance.NONE);

        assertThat(profile.provenance().moments().get("blocked"))
                .isEqualTo(Moments.of(1, 1, amounts(500, 1_000, 200)));
        assertThat(partsBySecond(profile.requireColumn("blocked")))
                .isEqualTo(Map.of(1L, 500 * MILLI, 2L, 1_000 * MILLI, 3L, 200 * MILLI));
        assertThat(partsBySecond(profile.requireColumn("contentions")).values())
                .containsExactly(1L);
    }

    /** It waits for the condition, then for the lock, and then until it is awake. */
    @Test
    void waitingForAConditionIsInTheSecondsBeforeTheSignalAndAfterTheLock() {
        List.of(
                        event(LockTrace.PARK, 1_500, 2, CONDITION, 0),
                        signal(3_000, 1, 2),
                        unpark(5_000, 1, 2),
                        parked(5_300, 2))
                .forEach(order::add);

        Profile profile = sink.take(Provenance.NONE);

        assertThat(partsBySecond(profile.requireColumn("waited")))
                .isEqualTo(Map.of(1L, 500 * MILLI, 2L, 1_000 * MILLI, 5L, 300 * MILLI));
        assertThat(partsBySecond(profile.requireColumn("blocked")))
                .isEqualTo(Map.of(3L, 1_000 * MILLI, 4L, 1_000 * MILLI));
    }

    private static Map<Long, Long> partsBySecond(Column column) {
        Map<Long, Long> parts = new TreeMap<>();
        RowSeconds seconds = column.seconds();
        for (int part = 0; part < seconds.parts(); part++) {
            parts.merge(seconds.second(part), seconds.amount(part), Long::sum);
        }
        return parts;
    }

    private static long[] amounts(long... millis) {
        return Arrays.stream(millis).map(it -> it * MILLI).toArray();
    }

    @Test
    void whoSignalsAndLeavesAtOnceKeepsNobodyFromTheLock() {
        List.of(
                        event(LockTrace.PARK, 0, 2, CONDITION, 0),
                        signal(30, 1, 2),
                        unpark(30.05, 1, 2),
                        parked(31, 2))
                .forEach(order::add);

        Profile profile = sink.take(Provenance.NONE);

        assertThat(profile.column("blocked")).isEmpty();
        assertThat(profile.column("held")).isEmpty();
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
}
