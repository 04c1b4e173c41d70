package dev.heatline.collector.locks;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.heatline.formats.FormatException;
import java.nio.file.Path;

/** A run of events in the bytes of a trace. */
final class Varints {
    private static final int MAX_SHIFT = 63;

    private final byte[] bytes;
    private final Path file;
    private final long offset;
    private int at;

    /**
     * @param file the trace, and where in it the bytes are
     */
    Varints(byte[] bytes, Path file, long offset) {
        this.bytes = bytes;
        this.file = file;
        this.offset = offset;
    }

    boolean hasMore() {
        return at < bytes.length;
    }

    int type() {
        return bytes[at++];
    }

    long next() {
        long value = 0;
        for (int shift = 0; shift <= MAX_SHIFT; shift += 7) {
            if (at >= bytes.length) {
                throw damaged("ends within a number");
            }
            byte part = bytes[at++];
            value |= (part & 0x7fL) << shift;
            if (part >= 0) {
                return value;
            }
        }
        throw damaged("has a number of more than ten bytes");
    }

    /** A count of things that take at least a byte each. */
    int count() {
        long count = next();
        if (count < 0 || count > bytes.length - at) {
            throw damaged("speaks of " + count + " things where there is no room for them");
        }
        return (int) count;
    }

    String text() {
        int length = count();
        String text = new String(bytes, at, length, UTF_8);
        at += length;
        return text;
    }

    FormatException damaged(String how) {
        return new FormatException(
                file + " is damaged: it " + how + " (byte " + (offset + at) + ")");
    }
}
