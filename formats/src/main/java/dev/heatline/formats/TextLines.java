package dev.heatline.formats;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a text file. Bytes that are not UTF-8 become U+FFFD, a byte order mark and carriage
 * returns at line ends are left out.
 */
final class TextLines {
    private static final int WINDOW = 1 << 20;
    private static final int MAX_LINE = 1 << 30;

    private final String name;
    private final MemorySegment bytes;
    private final LongConsumer progress;
    private byte[] window = new byte[0];
    private int at;
    private int limit;
    private long windowEnd;
    private long number;

    TextLines(Source source, ReadOptions options) {
        this.name = source.name();
        this.bytes = source.bytes();
        this.progress = options.progress();
    }

    /** The number of the line read last, from 1. */
    long number() {
        return number;
    }

    /** The next line, or null after the last one. */
    @Nullable String next() {
        int end = at;
        while (true) {
            while (end < limit && window[end] != '\n') {
                end++;
            }
            if (end < limit) {
                return line(end, end + 1);
            }
            int held = limit - at;
            if (!refill()) {
                return held == 0 ? null : line(limit, limit);
            }
            end = held;
        }
    }

    /** What is wrong with the line read last. */
    FormatException wrong(String message) {
        return new FormatException(name + ", line " + number + ": " + message);
    }

    private String line(int end, int next) {
        int last = end;
        if (last > at && window[last - 1] == '\r') {
            last--;
        }
        String line = new String(window, at, last - at, StandardCharsets.UTF_8);
        at = next;
        number++;
        return number == 1 && line.startsWith("\uFEFF") ? line.substring(1) : line;
    }

    /** Moves what is left to the start of the window and adds what follows; false at the end. */
    private boolean refill() {
        int held = limit - at;
        long remaining = bytes.byteSize() - windowEnd;
        if (remaining == 0) {
            return false;
        }
        if (held > MAX_LINE) {
            number++;
            throw wrong("longer than a line of text can be");
        }
        int more = (int) Math.min(remaining, Math.max(WINDOW, held));
        byte[] wider = Arrays.copyOfRange(window, at, at + held + more);
        MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, windowEnd, wider, held, more);
        windowEnd += more;
        window = wider;
        at = 0;
        limit = held + more;
        progress.accept(windowEnd);
        return true;
    }
}
