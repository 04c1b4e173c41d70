package dev.heatline.agent.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** How well the mean of timed calls is known. */
class TimedCallsTest {
    /** Half of them took 90 ns, half 110. */
    private static TimedCalls even(long calls) {
        return new TimedCalls(calls, 100 * calls, calls / 2 * (90 * 90 + 110 * 110));
    }

    @Test
    void whatVariesIsKnownBetterByMoreCalls() {
        TimedCalls all = even(10_000);
        assertThat(all.mean()).isEqualTo(100);
        assertThat(all.spread()).isCloseTo(10, within(0.01));
        assertThat(all.error(even(5_000))).isCloseTo(0.1, within(0.001));
        assertThat(all.since(even(4_000))).isEqualTo(even(6_000));
    }

    @Test
    void whatChangesIsKnownNoBetterThanItsHalvesAgree() {
        TimedCalls firstHalf = new TimedCalls(1_000, 120_000, 120 * 120_000);
        TimedCalls all = new TimedCalls(2_000, 220_000, 120 * 120_000 + 100 * 100_000);
        assertThat(all.error(firstHalf)).isEqualTo(10);
        assertThat(all.becomesShorter(firstHalf, 0.05)).isTrue();
        assertThat(all.becomesShorter(firstHalf, 0.25)).isFalse();
    }

    @Test
    void ofNoCallsNothingIsKnown() {
        TimedCalls none = new TimedCalls(0, 0, 0);
        assertThat(none.mean()).isZero();
        assertThat(none.spread()).isZero();
        assertThat(none.becomesShorter(none, 0)).isFalse();
    }
}
