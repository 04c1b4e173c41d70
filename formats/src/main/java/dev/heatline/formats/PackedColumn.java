package dev.heatline.formats;

/** Reads a packed column of varints from a part of an array, never beyond it. */
final class PackedColumn {
    private final byte[] bytes;
    private final int start;
    private final int end;
    private final String what;
    private int at;

    /**
     * @param what the column's name for messages
     */
    PackedColumn(byte[] bytes, int start, int length, String what) {
        this.bytes = bytes;
        this.start = start;
        this.end = start + length;
        this.what = what;
        this.at = start;
    }

    /** Refuses counts that so few bytes cannot hold, before anything is allocated for them. */
    void checkHolds(int count) {
        if (count < 0 || count > end - at) {
            throw wrong("holds fewer than " + Integer.toUnsignedString(count) + " values");
        }
    }

    int count() {
        int count = 0;
        for (int i = start; i < end; i++) {
            count += bytes[i] >= 0 ? 1 : 0;
        }
        return count;
    }

    /** The next value; wider ones are cut to 32 bits, as protobuf does. */
    int next() {
        if (at < end && bytes[at] >= 0) {
            return bytes[at++];
        }
        return (int) nextLong();
    }

    int nextSigned() {
        int zigzag = next();
        return zigzag >>> 1 ^ -(zigzag & 1);
    }

    long nextLong() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            if (at == end) {
                throw wrong("ends too early");
            }
            byte next = bytes[at++];
            value |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw wrong("has a number of more than 64 bits at byte " + (at - start));
    }

    void checkEnd() {
        if (at != end) {
            throw wrong("is longer than it should be");
        }
    }

    FormatException wrong(String problem) {
        return new FormatException(what + " " + problem);
    }
}
