package dev.heatline.formats;

import java.util.Arrays;

/** A growing packed column: protobuf varints one after the other. */
final class Varints {
    private static final int MAX_VARINT = 10;

    private byte[] bytes = new byte[256];
    private int size;

    /** Appends a value, taken as unsigned. */
    void add(long value) {
        if (size + MAX_VARINT > bytes.length) {
            bytes = Arrays.copyOf(bytes, bytes.length + bytes.length / 2);
        }
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    /** Appends a value that may be negative, small ones in one byte (zigzag). */
    void addSigned(int value) {
        add((value << 1 ^ value >> 31) & 0xFFFF_FFFFL);
    }

    void clear() {
        size = 0;
    }

    byte[] bytes() {
        return bytes;
    }

    int size() {
        return size;
    }
}
