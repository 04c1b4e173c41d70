package dev.heatline.agent.boot;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * How long the calls of one method took: how many of them how long, the last ones, and the slowest
 * with where they came from. Threads write to parts of their own as far as there are enough, and
 * make no object unless a call is one of the slowest so far.
 */
public final class RegionTimes {
    /**
     * A call that was slow.
     *
     * @param arguments the first objects' classes
     * @param stack from the method outwards
     */
    public record Slow(
            long tookNanos,
            long endMillis,
            String thread,
            List<String> arguments,
            List<String> stack) {}

    /** Takes calls one by one. */
    public interface Reader {
        void call(long startNanos, long tookNanos);
    }

    /** Buckets are a sixteenth of a power of two wide, those below 16 ns one nanosecond. */
    private static final int BUCKET_BITS = 4;

    private static final int IN_POWER = 1 << BUCKET_BITS;

    /** So many that every time has one. */
    public static final int BUCKETS = (Long.SIZE - BUCKET_BITS) * IN_POWER;

    private static final int PARTS = 8;

    /** Of each part: one thread that calls alone has the hundred that are shown. */
    private static final int LAST = 128;

    private static final int SLOWEST = 5;
    private static final int DEEPEST = 200;

    /* In each part: the buckets, then these. */

    private static final int CALLS = BUCKETS;
    private static final int TOTAL = BUCKETS + 1;
    private static final int PART = BUCKETS + 16;

    /* Of each of the last calls. */

    private static final int START = 0;
    private static final int TOOK = 1;

    /** Which call of its part it is, from 1 on; 0 while the others are written. */
    private static final int NUMBER = 2;

    private static final int SLOT = 3;

    private final AtomicLongArray counts = new AtomicLongArray(PARTS * PART);
    private final AtomicLongArray last = new AtomicLongArray(PARTS * LAST * SLOT);

    private final List<Slow> slowest = new ArrayList<>();

    /** What a call has to take to be one of them. */
    private volatile long slowNanos;

    /** A call has ended; says whether it is one of the slowest so far. */
    boolean add(long startNanos, long tookNanos) {
        int part = (int) Thread.currentThread().getId() & PARTS - 1;
        counts.getAndIncrement(part * PART + bucket(tookNanos));
        counts.getAndAdd(part * PART + TOTAL, tookNanos);
        long number = counts.getAndIncrement(part * PART + CALLS);
        int at = place(part, number);
        last.setRelease(at + NUMBER, 0);
        last.setRelease(at + START, startNanos);
        last.setRelease(at + TOOK, tookNanos);
        last.setRelease(at + NUMBER, number + 1);
        return tookNanos > slowNanos;
    }

    private static int place(int part, long number) {
        return SLOT * (part * LAST + ((int) number & LAST - 1));
    }

    /** Takes note of one of the slowest, unless what that needs is what is measured. */
    void addSlow(long tookNanos, @Nullable Object... arguments) {
        if (!Thread.holdsLock(slowest)) {
            synchronized (slowest) {
                addSlowest(tookNanos, arguments);
            }
        }
    }

    private void addSlowest(long tookNanos, @Nullable Object... arguments) {
        List<String> types = new ArrayList<>();
        for (Object argument : arguments) {
            types.add(argument == null ? "null" : argument.getClass().getName());
        }
        int place = 0;
        while (place < slowest.size() && slowest.get(place).tookNanos() >= tookNanos) {
            place++;
        }
        slowest.add(
                place,
                new Slow(
                        tookNanos,
                        System.currentTimeMillis(),
                        Thread.currentThread().getName(),
                        types,
                        stack()));
        if (slowest.size() > SLOWEST) {
            slowest.remove(SLOWEST);
        }
        if (slowest.size() == SLOWEST) {
            slowNanos = slowest.get(SLOWEST - 1).tookNanos();
        }
    }

    private static List<String> stack() {
        List<String> stack = new ArrayList<>();
        for (StackTraceElement frame : new Throwable().getStackTrace()) {
            if (stack.size() < DEEPEST && !isOurs(frame)) {
                stack.add(frame.toString());
            }
        }
        return stack;
    }

    private static boolean isOurs(StackTraceElement frame) {
        return frame.getClassName().equals(RegionTimes.class.getName())
                || frame.getClassName().equals(RegionHooks.class.getName());
    }

    static int bucket(long nanos) {
        if (nanos < IN_POWER) {
            return (int) Math.max(0, nanos);
        }
        int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos) - BUCKET_BITS;
        return (shift + 1) * IN_POWER + ((int) (nanos >>> shift) & IN_POWER - 1);
    }

    /** The shortest time of a bucket. */
    public static long fromNanos(int bucket) {
        return bucket < IN_POWER
                ? bucket
                : (long) (IN_POWER + bucket % IN_POWER) << (bucket / IN_POWER - 1);
    }

    /** How many calls took as long as that bucket says. */
    public long inBucket(int bucket) {
        return sum(bucket);
    }

    public long calls() {
        return sum(CALLS);
    }

    public long totalNanos() {
        return sum(TOTAL);
    }

    private long sum(int at) {
        long sum = 0;
        for (int part = 0; part < PARTS; part++) {
            sum += counts.get(part * PART + at);
        }
        return sum;
    }

    /** The last calls of each part, but for those in whose place another is written meanwhile. */
    public void readLast(Reader reader) {
        for (int part = 0; part < PARTS; part++) {
            long end = counts.get(part * PART + CALLS);
            for (long number = Math.max(0, end - LAST); number < end; number++) {
                int at = place(part, number);
                boolean whole = last.getAcquire(at + NUMBER) == number + 1;
                long start = last.getAcquire(at + START);
                long took = last.getAcquire(at + TOOK);
                if (whole && last.getAcquire(at + NUMBER) == number + 1) {
                    reader.call(start, took);
                }
            }
        }
    }

    public List<Slow> slowest() {
        synchronized (slowest) {
            return new ArrayList<>(slowest);
        }
    }
}
