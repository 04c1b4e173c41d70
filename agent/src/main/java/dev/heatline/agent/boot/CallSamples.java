package dev.heatline.agent.boot;

import java.util.Arrays;

/**
 * Which calls of a thread's contexts are timed where not all are, and what the timed ones tell of
 * the others. All calls of a context are timed until it is known what they take, then fewer and
 * fewer. A timed call, with all that it called, stands for all of its context since the one before
 * it.
 *
 * <p>Only the thread itself writes. Times come from a clock that stands still while the thread does
 * what is not the application's.
 */
final class CallSamples {
    private static final int STRIDE = 8;

    /** When the timed call under way began. */
    private static final int START = 0;

    /** How many timed and how many other calls there were in this thread until then. */
    private static final int TIMED_BEFORE = 1;

    private static final int UNTIMED_BEFORE = 2;

    /** How many calls of it the timed ones stand for. */
    private static final int REPRESENTED = 3;

    /** One in how many calls is timed, how many calls are left until then, how many were timed. */
    private static final int EVERY = 4;

    private static final int LEFT = 5;
    private static final int TIMED = 6;

    /** Likewise, in nanoseconds: what all calls took, and what the last timed ones took. */
    private static final int ESTIMATE_STRIDE = 4;

    private static final int ESTIMATE = 0;
    private static final int SUM = 1;
    private static final int SQUARES = 2;

    /** After so many timed calls it is judged how many are needed. */
    private static final int ENOUGH = 1024;

    /** No fewer than one in so many is timed. */
    private static final int RAREST = 32;

    /** The standard error of a mean that is known well enough, as a part of it. */
    private static final double KNOWN = 0.02;

    private volatile long[] counts;
    private volatile double[] nanos;
    private long timed;
    private long untimed;
    private int random = 0x2545F491;

    /** Room for so many nodes. */
    CallSamples(int nodes) {
        counts = new long[nodes * STRIDE];
        nanos = new double[nodes * ESTIMATE_STRIDE];
    }

    /** Makes room for twice as many. */
    void grow() {
        long[] more = new long[2 * counts.length];
        System.arraycopy(counts, 0, more, 0, counts.length);
        counts = more;
        double[] sums = new double[2 * nanos.length];
        System.arraycopy(nanos, 0, sums, 0, nanos.length);
        nanos = sums;
    }

    /** Whether the call that begins is timed; counts it if it is not. */
    boolean isTimed(int node) {
        if (--counts[node * STRIDE + LEFT] > 0) {
            untimed++;
            return false;
        }
        return true;
    }

    /** Counts a call inside of one that is not timed. */
    void skip() {
        untimed++;
    }

    /** A timed call begins. */
    void begin(int node, long now) {
        long[] known = counts;
        int at = node * STRIDE;
        known[at + START] = now;
        known[at + TIMED_BEFORE] = ++timed;
        known[at + UNTIMED_BEFORE] = untimed;
    }

    /**
     * A timed call ends. Takes note of what it took, and decides how many of the next are not
     * timed.
     *
     * @param calls of this node so far
     */
    void end(int node, long now, long calls) {
        long[] known = counts;
        int at = node * STRIDE;
        double took =
                CallHooks.net(
                        now - known[at + START],
                        timed - known[at + TIMED_BEFORE],
                        untimed - known[at + UNTIMED_BEFORE]);
        double[] sums = nanos;
        int sum = node * ESTIMATE_STRIDE;
        sums[sum + ESTIMATE] += took * (calls - known[at + REPRESENTED]);
        known[at + REPRESENTED] = calls;
        sums[sum + SUM] += took;
        sums[sum + SQUARES] += took * took;
        long every = Math.max(1, known[at + EVERY]);
        if (++known[at + TIMED] % ENOUGH == 0) {
            every = isKnown(sums, sum) ? Math.min(2 * every, RAREST) : Math.max(1, every / 2);
            known[at + EVERY] = every;
            sums[sum + SUM] = 0;
            sums[sum + SQUARES] = 0;
        }
        known[at + LEFT] = every == 1 ? 1 : every / 2 + next() % every;
    }

    /** Whether the mean of the last timed calls is known to some percent. */
    private static boolean isKnown(double[] sums, int at) {
        double mean = sums[at + SUM] / ENOUGH;
        double variance = sums[at + SQUARES] / ENOUGH - mean * mean;
        return variance <= ENOUGH * (KNOWN * mean) * (KNOWN * mean);
    }

    /** Some number, not negative: what comes at regular times must not always be met. */
    private int next() {
        random ^= random << 13;
        random ^= random >>> 17;
        random ^= random << 5;
        return random & Integer.MAX_VALUE;
    }

    /** What so many calls took, with what they called; net. */
    double estimatedNanos(int node, long calls) {
        long represented = counts[node * STRIDE + REPRESENTED];
        double known = nanos[node * ESTIMATE_STRIDE + ESTIMATE];
        return represented == 0 ? 0 : known * calls / represented;
    }

    /** A node is used for another context. */
    void forget(int node) {
        Arrays.fill(counts, node * STRIDE, (node + 1) * STRIDE, 0);
        Arrays.fill(nanos, node * ESTIMATE_STRIDE, (node + 1) * ESTIMATE_STRIDE, 0);
    }

    /** Adds what is known of the calls of another thread. */
    void add(int node, long calls, double estimate) {
        counts[node * STRIDE + REPRESENTED] += calls;
        nanos[node * ESTIMATE_STRIDE + ESTIMATE] += estimate;
    }
}
