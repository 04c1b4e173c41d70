package dev.heatline.store;

import dev.heatline.formats.HeatText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads what {@link Output} wrote, and never beyond it. */
final class Input {
    private final byte[] bytes;
    private int at;

    Input(byte[] bytes) {
        this.bytes = bytes;
    }

    boolean isAtEnd() {
        return at == bytes.length;
    }

    long number() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            if (at == bytes.length) {
                throw damaged();
            }
            byte next = bytes[at++];
            value |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw damaged();
    }

    long signed() {
        long zigzag = number();
        return zigzag >>> 1 ^ -(zigzag & 1);
    }

    /** A number that fits an int and is not negative. */
    int small() {
        if (at < bytes.length && bytes[at] >= 0) {
            return bytes[at++];
        }
        long number = number();
        if (number < 0 || number > Integer.MAX_VALUE) {
            throw damaged();
        }
        return (int) number;
    }

    /** A count of things that take at least a byte each, which must still follow. */
    int count() {
        return checked(small());
    }

    /** A count that was found otherwise, of things that take at least a byte each. */
    int checked(int count) {
        if (count < 0 || count > bytes.length - at) {
            throw damaged();
        }
        return count;
    }

    /** The next bytes, of which there must be so many. */
    byte[] bytes(int length) {
        at += length;
        return Arrays.copyOfRange(bytes, at - length, at);
    }

    byte[] rest() {
        return bytes(bytes.length - at);
    }

    String text() {
        int length = count();
        at += length;
        return HeatText.decode(bytes, at - length, length);
    }

    List<String> texts() {
        int count = count();
        List<String> texts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            texts.add(text());
        }
        return texts;
    }

    static StoreException damaged() {
        return new StoreException(
                "the store is damaged: a value is not what was written; restore it from a copy");
    }
}
