package dev.heatline.bench;

import java.util.Locale;

/**
 * Something as a multiple of something else.
 *
 * @param uncertainty half of the 95 % interval, as a part of the value
 */
record Ratio(double value, double uncertainty) {

    /** Of the means of two series. */
    static Ratio of(double[] above, double[] below) {
        double mean = Trimmed.mean(above);
        double other = Trimmed.mean(below);
        return new Ratio(
                mean / other,
                Math.hypot(Trimmed.halfWidth(above) / mean, Trimmed.halfWidth(below) / other));
    }

    /** Of the mean of a series and the mean between those of two others. */
    static Ratio of(double[] above, double[] below, double[] alsoBelow) {
        Ratio one = of(above, below);
        Ratio other = of(above, alsoBelow);
        double own = Trimmed.halfWidth(above) / Trimmed.mean(above);
        double others =
                Math.hypot(
                                Trimmed.halfWidth(below) / Trimmed.mean(below),
                                Trimmed.halfWidth(alsoBelow) / Trimmed.mean(alsoBelow))
                        / 2;
        return new Ratio(Math.sqrt(one.value * other.value), Math.hypot(own, others));
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.4f ± %.4f", value, value * uncertainty);
    }
}
