package dev.heatline.store;

/**
 * The part of a profile's time that is wanted.
 *
 * @param begin of the profile, nanoseconds since 1970; likewise {@code end}
 * @param from what is wanted, of which some lies in that time; likewise {@code until}
 */
record TimePart(long begin, long end, long from, long until) {

    /** All of any profile. */
    static final TimePart ALL = new TimePart(0, 0, Long.MIN_VALUE, Long.MAX_VALUE);

    /** Rounds to the nearest. */
    static final double HALF = 0.5;

    /** Whether the profile does not reach beyond what is wanted. */
    boolean isAll() {
        return begin >= from && end <= until;
    }

    /** Whether what was observed in a second since 1970 is wanted: each lies in one part only. */
    boolean includes(long second) {
        long start = startOf(second);
        return start >= from && start < until;
    }

    /** A profile has all of its seconds in its time. */
    private long startOf(long second) {
        return Math.clamp(Keys.nanos(second), begin, Math.max(begin, end - 1));
    }

    /**
     * What is due to this part of an amount that is spread evenly over the time of the profile. All
     * parts have all of it.
     *
     * @param phase from 0 to 1: when in its time an amount of 1 is over. Amounts that have it in
     *     common would all be in the same part.
     */
    long share(long amount, double phase) {
        return upTo(until, amount, phase, begin, end) - upTo(from, amount, phase, begin, end);
    }

    /** How much of what was observed in a second is before a time; some, if that lies in it. */
    long before(long time, long second, long amount, double phase) {
        long start = startOf(second);
        long next = Math.clamp(Keys.nanos(second + 1), start + 1, Math.max(end, start + 1));
        return upTo(time, amount, phase, start, next);
    }

    private static long upTo(long time, long amount, double phase, long begin, long end) {
        if (time <= begin) {
            return 0;
        }
        if (time >= end) {
            return amount;
        }
        long some = (long) (amount * (((double) time - begin) / ((double) end - begin)) + phase);
        return Math.abs(some) > Math.abs(amount) ? amount : some;
    }
}
