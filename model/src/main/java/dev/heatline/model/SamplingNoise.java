package dev.heatline.model;

/**
 * The probability that two proportions of independent samples differ as much as they do, or more,
 * by chance alone: Fisher's exact test for few samples, the normal approximation for many.
 */
public final class SamplingNoise {

    /** Up to this many of anything the exact sum is cheap, and the approximation would be poor. */
    private static final long EXACT_UP_TO = 2000;

    private SamplingNoise() {}

    /**
     * Two-sided. 1 if nothing can be said.
     *
     * @param hitsA samples of the first profile that hit
     * @param samplesA all its samples
     */
    public static double probability(long hitsA, long samplesA, long hitsB, long samplesB) {
        if (samplesA == 0 || samplesB == 0) {
            return 1;
        }
        long hits = hitsA + hitsB;
        long misses = samplesA + samplesB - hits;
        long fewest = Math.min(Math.min(hits, misses), Math.min(samplesA, samplesB));
        if (fewest <= EXACT_UP_TO) {
            return exact(hitsA, samplesA, hitsB, samplesB);
        }
        double pooled = (double) hits / (samplesA + samplesB);
        double deviation = Math.sqrt(pooled * (1 - pooled) * (1.0 / samplesA + 1.0 / samplesB));
        double z = Math.abs((double) hitsA / samplesA - (double) hitsB / samplesB) / deviation;
        return Math.min(1, erfc(z / Math.sqrt(2)));
    }

    /**
     * The same for samples of unequal weight, whose shares of the total weight are compared: normal
     * approximation with the variance of a ratio, pooled over both profiles.
     */
    public static double probability(Weighted a, Weighted b) {
        if (a.weight() == 0 || b.weight() == 0) {
            return 1;
        }
        double hit = (a.hitWeight() + b.hitWeight()) / (a.weight() + b.weight());
        double hitSquares = (a.hitSquares() + b.hitSquares()) / (a.squares() + b.squares());
        double perSquare = (1 - hit) * (1 - hit) * hitSquares + hit * hit * (1 - hitSquares);
        double variance =
                perSquare
                        * (a.squares() / (a.weight() * a.weight())
                                + b.squares() / (b.weight() * b.weight()));
        double difference = a.hitWeight() / a.weight() - b.hitWeight() / b.weight();
        return variance == 0
                ? difference == 0 ? 1 : 0
                : Math.min(1, erfc(Math.abs(difference) / Math.sqrt(2 * variance)));
    }

    /**
     * Weighted samples of one profile.
     *
     * @param hitWeight the weights of the samples that hit, added up
     * @param weight all weights, added up
     * @param hitSquares the squares of the weights of the samples that hit, added up
     * @param squares the squares of all weights, added up
     */
    public record Weighted(double hitWeight, double weight, double hitSquares, double squares) {}

    /**
     * Given all hits, how many of them fall into A is hypergeometric when A and B do not differ;
     * adds up the splits that are at most as probable as the one seen.
     */
    private static double exact(long hitsA, long samplesA, long hitsB, long samplesB) {
        long hits = hitsA + hitsB;
        long from = Math.max(0, hits - samplesB);
        long to = Math.min(hits, samplesA);
        double[] weight = new double[(int) (to - from + 1)];
        int seen = (int) (hitsA - from);
        // Relative to the split seen: the ratio of neighbours is rational, so nothing underflows
        // that could matter.
        weight[seen] = 1;
        for (int i = seen; i + 1 < weight.length; i++) {
            weight[i + 1] = weight[i] * ratio(from + i, hits, samplesA, samplesB);
        }
        for (int i = seen; i > 0; i--) {
            weight[i - 1] = weight[i] / ratio(from + i - 1, hits, samplesA, samplesB);
        }
        double all = 0;
        double atMostAsProbable = 0;
        for (double w : weight) {
            all += w;
            if (w <= 1 + 1e-9) {
                atMostAsProbable += w;
            }
        }
        return Double.isInfinite(all) ? 0 : Math.min(1, atMostAsProbable / all);
    }

    /** P(inA + 1) / P(inA) of the hypergeometric distribution. */
    private static double ratio(long inA, long hits, long samplesA, long samplesB) {
        return (double) (hits - inA) / (inA + 1) * (samplesA - inA) / (samplesB - hits + inA + 1);
    }

    /** The complementary error function for x ≥ 0, to about ten digits. */
    private static double erfc(double x) {
        return x < 2.5 ? 1 - erfBySeries(x) : erfcByContinuedFraction(x);
    }

    /** Maclaurin series: fast for small x. */
    private static double erfBySeries(double x) {
        double term = x;
        double sum = x;
        for (int n = 1; Math.abs(term) > 1e-17 * Math.abs(sum) && n < 200; n++) {
            term *= -x * x / n;
            sum += term / (2 * n + 1);
        }
        return 2 / Math.sqrt(Math.PI) * sum;
    }

    /** Laplace's continued fraction, from its tail: fast for large x. */
    private static double erfcByContinuedFraction(double x) {
        double tail = x;
        for (int k = 60; k >= 1; k--) {
            tail = x + k / 2.0 / tail;
        }
        return Math.exp(-x * x) / Math.sqrt(Math.PI) / tail;
    }
}
