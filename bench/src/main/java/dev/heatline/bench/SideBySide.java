package dev.heatline.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Compares pieces of work in one JVM: rounds of every piece in turn, CPU and wall time of each, and
 * trimmed means of the ratios to a reference within the same round. The reference runs twice a round
 * under two names; the ratio of those two, which ought to be one, says how far the others can be
 * trusted.
 */
final class SideBySide {
    private static final double TRIMMED = 0.2;

    private final String reference;
    private final Map<String, Supplier<?>> pieces = new LinkedHashMap<>();
    private final Map<String, double[]> cpuNanos = new LinkedHashMap<>();
    private final Map<String, double[]> wallNanos = new LinkedHashMap<>();

    /** The last result, so that no work is optimised away. */
    private volatile Object sink = this;

    /** The reference is what everything else is divided by. */
    SideBySide(String reference, Supplier<?> work) {
        this.reference = reference;
        pieces.put(reference, work);
    }

    SideBySide with(String name, Supplier<?> work) {
        pieces.put(name, work);
        return this;
    }

    private String nullName() {
        return reference + " again";
    }

    /** Runs some rounds for warm-up, then the measured ones. */
    SideBySide run(int warmup, int rounds) {
        pieces.put(nullName(), pieces.get(reference));
        List<String> names = new ArrayList<>(pieces.keySet());
        names.forEach(name -> cpuNanos.put(name, new double[rounds]));
        names.forEach(name -> wallNanos.put(name, new double[rounds]));
        for (int round = -warmup; round < rounds; round++) {
            for (String name : names) {
                System.gc();
                long wall = System.nanoTime();
                long cpu = CpuClock.nanos();
                sink = pieces.get(name).get();
                if (round >= 0) {
                    cpuNanos.get(name)[round] = CpuClock.nanos() - cpu;
                    wallNanos.get(name)[round] = System.nanoTime() - wall;
                }
            }
        }
        sink = this;
        return this;
    }

    /** The trimmed mean over rounds of a piece's CPU time, in seconds. */
    double cpuSeconds(String name) {
        return trimmedMean(cpuNanos.get(name)) / 1e9;
    }

    /** The CPU time of a piece over that of the reference. */
    double ratio(String name) {
        double[] piece = cpuNanos.get(name);
        double[] base = cpuNanos.get(reference);
        double[] ratios = new double[piece.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = piece[i] / base[i];
        }
        return trimmedMean(ratios);
    }

    /** A table: CPU and wall time of each piece, and its ratio to the reference. */
    void print(String title) {
        System.out.printf("%n%s%n%-44s %12s %12s %10s%n", title, "", "CPU ms", "wall ms", "ratio");
        for (String name : cpuNanos.keySet()) {
            System.out.printf(
                    Locale.ROOT,
                    "%-44s %12.2f %12.2f %10.2f%n",
                    name.equals(nullName()) ? name + " (null experiment)" : name,
                    cpuSeconds(name) * 1e3,
                    trimmedMean(wallNanos.get(name)) / 1e6,
                    ratio(name));
        }
    }

    private static double trimmedMean(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int cut = (int) (sorted.length * TRIMMED);
        return Arrays.stream(sorted, cut, sorted.length - cut).average().orElse(Double.NaN);
    }
}
