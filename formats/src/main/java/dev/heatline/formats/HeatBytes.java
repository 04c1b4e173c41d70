package dev.heatline.formats;

/** Consecutive bytes within a larger array, taken from the front. */
final class HeatBytes {
    private final byte[] bytes;
    private final int end;
    private int at;

    HeatBytes(byte[] bytes, int start, int length) {
        this.bytes = bytes;
        this.at = start;
        this.end = start + length;
    }

    int remaining() {
        return end - at;
    }

    /** Moves the next bytes, which must be there, to another array. */
    void take(byte[] target, int offset, int length) {
        System.arraycopy(bytes, at, target, offset, length);
        at += length;
    }
}
