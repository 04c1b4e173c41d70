package dev.heatline.store;

import dev.heatline.formats.HeatText;
import java.util.Arrays;
import java.util.Collection;

/** A value being written: varints and texts, one after the other. */
final class Output {
    private static final int MAX_VARINT = 10;

    private byte[] bytes = new byte[256];
    private int size;

    /** Appends a number, taken as unsigned: small ones take one byte. */
    Output number(long value) {
        reserve(MAX_VARINT);
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
        return this;
    }

    /** Appends a number that may be negative (zigzag). */
    Output signed(long value) {
        return number(value << 1 ^ value >> 63);
    }

    Output text(String text) {
        byte[] encoded = HeatText.encode(text);
        return number(encoded.length).bytes(encoded);
    }

    Output bytes(byte[] more) {
        reserve(more.length);
        System.arraycopy(more, 0, bytes, size, more.length);
        size += more.length;
        return this;
    }

    Output texts(Collection<String> texts) {
        number(texts.size());
        texts.forEach(this::text);
        return this;
    }

    private void reserve(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }
}
