package dev.heatline.agent.calls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.wire.CallSnapshot;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is given up when measuring costs more than it may. A call costs 50 ns, 10 if counted. */
class GuardTest {
    private static final int ROOT = 0;
    private static final int MIDDLE = 1;
    private static final int LEAF = 2;
    private static final int SLOW_LEAF = 3;

    private final CallSnapshot.Tree tree = new CallSnapshot.Tree(0, "main", 5);

    private CallSnapshot seen(long millis, long middles, long leaves, long slowLeaves) {
        set(1, ROOT, 0, 10, millis * 1_000_000);
        set(2, MIDDLE, 1, middles, 30 * middles);
        set(3, LEAF, 2, leaves, 30 * leaves);
        set(4, SLOW_LEAF, 2, slowLeaves, 5000 * slowLeaves);
        return snapshot();
    }

    private CallSnapshot snapshot() {
        CallSnapshot.Method any = new CallSnapshot.Method("Any", "any", "()V");
        return new CallSnapshot(
                1,
                new CallSnapshot.Costs(20, 30, 0, 0, 10, 0),
                Map.of(),
                List.of(),
                List.of(any, any, any, any),
                List.of(tree));
    }

    private void set(int node, int method, int parent, long calls, long nanos) {
        tree.set(node, method, parent, calls, nanos, CallSnapshot.Tree.EVERY_CALL);
    }

    /** A million calls of 50 ns in a second. */
    @Test
    void insideOfTheBudgetEverythingIsTimed() {
        Guard guard = new Guard(0.1);
        assertThat(guard.look(seen(1000, 0, 1_000_000, 0))).isEmpty();
        assertThat(guard.counted()).isZero();
    }

    /** The same million in a tenth of a second; in the rest, the thread waits. */
    @Test
    void waitingMakesNoRoomForMore() {
        Guard guard = new Guard(0.1);
        tree.setIdle(1, 900_000_000);
        assertThat(guard.look(seen(1000, 0, 1_000_000, 0))).containsExactly(LEAF);
    }

    @Test
    void theShortestThatAreCalledMostAreCountedFirst() {
        Guard guard = new Guard(0.1);
        assertThat(guard.look(seen(1000, 10_000, 3_000_000, 20_000))).containsExactly(LEAF);
        tree.setUntimed(3, 3_000_000);
        assertThat(guard.look(seen(2000, 20_000, 6_000_000, 40_000))).isEmpty();
        assertThat(guard.counted()).isEqualTo(1);
        assertThat(guard.isTooDear()).isFalse();
    }

    /** Who calls only what is counted may be counted, too. */
    @Test
    void thenThoseThatCallThem() {
        Guard guard = new Guard(0.01);
        assertThat(guard.look(seen(1000, 500_000, 5_000_000, 0))).containsExactly(LEAF);
        tree.setUntimed(3, 5_000_000);
        assertThat(guard.look(seen(2000, 1_000_000, 10_000_000, 0))).containsExactly(MIDDLE);
    }

    /**
     * Ten million calls that were counted for 10 ns each, in five seconds of which a fifth was
     * looked at: that is 2 % of them, and not 10 % of what was looked at.
     */
    @Test
    void callsThatWereNotTimedTookTimeToo() {
        Guard guard = new Guard(0.05);
        for (int i = 1; i <= 5; i++) {
            assertThat(guard.look(sampled(5_000L * i, 10_000_000L * i))).isEmpty();
        }
        assertThat(guard.isTooDear()).isFalse();
    }

    @Test
    void whereTimesAreSampledThereIsNothingToGiveUp() {
        Guard guard = new Guard(0.01);
        for (int i = 1; i <= 3; i++) {
            assertThat(guard.look(sampled(5_000L * i, 10_000_000L * i))).isEmpty();
        }
        assertThat(guard.isTooDear()).isTrue();
    }

    /** Counting takes as long as the calls do, and not half of both. */
    @Test
    void whatCountingTookIsNotTheCalls() {
        Guard guard = new Guard(0.9);
        for (int i = 1; i <= 3; i++) {
            assertThat(guard.look(sampled(5_000L * i, 500_000_000L * i))).isEmpty();
        }
        assertThat(guard.isTooDear()).isTrue();
    }

    /** So long without the hooks. */
    private CallSnapshot sampled(long millis, long leaves) {
        long nanos = millis * 1_000_000;
        tree.set(1, ROOT, 0, 10, nanos / 5, nanos + 10 * 20 + leaves * 10);
        tree.setInside(1, 0, leaves);
        tree.set(2, MIDDLE, 1, 0, 0, 0);
        tree.set(3, LEAF, 1, leaves, 0, nanos / 2);
        tree.set(4, SLOW_LEAF, 1, 0, 0, 0);
        return snapshot();
    }

    @Test
    void whenNothingHelpsItHasToEnd() {
        Guard guard = new Guard(0.0001);
        for (int i = 1; i <= 10 && !guard.isTooDear(); i++) {
            guard.look(seen(1000L * i, 0, 0, 100_000L * i));
        }
        assertThat(guard.isTooDear()).isTrue();
        assertThat(guard.counted()).isZero();
    }
}
