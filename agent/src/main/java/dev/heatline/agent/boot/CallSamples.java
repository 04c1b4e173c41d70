package dev.heatline.agent.boot;

import java.util.Arrays;

/**
 * Which calls of a thread's contexts are timed where not all are, and what the timed ones tell of
 * the others. Calls are timed in bursts: one that is timed alone takes the CPU by surprise, and
 * that takes longer than many methods do. All bursts of a context are timed until it is known what
 * its calls take, then fewer and fewer. A burst stands for all calls of its context since the one
 * before it.
 *
 * <p>Methods of the JDK are not called where a call begins or ends: they may be measured
 * themselves.
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

    /** How many calls of it the bursts so far stand for. */
    private static final int REPRESENTED = 3;

    /** One in how many bursts is timed, and how many were. */
    private static final int EVERY = 4;

    private static final int BURSTS = 5;

    /** How many calls are left until the next burst; from 0 downwards, the place of one in it. */
    private static final int LEFT = 6;

    /** How many calls of this burst count. */
    private static final int COUNTED = 7;

    /**
     * Likewise: what all calls took in nanoseconds, with the hooks in it, and how many timed and
     * how many other calls there were in them; the same of the calls of this burst that count; and
     * the last bursts' net means.
     */
    private static final int ESTIMATE_STRIDE = 8;

    private static final int NANOS = 0;
    private static final int TIMED = 1;
    private static final int UNTIMED = 2;
    private static final int BURST = 3;
    private static final int SUM = 6;
    private static final int SQUARES = 7;

    /** How many calls make a burst. */
    private static final int LENGTH = 32;

    /** The first of a burst that follows calls without timing: these do not count. */
    private static final int SURPRISED = 4;

    /** After so many bursts it is judged how many are needed. */
    private static final int ENOUGH = 32;

    /** No fewer than one in so many is timed, usually. */
    static final int RAREST = 16;

    /** Who looks at a thread whose bursts all end meanwhile takes what there is. */
    private static final int TRIES = 10;

    /** The standard error of a mean that is known well enough, as a part of it. */
    private static final double KNOWN = 0.02;

    private final int rarest;
    private volatile long[] counts;
    private volatile double[] estimates;
    private long timed;
    private long untimed;
    private int random = 0x2545F491;

    /**
     * @param nodes there is room for so many
     * @param rarest at least one in so many bursts is timed
     */
    CallSamples(int nodes, int rarest) {
        this.rarest = rarest;
        counts = new long[nodes * STRIDE];
        estimates = new double[nodes * ESTIMATE_STRIDE];
    }

    /** Makes room for twice as many. */
    void grow() {
        long[] more = new long[2 * counts.length];
        System.arraycopy(counts, 0, more, 0, counts.length);
        counts = more;
        double[] sums = new double[2 * estimates.length];
        System.arraycopy(estimates, 0, sums, 0, estimates.length);
        estimates = sums;
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
        long place = -known[at + LEFT];
        if (known[at + EVERY] <= 1 || place >= SURPRISED) {
            double[] sums = estimates;
            int burst = node * ESTIMATE_STRIDE + BURST;
            sums[burst + NANOS] += now - known[at + START];
            sums[burst + TIMED] += timed - known[at + TIMED_BEFORE];
            sums[burst + UNTIMED] += untimed - known[at + UNTIMED_BEFORE];
            known[at + COUNTED]++;
        }
        if (place >= LENGTH - 1) {
            endBurst(node, calls);
        }
    }

    private void endBurst(int node, long calls) {
        long[] known = counts;
        double[] sums = estimates;
        int at = node * STRIDE;
        int sum = node * ESTIMATE_STRIDE;
        int burst = sum + BURST;
        double counted = known[at + COUNTED];
        double mean =
                CallHooks.net(
                        sums[burst + NANOS] / counted,
                        sums[burst + TIMED] / counted,
                        sums[burst + UNTIMED] / counted);
        double each = (calls - known[at + REPRESENTED]) / counted;
        for (int what = NANOS; what <= UNTIMED; what++) {
            sums[sum + what] += each * sums[burst + what];
            sums[burst + what] = 0;
        }
        known[at + REPRESENTED] = calls;
        known[at + COUNTED] = 0;
        sums[sum + SUM] += mean;
        sums[sum + SQUARES] += mean * mean;
        long every = known[at + EVERY] == 0 ? 1 : known[at + EVERY];
        if (++known[at + BURSTS] % ENOUGH == 0) {
            if (!isKnown(sums, sum)) {
                every = every == 1 ? 1 : every / 2;
            } else if (every < rarest) {
                every *= 2;
            }
            known[at + EVERY] = every;
            sums[sum + SUM] = 0;
            sums[sum + SQUARES] = 0;
        }
        long pause = (every - 1) * LENGTH;
        known[at + LEFT] = pause == 0 ? 1 : 1 + pause / 2 + next() % pause;
    }

    /** Whether the mean of the last bursts is known to some percent. */
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

    /**
     * What so many calls of a node took. A burst that is not complete says something of its own
     * calls only, not of the many since the one before it.
     */
    SampledTime of(int node, long calls) {
        SampledTime found = SampledTime.NONE;
        long before = -1;
        // A burst that ends meanwhile changes one number after the other.
        for (int tries = 0;
                tries < TRIES && before != counts[node * STRIDE + REPRESENTED];
                tries++) {
            before = counts[node * STRIDE + REPRESENTED];
            int from = node * ESTIMATE_STRIDE + (before == 0 ? BURST : 0);
            long represented = before == 0 ? counts[node * STRIDE + COUNTED] : before;
            double each = represented == 0 ? 0 : (double) calls / represented;
            double[] sums = estimates;
            found =
                    new SampledTime(
                            each * sums[from + NANOS],
                            each * sums[from + TIMED],
                            each * sums[from + UNTIMED]);
        }
        return found;
    }

    /** A node is used for another context. */
    void forget(int node) {
        Arrays.fill(counts, node * STRIDE, (node + 1) * STRIDE, 0);
        Arrays.fill(estimates, node * ESTIMATE_STRIDE, (node + 1) * ESTIMATE_STRIDE, 0);
    }

    /** Adds what is known of so many calls of another thread. */
    void add(int node, long calls, SampledTime all) {
        counts[node * STRIDE + REPRESENTED] += calls;
        estimates[node * ESTIMATE_STRIDE + NANOS] += all.nanos();
        estimates[node * ESTIMATE_STRIDE + TIMED] += all.timed();
        estimates[node * ESTIMATE_STRIDE + UNTIMED] += all.untimed();
    }
}
