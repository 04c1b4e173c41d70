package dev.heatline.agent.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is made of the few calls that are timed. */
class CallSamplesTest {
    private static final int NODE = 1;
    private static final int INNER = 2;

    private final CallSamples samples = new CallSamples(8, CallSamples.RAREST);
    private long now;
    private long calls;
    private long took;
    private long timed;

    /** So many calls, each as long as its number says. */
    private void call(int times, IntToLongFunction nanos) {
        for (int i = 0; i < times; i++) {
            boolean isTimed = samples.isTimed(NODE);
            calls++;
            if (isTimed) {
                timed++;
                samples.begin(NODE, now);
            }
            long each = nanos.applyAsLong(i);
            now += each;
            took += each;
            if (isTimed) {
                samples.end(NODE, now, calls);
            }
        }
    }

    /** As a part of the truth. */
    private double estimate() {
        return samples.of(NODE, calls).nanos() / took;
    }

    @Test
    void callsThatTakeEquallyLongAreKnownFromFew() {
        call(1_000_000, i -> 500);
        assertThat(estimate()).isCloseTo(1, within(0.001));
        assertThat(timed).isLessThan(calls / 8);
    }

    @Test
    void callsThatVaryAreTimedMoreOften() {
        Random random = new Random(1);
        call(1_000_000, i -> random.nextInt(100) == 0 ? 100_000 : 100);
        assertThat(estimate()).isCloseTo(1, within(0.05));
        assertThat(timed).isGreaterThan(calls / 4);
    }

    @Test
    void whatChangesIsFollowed() {
        call(500_000, i -> 100);
        call(500_000, i -> 1_000);
        assertThat(estimate()).isCloseTo(1, within(0.03));
    }

    @Test
    void whatIsCalledRarelyIsTimedAlways() {
        call(20, i -> 1_000 + i);
        assertThat(estimate()).isCloseTo(1, within(0.001));
        assertThat(timed).isEqualTo(20);
    }

    /** Each call makes three others, of which one is timed; before and after a burst has ended. */
    @ParameterizedTest
    @ValueSource(ints = {5, 100_000})
    void callsInsideOfTimedOnesAreCounted(int times) {
        for (int i = 1; i <= times; i++) {
            boolean isTimed = samples.isTimed(NODE);
            if (isTimed) {
                samples.begin(NODE, now);
                samples.begin(INNER, now + 10);
                samples.end(INNER, now + 20, i);
                now += 40;
            }
            samples.skip();
            samples.skip();
            if (isTimed) {
                samples.end(NODE, now, i);
            }
        }
        SampledTime found = samples.of(NODE, times);
        assertThat(found.nanos() / times).isCloseTo(40, within(1e-6));
        assertThat(found.timed() / times).isCloseTo(1, within(1e-6));
        assertThat(found.untimed() / times).isCloseTo(2, within(1e-6));
    }

    /** A thread that loses its CPU for a while in one call does not do so in all others. */
    @Test
    void aBurstThatIsNotCompleteSpeaksForNoOthers() {
        call(1_000_000, i -> 500);
        long before = timed;
        while (timed < before + 6) {
            call(1, i -> 500);
        }
        call(1, i -> 10_000_000);
        assertThat(estimate()).isCloseTo(1, within(0.03));
    }
}
