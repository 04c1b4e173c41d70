package dev.heatline.wire;

/**
 * What calls took with all that they called and the hooks in it, as far as those tell that were
 * timed. What the hooks cost is better known at the end: so it is subtracted then.
 *
 * @param nanos in all
 * @param calls how many they are
 * @param timed how many timed calls there would have been in them, had they all been timed
 * @param untimed how many others, which were only counted
 */
public record Estimate(double nanos, double calls, double timed, double untimed) {
    public static final Estimate NONE = new Estimate(0, 0, 0, 0);

    /** Without the hooks; below 0 where they were cheaper than they usually are. */
    public double net(CallSnapshot.Costs costs) {
        return nanos - calls * costs.inner() - timed * costs.pair() - untimed * costs.untimed();
    }

    public Estimate plus(Estimate other) {
        return new Estimate(
                nanos + other.nanos,
                calls + other.calls,
                timed + other.timed,
                untimed + other.untimed);
    }

    public Estimate minus(Estimate other) {
        return plus(other.times(-1));
    }

    public Estimate times(double factor) {
        return new Estimate(nanos * factor, calls * factor, timed * factor, untimed * factor);
    }
}
