package dev.heatline.formats.jfr;

import java.util.ArrayList;
import java.util.List;

/**
 * The first allocation sample of each thread in a chunk. The weight of a sample is what its thread
 * allocated since the one before, whether or not anything was recorded then: the first one after a
 * recording has begun may stand for all that the thread ever allocated (JDK 25 at each beginning,
 * JDK 17 at the first). How much that was, the JVM says when a chunk begins.
 *
 * <p>It says so some milliseconds after the first samples can come, so their weight may be a little
 * less than what it says. The two are taken to be of the same origin if the weight is at least half
 * of that. Where that is wrong, what is lost is small beside what the thread had allocated before;
 * where it fails to see history, the thread allocated more in those milliseconds than ever before.
 */
final class FirstSamples {
    static final String EVENT = "jdk.ObjectAllocationSample";
    static final String WEIGHT = "weight";

    private final int cell;

    /** The threads that had samples in this chunk. */
    private final LongIntMap seen = new LongIntMap();

    /** The thread of the last sample, if there was one. */
    private long last;

    /** The first samples of threads that were not entered yet. */
    private final List<First> pending = new ArrayList<>();

    /**
     * A sample, and where it was added.
     *
     * @param tally the sums
     * @param rowStack first part of the key of the row
     * @param rowThread second part
     */
    private record First(long thread, long weight, Tally tally, long rowStack, long rowThread) {}

    /**
     * @param cell of the weights in a row
     */
    FirstSamples(int cell) {
        this.cell = cell;
    }

    /** Notes a sample that was added to a tally. */
    void add(long thread, Tally tally, long[] slots) {
        if (isFirst(thread)) {
            pending.add(
                    new First(thread, slots[cell], tally, slots[Tally.STACK], slots[Tally.THREAD]));
        }
    }

    /** Notes a sample that was added to a tally with stack trace and thread in one number. */
    void add(long thread, Tally tally, long packed, long weight) {
        if (isFirst(thread)) {
            pending.add(new First(thread, weight, tally, packed, Tally.PACKED));
        }
    }

    /** Notes a sample that is in nobody's sums. */
    void pass(long thread) {
        isFirst(thread);
    }

    private boolean isFirst(long thread) {
        if (thread == last && seen.size() > 0) {
            return false;
        }
        last = thread;
        int before = seen.size();
        seen.putIfAbsent(thread, 0);
        return seen.size() > before;
    }

    /** Takes from the sums what was allocated before the chunk. */
    void leaveOut(AllocatedBefore allocatedBefore) {
        for (First first : pending) {
            long history = allocatedBefore.bytes(first.thread);
            first.tally.subtract(
                    first.rowStack, first.rowThread, cell, part(first.weight, history));
        }
        pending.clear();
    }

    /** How much of the first weight of a thread belongs to the time before the chunk. */
    static long part(long weight, long history) {
        return weight >= history - weight ? Math.clamp(history, 0, Math.max(0, weight)) : 0;
    }

    /** Forgets the samples that were not entered, but not whose they were. */
    void clearPending() {
        pending.clear();
    }

    /** Forgets the chunk. */
    void clear() {
        seen.clear();
        pending.clear();
    }
}
