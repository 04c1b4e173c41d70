package dev.heatline.model;

import java.util.Arrays;
import java.util.function.LongPredicate;

/**
 * How much was observed of a {@link Resource} in each of equally long stretches of time, so that
 * the Profile of an interval still tells when in it most was going on. There are at most {@link
 * #MOST} stretches: the more time, the longer they are. They begin at multiples of their length
 * since 1970, and each possible length is a multiple of the one before, so that Moments can be put
 * together in any order and grouping. Immutable.
 */
public final class Moments {

    /** How many stretches there are at most: ten minutes in seconds, an hour in tens of seconds. */
    public static final int MOST = 600;

    public static final Moments NONE = new Moments(0, 0, new long[0]);

    /** The possible lengths in seconds. Enough for all times that are written in nanoseconds. */
    private static final long[] LENGTHS = {
        1, 10, 60, 600, 3_600, 86_400, 864_000, 8_640_000, 86_400_000
    };

    private static final long EARLIEST_SECOND = Long.MIN_VALUE / Resource.NANOS_PER_SECOND;
    private static final long LATEST_SECOND = Long.MAX_VALUE / Resource.NANOS_PER_SECOND;

    private final int length;
    private final long first;
    private final long[] amounts;

    private Moments(int length, long first, long[] amounts) {
        this.length = length;
        this.first = first;
        this.amounts = amounts;
    }

    /**
     * Moments as they were written down.
     *
     * @param seconds the length of a stretch
     * @param first how many stretches lie between 1970 and the first of these
     * @throws ModelException if there cannot be any such
     */
    public static Moments of(long seconds, long first, long[] amounts) {
        int length = Arrays.binarySearch(LENGTHS, seconds);
        if (length < 0) {
            throw new ModelException("moments: no stretch is " + seconds + " s long");
        }
        if (amounts.length > MOST) {
            throw new ModelException("moments: " + amounts.length + " stretches are too many");
        }
        if (first < EARLIEST_SECOND / seconds - 1
                || first > LATEST_SECOND / seconds + 1 - amounts.length) {
            throw new ModelException("moments: the time is out of range");
        }
        int start = amounts.length;
        int end = 0;
        for (int i = 0; i < amounts.length; i++) {
            if (amounts[i] < 0) {
                throw new ModelException("moments: " + amounts[i] + " is no amount");
            }
            if (amounts[i] > 0) {
                start = Math.min(start, i);
                end = i + 1;
            }
        }
        return end == 0
                ? NONE
                : new Moments(length, first + start, Arrays.copyOfRange(amounts, start, end));
    }

    public boolean isEmpty() {
        return amounts.length == 0;
    }

    /** The length of a stretch. */
    public long seconds() {
        return LENGTHS[length];
    }

    /** How many stretches lie between 1970 and the first of these. */
    public long first() {
        return first;
    }

    /** How many stretches there are. The first and the last are never without an observation. */
    public int size() {
        return amounts.length;
    }

    public long amount(int stretch) {
        return amounts[stretch];
    }

    /** What was observed in all stretches; what is too much for a number is the largest number. */
    public long total() {
        return Arrays.stream(amounts).reduce(0, Moments::sum);
    }

    private static long sum(long a, long b) {
        return a + b < 0 ? Long.MAX_VALUE : a + b;
    }

    /** What was observed in those stretches whose first second since 1970 is wanted. */
    public Moments during(LongPredicate wanted) {
        Builder builder = new Builder();
        for (int i = 0; i < amounts.length; i++) {
            if (wanted.test((first + i) * seconds())) {
                builder.add(length, first + i, amounts[i]);
            }
        }
        return builder.build();
    }

    /** What was observed in both. Commutative and associative. */
    public Moments plus(Moments other) {
        Builder builder = new Builder();
        builder.add(this);
        builder.add(other);
        return builder.build();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Moments that
                && length == that.length
                && first == that.first
                && Arrays.equals(amounts, that.amounts);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * Arrays.hashCode(amounts) + Long.hashCode(first)) + length;
    }

    @Override
    public String toString() {
        return Arrays.toString(amounts) + " by " + seconds() + " s from " + first * seconds();
    }

    /** Adds up observations. */
    public static final class Builder {
        private int length;
        private long first;
        private int size;
        private long[] amounts = new long[64];

        /** Adds what was observed in a second since 1970. */
        public void add(long second, long amount) {
            add(0, Math.clamp(second, EARLIEST_SECOND, LATEST_SECOND), amount);
        }

        public void add(Moments more) {
            for (int i = 0; i < more.size(); i++) {
                add(more.length, more.first + i, more.amounts[i]);
            }
        }

        private void add(int itsLength, long stretch, long amount) {
            if (amount == 0) {
                return;
            }
            while (length < itsLength) {
                lengthen();
            }
            long second = stretch * LENGTHS[itsLength];
            while (!fits(Math.floorDiv(second, LENGTHS[length]))) {
                lengthen();
            }
            int place = makeRoom(Math.floorDiv(second, LENGTHS[length]));
            amounts[place] = sum(amounts[place], amount);
        }

        public Moments build() {
            return size == 0 ? NONE : new Moments(length, first, Arrays.copyOf(amounts, size));
        }

        public void clear() {
            Arrays.fill(amounts, 0, size, 0);
            size = 0;
            length = 0;
        }

        private boolean fits(long stretch) {
            return size == 0 || Math.max(stretch - first + 1, first + size - stretch) <= MOST;
        }

        /** Returns where the amount of a stretch is. */
        private int makeRoom(long stretch) {
            if (size == 0) {
                first = stretch;
            }
            int before = (int) Math.max(0, first - stretch);
            int wanted = (int) Math.max(before + size, stretch - first + 1);
            if (wanted > amounts.length) {
                int room = Math.min(MOST, Math.max(wanted, 2 * amounts.length));
                amounts = Arrays.copyOf(amounts, room);
            }
            if (before > 0) {
                System.arraycopy(amounts, 0, amounts, before, size);
                Arrays.fill(amounts, 0, before, 0);
                first = stretch;
            }
            size = wanted;
            return (int) (stretch - first);
        }

        /** Goes on with stretches of the next length. */
        private void lengthen() {
            long shorter = LENGTHS[length++];
            long factor = LENGTHS[length] / shorter;
            long newFirst = Math.floorDiv(first, factor);
            int newSize = 0;
            for (int i = 0; i < size; i++) {
                int place = (int) (Math.floorDiv(first + i, factor) - newFirst);
                long amount = amounts[i];
                amounts[i] = 0;
                amounts[place] = sum(amounts[place], amount);
                newSize = place + 1;
            }
            first = newFirst;
            size = newSize;
        }
    }
}
