package dev.heatline.formats.jfr;

import dev.heatline.formats.Intervals;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads chunks, one after the other, into one builder. In a chunk every byte is touched at most
 * once before the constants are looked up, and events nobody wants only by their first bytes.
 */
final class ChunkReader {
    private static final int WINDOW_BYTES = 1 << 18;

    /** Size and type of an event at their longest. */
    private static final int MAX_EVENT_HEADER = 18;

    private final MemorySegment file;
    private final Requests requests;
    private final ProfileBuilder builder = new ProfileBuilder();
    private final Schemas schemas;
    private final Set<Metadata> known = new HashSet<>();
    private final Set<String> found = new TreeSet<>();
    private final Counts counts = new Counts();
    private Provenance provenance = Provenance.NONE;

    /**
     * A piece of the file in front of the reader. Copying it costs less than what each access to
     * the mapped file would add; measured, the whole is an eighth faster.
     */
    private byte[] window;

    private long windowStart;
    private long windowEnd;
    private byte[] constants;

    /** Offset in the file of what is being read, for messages. */
    private long where;

    ChunkReader(MemorySegment file, Requests requests) {
        this.file = file;
        this.requests = requests;
        this.schemas = new Schemas(file, requests);
        int bytes = (int) Math.min(WINDOW_BYTES, file.byteSize());
        this.window = new byte[bytes + Cursor.PADDING];
        this.constants = new byte[bytes];
    }

    ProfileBuilder builder() {
        return builder;
    }

    Provenance provenance() {
        return counts.addedTo(provenance);
    }

    /** The names of all event types seen, and of their fields if anything special is asked for. */
    Set<String> found() {
        return found;
    }

    /** Offset in the file of what was read last. */
    long where() {
        return where;
    }

    /** Reads a chunk. After {@link Damage} this reader must not be used any more. */
    void read(Chunk chunk) {
        where = chunk.metadata();
        Schema schema = schemas.of(chunk);
        if (known.add(schema.metadata())) {
            schema.metadata().addEventNames(found);
            if (!requests.isEmpty()) {
                schema.metadata().addFieldNames(found);
            }
        }
        schema.reset(constants);
        Circumstances circumstances = new Circumstances(schema.metadata());
        scan(chunk, schema, circumstances);
        constants = schema.pools().buffer();
        where = chunk.start();
        enter(chunk, schema, circumstances);
    }

    private void scan(Chunk chunk, Schema schema, Circumstances circumstances) {
        ConstantPools pools = schema.pools();
        Cursor in = new Cursor(window, chunk.compressed());
        long at = chunk.firstEvent();
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
                    handler.reader().read(in);
                    if (in.at > start + size) {
                        throw new Damage("has an event that runs over its end");
                    }
                } else if (handler.kept() != null) {
                    circumstances.keep(handler.kept(), pools.keep(file, at, size));
                }
            }
            at += size;
        }
        counts.add(Recording.UNREAD_BYTES, end - at);
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
            java.util.Arrays.fill(window, available, available + Cursor.PADDING, (byte) 0);
            windowStart = offset;
            windowEnd = offset + available;
        }
        in.bytes = window;
        in.at = (int) (offset - windowStart);
    }

    private void enter(Chunk chunk, Schema schema, Circumstances circumstances) {
        Metadata metadata = schema.metadata();
        ConstantPools pools = schema.pools();
        circumstances.decode(pools);
        provenance = provenance.merge(circumstances.provenance(chunk));
        Names names = new Names(metadata, pools, builder);
        StackTraces stacks = new StackTraces(metadata, pools, names, builder);
        for (EventReader reader : schema.readers()) {
            EventKind kind = circumstances.meaning(reader.kind());
            long interval = circumstances.intervalNanos(kind, reader.type());
            String fact = kind.intervalFact();
            if (interval > 0 && !fact.isEmpty()) {
                provenance = provenance.withFact(fact, Intervals.write(interval));
            }
            reader.enter(kind, stacks, names, builder, chunk, interval, counts);
        }
    }
}
