package dev.heatline.formats.jfr;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * The schemas of chunks, made once for all that have the same metadata: the chunks of one JVM
 * repeat the same hundred kilobytes.
 */
final class Schemas {

    /** Enough for files put together from a few JVMs in turn. */
    private static final int KEPT = 4;

    /** Size and type of an event, three more integers, at their longest. */
    private static final int MAX_HEADER = 45;

    private final Requests requests;
    private final List<Entry> entries = new ArrayList<>();

    /** What stands behind the header of a metadata event, and what it says. */
    private record Entry(MemorySegment content, boolean compressed, Schema schema) {}

    Schemas(Requests requests) {
        this.requests = requests;
    }

    Schema of(MemorySegment file, Chunk chunk) {
        long start = chunk.metadata();
        long available = chunk.end() - start;
        if (start < chunk.firstEvent() || available < 2) {
            throw new Damage(
                    chunk.finished()
                            ? "has no metadata"
                            : "was not finished, and nothing in it can be read yet");
        }
        byte[] header = new byte[MAX_HEADER + Cursor.PADDING];
        int headerBytes = (int) Math.min(MAX_HEADER, available);
        MemorySegment.copy(file, ValueLayout.JAVA_BYTE, start, header, 0, headerBytes);
        Cursor in = new Cursor(header, chunk.compressed());
        int size = in.readInt();
        if (size <= 0 || size > available || in.readLong() != Metadata.EVENT_TYPE) {
            throw new Damage("has no metadata where its header says");
        }
        in.readLong();
        in.readLong();
        in.readLong();
        if (in.at > size) {
            throw new Damage("has metadata that is cut off");
        }
        return of(file.asSlice(start + in.at, size - in.at), chunk.compressed());
    }

    private Schema of(MemorySegment content, boolean compressed) {
        for (Entry entry : entries) {
            if (entry.compressed == compressed && entry.content.mismatch(content) < 0) {
                return entry.schema;
            }
        }
        Cursor.checkHolds(content.byteSize());
        byte[] bytes = new byte[(int) content.byteSize() + Cursor.PADDING];
        MemorySegment.copy(content, ValueLayout.JAVA_BYTE, 0, bytes, 0, (int) content.byteSize());
        MemorySegment copy = MemorySegment.ofArray(bytes).asSlice(0, content.byteSize());
        Schema schema = new Schema(new Metadata(new Cursor(bytes, compressed)), requests);
        if (entries.size() == KEPT) {
            entries.removeFirst();
        }
        entries.add(new Entry(copy, compressed, schema));
        return schema;
    }
}
