package dev.heatline.agent.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which calls of roots count when they are timed alone. */
class RootTimesTest {
    private static final int FIND = 7;
    private static final int ADD = 9;

    private final RootTimes times =
            new RootTimes(
                    new int[] {FIND, ADD}, Set.of(RootTimesTest.class.getName() + "root(I)Z"));

    @Test
    void aCallInsideOfARootIsAPartOfIt() {
        assertThat(times.any()).isFalse();
        assertThat(times.enter()).isTrue();
        assertThat(times.any()).isTrue();
        assertThat(times.enter()).isFalse();
        times.leave(ADD, 300);
        assertThat(times.enter()).isTrue();
        times.leave(ADD, 400);

        assertThat(times.calls(0)).isZero();
        assertThat(times.calls(1)).isEqualTo(2);
        assertThat(times.runningNanos(1)).isEqualTo(700);
        assertThat(times.runningSquares(1)).isEqualTo(250_000);
        assertThat(times.idleNanos(1)).isZero();
    }

    /** Such a call began before its code was changed. */
    @Test
    void aCallInsideOfOneThatWasNotSeenToBeginIsNotTimed() {
        assertThat(root(1)).isFalse();
        assertThat(times.any()).isFalse();
    }

    @Test
    void aCallBelowNoOtherIsTimed() {
        assertThat(root(0)).isTrue();
    }

    private boolean root(int callers) {
        return callers == 0 ? times.enter() : root(callers - 1);
    }
}
