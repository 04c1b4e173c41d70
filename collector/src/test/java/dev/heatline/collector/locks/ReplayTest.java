package dev.heatline.collector.locks;

import static org.assertj.core.api.Assertions.assertThat;

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
final class ReplayTest extends ReplayScene {
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

    /** The second tells itself that it has the lock: its code is older than its hooks. */
    @Test
    void ownersThatNobodySeesLeavingExplainTheirOwnTimeOnly() {
        List.of(
                        monitor(LockTrace.ENTER, 0, 2),
                        monitor(LockTrace.ENTER, 0, 3),
                        monitor(LockTrace.OWNER, 1, 1),
                        monitor(LockTrace.ENTERED, 10, 2),
                        monitor(LockTrace.OWNER, 10, 2),
                        monitor(LockTrace.ENTERED, 40, 3),
                        monitor(LockTrace.OWNER, 40, 3))
                .forEach(order::add);

        assertThat(blame("blocked"))
                .isEqualTo(
                        Map.of(
                                "T2 by T1 [looked up]", 10.0,
                                "T3 by T1 [looked up]", 10.0,
                                "T3 by T2 [looked up]", 30.0));
    }

    /** T2 was blocked itself until 10; who had the monitor before, nobody knows. */
    @Test
    void anOwnerThatIsFoundLaterHadNothingBeforeItsEntry() {
        List.of(
                        monitor(LockTrace.ENTER, 0, 2),
                        monitor(LockTrace.ENTER, 0, 3),
                        monitor(LockTrace.ENTERED, 10, 2),
                        monitor(LockTrace.OWNER, 15, 2),
                        monitor(LockTrace.OWNER, 25, 2),
                        monitor(LockTrace.ENTERED, 40, 3))
                .forEach(order::add);

        assertThat(blame("blocked"))
                .isEqualTo(
                        Map.of(
                                "T2 by [unknown owner]", 10.0,
                                "T3 by [unknown owner]", 10.0,
                                "T3 by T2 [looked up]", 30.0));
    }

    /** It was found when it had got the monitor, and could not say so yet. */
    @Test
    void nobodyKeepsItselfWaiting() {
        List.of(
                        monitor(LockTrace.ENTER, 0, 2),
                        monitor(LockTrace.ENTER, 0, 3),
                        monitor(LockTrace.OWNER, 9, 2),
                        monitor(LockTrace.ENTERED, 10, 2),
                        monitor(LockTrace.OWNER, 20, 2),
                        monitor(LockTrace.ENTERED, 40, 3))
                .forEach(order::add);

        assertThat(blame("blocked"))
                .containsEntry("T2 by [unknown owner]", 10.0)
                .containsEntry("T3 by [unknown owner]", 9.0)
                .containsEntry("T3 by T2 [looked up]", 31.0);
    }

    /** The exit was held back, and is told when somebody else was found to have the monitor. */
    @Test
    void anExitThatIsToldLateEndsNobodyElsesTime() {
        List.of(
                        monitor(LockTrace.ENTER, 0, 3),
                        event(LockTrace.EXIT, 5, 1, MONITOR, 5 * MILLI),
                        monitor(LockTrace.OWNER, 10, 2),
                        event(LockTrace.EXIT, 7, 1, MONITOR, 2 * MILLI),
                        monitor(LockTrace.ENTERED, 37, 3))
                .forEach(order::add);

        assertThat(blame("blocked"))
                .isEqualTo(Map.of("T3 by T1", 7.0, "T3 by T2 [looked up]", 30.0));
    }

    /** T2 has left unseen by the time it wants the monitor again. */
    @Test
    void whoBargesInIsNotBlamedForAnOwnerThatLeftUnseen() {
        List.of(
                        monitor(LockTrace.ENTER, 0, 4),
                        monitor(LockTrace.ENTER, 0, 2),
                        monitor(LockTrace.EXIT, 8, 1),
                        monitor(LockTrace.ENTERED, 10, 2),
                        monitor(LockTrace.ENTER, 30, 2),
                        monitor(LockTrace.WAIT, 34, 3),
                        monitor(LockTrace.ENTERED, 35, 4))
                .forEach(order::add);

        assertThat(blame("blocked")).containsEntry("T4 by T3", 4.0);
    }

    @Test
    void whoWantsAMonitorDoesNotHaveIt() {
        List.of(
                        monitor(LockTrace.ENTER, 0, 2),
                        monitor(LockTrace.ENTER, 0, 3),
                        monitor(LockTrace.ENTERED, 10, 2),
                        monitor(LockTrace.OWNER, 10, 2),
                        monitor(LockTrace.ENTER, 12, 2),
                        monitor(LockTrace.ENTERED, 40, 3))
                .forEach(order::add);

        assertThat(blame("blocked"))
                .containsEntry("T3 by T2 [looked up]", 2.0)
                .containsEntry("T3 by [unknown owner]", 38.0);
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
}
