package dev.heatline.collector.calls;

import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;

/**
 * How many times the calibrated costs of hooks leave a known time. Beyond the bounds, something
 * else must have been different: then there is none.
 */
final class HookFactor {
    static final double LEAST = 0.25;

    /**
     * A call that is only counted is calibrated at a nanosecond or so. What is lost with it, being
     * inlined, may be many times that.
     */
    static final double MOST = 32;

    /** Halves the range to less than a millionth of a factor. */
    private static final int STEPS = 25;

    private HookFactor() {}

    /**
     * Finds it.
     *
     * @param net what is left with a factor: no more with a larger one
     * @param aim what is to be left
     */
    static OptionalDouble of(DoubleUnaryOperator net, double aim) {
        double low = LEAST;
        double high = MOST;
        if (net.applyAsDouble(low) < aim || net.applyAsDouble(high) > aim) {
            return OptionalDouble.empty();
        }
        for (int step = 0; step < STEPS; step++) {
            double middle = (low + high) / 2;
            if (net.applyAsDouble(middle) >= aim) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return OptionalDouble.of(low);
    }
}
