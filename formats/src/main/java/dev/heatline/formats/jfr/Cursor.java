package dev.heatline.formats.jfr;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A place in an array of recorded bytes, and how numbers are read from there.
 *
 * <p>Reading past the end of the array throws {@link IndexOutOfBoundsException}, which the reader
 * of the chunk reports as damage: the array's own bounds check is the check, a second one per
 * number would cost more than the decoding.
 */
final class Cursor {

    /** Zero bytes that must follow the last byte, so that whole words can be loaded anywhere. */
    static final int PADDING = 16;

    /** The longest array that every JVM can make. */
    static final int MAX_ARRAY = Integer.MAX_VALUE - 8;

    private static final VarHandle WORD =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle BIG_WORD =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final long CONTINUES = 0x8080808080808080L;

    byte[] bytes;
    int at;

    /** Whether integers are written in 7-bit groups, least significant first, at most 9 bytes. */
    final boolean compressed;

    Cursor(byte[] bytes, boolean compressed) {
        this.bytes = bytes;
        this.compressed = compressed;
    }

    /**
     * Checks that so many bytes and the padding fit into one array.
     *
     * @throws Damage if not
     */
    static void checkHolds(long bytes) {
        if (bytes > MAX_ARRAY - PADDING) {
            throw new Damage("has an event of " + bytes + " bytes, more than can be read");
        }
    }

    static long word(byte[] bytes, int at) {
        return (long) WORD.get(bytes, at);
    }

    /** The top bit of every byte of a word that ends a compressed integer. */
    static long ends(long word) {
        return ~word & CONTINUES;
    }

    /** One bit for each of sixteen bytes: whether it ends a compressed integer. */
    static int endsOf16(byte[] bytes, int at) {
        return gathered(ends(word(bytes, at))) | (gathered(ends(word(bytes, at + 8))) << 8);
    }

    /** The top bits of the eight bytes of a word, side by side. */
    private static int gathered(long topBits) {
        return (int) (((topBits >>> 7) * 0x0102040810204080L) >>> 56);
    }

    /** Whether eight of sixteen bytes in a row end no integer. */
    static boolean hasEightBetween(int ends) {
        int between = ~ends & 0xFFFF;
        between &= between >>> 1;
        between &= between >>> 2;
        return (between & (between >>> 4)) != 0;
    }

    /** An integer of any declared width up to 8 bytes. */
    long readLong() {
        return compressed ? varint() : raw(8);
    }

    /** The integer that {@link #readLong} would read. */
    long peekLong() {
        if (!compressed) {
            return (long) BIG_WORD.get(bytes, at);
        }
        long word = word(bytes, at);
        long ends = ends(word);
        if (ends == 0) {
            int start = at;
            long value = varint();
            at = start;
            return value;
        }
        return joined(word & (-1L >>> (63 - Long.numberOfTrailingZeros(ends))));
    }

    /** An integer declared as {@code int}, such as a size or a count. */
    int readInt() {
        return compressed ? (int) varint() : (int) raw(4);
    }

    /**
     * The number of elements that follow, each at least one byte long.
     *
     * @throws Damage if there are not that many bytes
     */
    int readCount() {
        long count = compressed ? varint() : raw(4);
        if (count < 0 || count > bytes.length - at) {
            throw new Damage(
                    "says that " + count + " elements follow, which is more than there is");
        }
        return (int) count;
    }

    byte readByte() {
        return bytes[at++];
    }

    long varint() {
        byte[] b = bytes;
        int p = at;
        byte next = b[p++];
        long value = next & 0x7F;
        for (int shift = 7; next < 0; shift += 7) {
            next = b[p++];
            if (shift == 56) {
                value |= (next & 0xFFL) << 56;
                break;
            }
            value |= (next & 0x7FL) << shift;
        }
        at = p;
        return value;
    }

    /** Joins the 7-bit groups of a word: pairs, then pairs of pairs, then both halves. */
    static long joined(long groups) {
        long v = groups & ~CONTINUES;
        v = (v & 0x007F007F007F007FL) | ((v >>> 1) & 0x3F803F803F803F80L);
        v = (v & 0x00003FFF00003FFFL) | ((v >>> 2) & 0x0FFFC0000FFFC000L);
        return (v & 0x000000000FFFFFFFL) | ((v >>> 4) & 0x00FFFFFFF0000000L);
    }

    /** A big-endian signed integer of 1 to 8 bytes. */
    long raw(int width) {
        long value = (long) BIG_WORD.get(bytes, at) >> (64 - 8 * width);
        at += width;
        return value;
    }

    /**
     * Skips compressed integers, eight bytes at a time, by counting the bytes that end one. Every
     * round begins where an integer begins, so a ninth byte, which may look like any other, is only
     * met behind eight that go on.
     */
    void skipVarints(long count) {
        long left = count;
        int p = at;
        while (left > 0) {
            long ends = ends(word(bytes, p));
            int found = Long.bitCount(ends);
            if (found == 0) {
                p += 9;
                left--;
            } else if (found <= left) {
                left -= found;
                p += 8 - (Long.numberOfLeadingZeros(ends) >>> 3);
            } else {
                for (; left > 1; left--) {
                    ends &= ends - 1;
                }
                left = 0;
                p += (Long.numberOfTrailingZeros(ends) >>> 3) + 1;
            }
        }
        at = p;
    }

    void skipBytes(long count) {
        if (count < 0 || count > bytes.length - at) {
            throw new Damage("says that " + count + " bytes follow, which is more than there is");
        }
        at += (int) count;
    }

    void skipString() {
        byte encoding = readByte();
        switch (encoding) {
            case Text.NULL, Text.EMPTY -> {}
            case Text.POOLED -> readLong();
            case Text.UTF_8, Text.LATIN_1 -> skipBytes(readInt());
            case Text.CHARS -> skipChars(readCount());
            default -> throw new Damage("has a string of unknown encoding " + encoding);
        }
    }

    private void skipChars(int count) {
        if (compressed) {
            skipVarints(count);
        } else {
            skipBytes(2L * count);
        }
    }

    /** The text of a string that is written in place; its encoding byte was read already. */
    String readText(byte encoding) {
        int length = readCount();
        if (encoding == Text.CHARS) {
            StringBuilder chars = new StringBuilder(length);
            for (int i = 0; i < length; i++) {
                chars.append((char) (compressed ? varint() : raw(2)));
            }
            return chars.toString();
        }
        int from = at;
        skipBytes(length);
        return new String(
                bytes,
                from,
                length,
                encoding == Text.UTF_8 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
    }
}
