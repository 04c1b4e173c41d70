package dev.heatline.formats.jfr;

import org.jspecify.annotations.Nullable;

/**
 * Reads events whose fields are all compressed integers, thread and stack trace side by side and at
 * most one number to sum behind them, as the samples of CPU time and of allocation are. The bytes
 * of thread and stack trace are taken as they stand, as one number that events are summed by; only
 * sums decode them. Where integers start is found for sixteen bytes at once, without a branch on
 * the length of any.
 */
final class PackedFields {

    /** How many integers stand before thread and stack trace. */
    private final int before;

    /** How many stand between those and the number to sum; -1 if there is nothing to sum. */
    private final int between;

    private final boolean stackFirst;

    /** Stack trace and thread of the last event, and the number to sum. */
    private long key;

    private long amount;

    private PackedFields(int before, int between, boolean stackFirst) {
        this.before = before;
        this.between = between;
        this.stackFirst = stackFirst;
    }

    /** Null if events with this plan cannot be read that way. */
    static @Nullable PackedFields of(Plan plan) {
        int[] slots = plan.varintSlots();
        if (slots == null) {
            return null;
        }
        int before = skipped(slots, 0);
        if (before + 1 >= slots.length || Math.max(slots[before], slots[before + 1]) != 1) {
            return null;
        }
        boolean stackFirst = slots[before] == Tally.STACK;
        if (slots[before] + slots[before + 1] != Tally.STACK + Tally.THREAD) {
            return null;
        }
        int behind = before + 2;
        if (behind == slots.length) {
            return new PackedFields(before, -1, stackFirst);
        }
        int between = skipped(slots, behind);
        return behind + between + 1 == slots.length && slots[behind + between] == Tally.FIRST_SUM
                ? new PackedFields(before, between, stackFirst)
                : null;
    }

    private static int skipped(int[] slots, int from) {
        int at = from;
        while (at < slots.length && slots[at] < 0) {
            at++;
        }
        return at - from;
    }

    /**
     * Adds the event at the cursor. Leaves the cursor where it is and answers false if the fields
     * take more than sixteen bytes, thread and stack trace together more than eight, or any integer
     * its ninth byte, which need not tell where it ends.
     */
    boolean read(Cursor in, Tally tally) {
        byte[] bytes = in.bytes;
        int at = in.at;
        int ends = Cursor.endsOf16(bytes, at);
        if (Cursor.hasEightBetween(ends)) {
            return false;
        }
        int starts = withoutLowest((ends << 1) | 1, before);
        int start = Integer.numberOfTrailingZeros(starts);
        starts = withoutLowest(starts, 2);
        int end = Integer.numberOfTrailingZeros(starts);
        if (between < 0) {
            if (starts == 0 || end - start > Long.BYTES) {
                return false;
            }
            tally.count(bytesOf(bytes, at + start, end - start), Tally.PACKED);
            in.at = at + end;
            return true;
        }
        starts = withoutLowest(starts, between);
        int sumStart = Integer.numberOfTrailingZeros(starts);
        starts = withoutLowest(starts, 1);
        int sumEnd = Integer.numberOfTrailingZeros(starts);
        if (starts == 0 || end - start > Long.BYTES) {
            return false;
        }
        key = bytesOf(bytes, at + start, end - start);
        amount = Cursor.joined(bytesOf(bytes, at + sumStart, sumEnd - sumStart));
        tally.add(key, amount);
        in.at = at + sumEnd;
        return true;
    }

    /** Stack trace and thread of the event read last, if it had a number to sum. */
    long key() {
        return key;
    }

    /** The number to sum of the event read last, if it had one. */
    long amount() {
        return amount;
    }

    /** Clears that many of the lowest bits that are set. */
    private static int withoutLowest(int bits, int count) {
        int rest = bits;
        for (int left = count; left > 0; left--) {
            rest &= rest - 1;
        }
        return rest;
    }

    /** One to eight bytes as a number. */
    private static long bytesOf(byte[] bytes, int at, int length) {
        return Cursor.word(bytes, at) & (-1L >>> (Long.SIZE - 8 * length));
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
