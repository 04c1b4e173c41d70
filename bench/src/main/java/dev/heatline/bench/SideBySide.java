package dev.heatline.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Compares pieces of work in one JVM: rounds of every piece in turn, CPU and wall time of each, and
 * trimmed means of the ratios to a reference within the same round. The reference runs twice a
 * round under two names; the ratio of those two, which ought to be one, says how far the others can
 * be trusted.
 */
final class SideBySide {
    /** Enough for the compilers to be done, so that none pays for another's compilation. */
    private static final long WARMUP_NANOS = 6_000_000_000L;

    private final Piece reference;
    private final List<Piece> pieces = new ArrayList<>();

    /** The reference is what everything else is divided by. */
    SideBySide(String reference, Supplier<?> work) {
        this.reference = new Piece(reference, work);
        pieces.add(this.reference);
    }

    SideBySide with(String name, Supplier<?> work) {
        pieces.add(new Piece(name, work));
        return this;
    }

    /** Warms every piece up for some seconds, then runs the measured rounds. */
    SideBySide run(int rounds) {
        pieces.add(new Piece(reference.name + " again (null experiment)", reference.work));
        for (Piece piece : pieces) {
            long until = System.nanoTime() + WARMUP_NANOS;
            do {
                Objects.requireNonNull(piece.work.get());
            } while (System.nanoTime() < until);
        }
        for (Piece piece : pieces) {
            piece.cpuNanos = new double[rounds];
            piece.wallNanos = new double[rounds];
        }
        for (int round = 0; round < rounds; round++) {
            for (Piece piece : pieces) {
                System.gc();
                long wall = System.nanoTime();
                long cpu = CpuClock.nanos();
                Objects.requireNonNull(piece.work.get());
                piece.cpuNanos[round] = CpuClock.nanos() - cpu;
                piece.wallNanos[round] = System.nanoTime() - wall;
            }
        }
        return this;
    }

    /** The CPU time of the reference, a trimmed mean over the rounds, in seconds. */
    double referenceCpuSeconds() {
        return Trimmed.mean(reference.cpuNanos) / 1e9;
    }

    /** A table: CPU and wall time of each piece, and its CPU time over that of the reference. */
    void print(String title) {
        System.out.printf("%n%s%n%-52s %12s %12s %8s%n", title, "", "CPU ms", "wall ms", "ratio");
        for (Piece piece : pieces) {
            System.out.printf(
                    Locale.ROOT,
                    "%-52s %12.2f %12.2f %8.2f%n",
                    piece.name,
                    Trimmed.mean(piece.cpuNanos) / 1e6,
                    Trimmed.mean(piece.wallNanos) / 1e6,
                    Trimmed.mean(piece.ratiosTo(reference)));
        }
    }

    /** One piece of work and what each measured round of it took. */
    private static final class Piece {
        private final String name;
        private final Supplier<?> work;
        private double[] cpuNanos = {};
        private double[] wallNanos = {};

        Piece(String name, Supplier<?> work) {
            this.name = name;
            this.work = work;
        }

        double[] ratiosTo(Piece other) {
            double[] ratios = new double[cpuNanos.length];
            for (int round = 0; round < ratios.length; round++) {
                ratios[round] = cpuNanos[round] / other.cpuNanos[round];
            }
            return ratios;
        }
    }
}
