package dev.heatline.formats.jfr;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads events whose fields are all compressed integers, thread and stack trace side by side, as
 * nearly all are. The bytes of those two are taken as they stand, as one number that events are
 * summed by; only sums decode them. All ends of integers are found in whole words, without a branch
 * on the length of any.
 */
final class PackedFields {

    /** Stands for the thread of a row whose stack is both. */
    static final long PACKED = Long.MIN_VALUE;

    /** The slot that means: thread and stack trace, in either order. */
    private static final int BOTH = -2;

    /** Alternately how many integers to skip, and the slot of the one that follows. */
    private final int[] steps;

    private final boolean stackFirst;

    private PackedFields(int[] steps, boolean stackFirst) {
        this.steps = steps;
        this.stackFirst = stackFirst;
    }

    /** Null if events with this plan cannot be read that way. */
    static @Nullable PackedFields of(Plan plan) {
        int[] slots = plan.varintSlots();
        if (slots == null) {
            return null;
        }
        int[] steps = new int[2 * slots.length];
        int length = 0;
        int skipped = 0;
        boolean both = false;
        boolean stackFirst = false;
        for (int i = 0; i < slots.length; i++) {
            int slot = slots[i];
            if (slot < 0) {
                skipped++;
                continue;
            }
            if (slot == Tally.STACK || slot == Tally.THREAD) {
                int other = slot == Tally.STACK ? Tally.THREAD : Tally.STACK;
                if (both || i + 1 == slots.length || slots[i + 1] != other) {
                    return null;
                }
                both = true;
                stackFirst = slot == Tally.STACK;
                slot = BOTH;
                i++;
            }
            steps[length++] = skipped;
            steps[length++] = slot;
            skipped = 0;
        }
        return both ? new PackedFields(Arrays.copyOf(steps, length), stackFirst) : null;
    }

    /**
     * Fills the slots. Leaves the cursor where it is and answers false if thread and stack trace
     * take more than eight bytes.
     */
    boolean read(Cursor in, long[] slots) {
        byte[] bytes = in.bytes;
        int at = in.at;
        for (int i = 0; i < steps.length; i += 2) {
            if (steps[i] > 0) {
                at = skip(in, at, steps[i]);
            }
            long word = Cursor.word(bytes, at);
            long ends = Cursor.ends(word);
            int slot = steps[i + 1];
            if (slot == BOTH) {
                ends &= ends - 1;
            }
            if (ends == 0) {
                return false;
            }
            int end = Long.numberOfTrailingZeros(ends);
            at += (end >>> 3) + 1;
            word &= -1L >>> (63 - end);
            if (slot == BOTH) {
                slots[Tally.STACK] = word;
                slots[Tally.THREAD] = PACKED;
            } else {
                slots[slot] = Cursor.joined(word);
            }
        }
        in.at = at;
        return true;
    }

    private static int skip(Cursor in, int at, int count) {
        long ends = Cursor.ends(Cursor.word(in.bytes, at));
        for (int left = count; left > 1; left--) {
            ends &= ends - 1;
        }
        if (ends != 0) {
            return at + (Long.numberOfTrailingZeros(ends) >>> 3) + 1;
        }
        int before = in.at;
        in.at = at;
        in.skipVarints(count);
        int after = in.at;
        in.at = before;
        return after;
    }

    /** The stack trace id in such a number. */
    long stack(long packed) {
        return part(packed, stackFirst);
    }

    /** The thread id in such a number. */
    long thread(long packed) {
        return part(packed, !stackFirst);
    }

    private static long part(long packed, boolean first) {
        int end = Long.numberOfTrailingZeros(Cursor.ends(packed));
        return Cursor.joined(first ? packed & (-1L >>> (63 - end)) : packed >>> (end + 1));
    }
}
