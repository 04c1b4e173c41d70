package dev.heatline.formats.jfr;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Goes through the events of chunks once: sums those that are wanted, notes where constants are,
 * and touches of all others only their first bytes.
 */
final class ChunkScanner {
    private static final int WINDOW_BYTES = 1 << 18;

    /** Size and type of an event at their longest. */
    private static final int MAX_EVENT_HEADER = 18;

    /**
     * A piece of the file in front of the reader. Copying it costs less than what each access to
     * the mapped file would add; measured, the whole is an eighth faster.
     */
    private byte[] window;

    private MemorySegment file = MemorySegment.NULL;
    private long windowStart;
    private long windowEnd;
    private long where;

    ChunkScanner(long fileBytes) {
        window = new byte[(int) Math.min(WINDOW_BYTES, fileBytes) + Cursor.PADDING];
    }

    /** Offset in the file of what was scanned last, for messages. */
    long where() {
        return where;
    }

    /**
     * Scans a part of a chunk.
     *
     * @param from where to begin, the start of an event
     * @param eventsFrom of what lies before this, nothing is summed
     * @return where the last whole event ends
     */
    long scan(
            MemorySegment chunkFile,
            Chunk chunk,
            long from,
            long eventsFrom,
            Schema schema,
            Circumstances circumstances) {
        file = chunkFile;
        ConstantPools pools = schema.pools();
        Cursor in = new Cursor(window, chunk.compressed());
        long at = from;
        long end = chunk.end();
        windowEnd = 0;
        while (at < end) {
            where = at;
            if ((at > windowEnd - MAX_EVENT_HEADER && windowEnd < end) || at >= windowEnd) {
                load(in, at, (int) Math.min(MAX_EVENT_HEADER, end - at), end);
            }
            int start = (int) (at - windowStart);
            in.at = start;
            int size = in.readInt();
            long type = in.readLong();
            if (size < in.at - start || size > end - at) {
                if (chunk.finished()) {
                    throw new Damage("has an event of " + size + " bytes");
                }
                break;
            }
            if (type == ConstantPools.EVENT_TYPE) {
                pools.add(file, at, size);
            } else if (type != Metadata.EVENT_TYPE) {
                Schema.Handler handler = schema.handler(type);
                if (handler.reader() != null) {
                    if (at + size > windowEnd) {
                        int header = in.at - start;
                        load(in, at, size, end);
                        in.at += header;
                        start = in.at - header;
                    }
                    if (at >= eventsFrom) {
                        handler.reader().read(in, chunk);
                    } else {
                        handler.reader().pass(in);
                    }
                    if (in.at > start + size) {
                        throw new Damage("has an event that runs over its end");
                    }
                }
                if (handler.kept() != null) {
                    circumstances.keep(handler.kept(), pools.keep(file, at, size));
                }
            }
            at += size;
        }
        return at;
    }

    /** Makes sure that these bytes are in the window, and goes to the first of them. */
    private void load(Cursor in, long offset, int length, long end) {
        if (offset < windowStart || offset + length > windowEnd) {
            if (length > window.length - Cursor.PADDING) {
                Cursor.checkHolds(length);
                window = new byte[length + Cursor.PADDING];
            }
            int available = (int) Math.min(window.length - Cursor.PADDING, end - offset);
            MemorySegment.copy(file, ValueLayout.JAVA_BYTE, offset, window, 0, available);
            Arrays.fill(window, available, available + Cursor.PADDING, (byte) 0);
            windowStart = offset;
            windowEnd = offset + available;
        }
        in.bytes = window;
        in.at = (int) (offset - windowStart);
    }
}
