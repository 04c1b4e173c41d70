package dev.heatline.formats.jfr;

import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads chunks, one after the other, into one builder. In a chunk every byte is touched at most
 * once before the constants are looked up, and events nobody wants only by their first bytes.
 */
final class ChunkReader {
    private static final int WINDOW_BYTES = 1 << 20;

    /** Size and type of an event at their longest. */
    private static final int MAX_EVENT_HEADER = 18;

    private final MemorySegment file;
    private final Requests requests;
    private final ProfileBuilder builder = new ProfileBuilder();
    private final Set<String> found = new TreeSet<>();
    private Provenance provenance = Provenance.NONE;

    /** A piece of the file in front of the reader; decoding from an array is twice as fast. */
    private byte[] window = new byte[WINDOW_BYTES + Cursor.PADDING];

    private long windowStart;
    private long windowEnd;
    private byte[] constants = new byte[WINDOW_BYTES];

    /** Offset in the file of what is being read, for messages. */
    private long where;

    ChunkReader(MemorySegment file, Requests requests) {
        this.file = file;
        this.requests = requests;
    }

    ProfileBuilder builder() {
        return builder;
    }

    Provenance provenance() {
        return provenance;
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
        Metadata metadata = metadata(chunk);
        Circumstances circumstances = new Circumstances(metadata);
        ConstantPools pools = new ConstantPools(metadata, chunk.compressed(), constants);
        Map<Long, EventReader> readers = new HashMap<>();
        scan(chunk, metadata, circumstances, pools, readers);
        constants = pools.buffer();
        where = chunk.start();
        enter(chunk, metadata, circumstances, pools, readers);
    }

    private Metadata metadata(Chunk chunk) {
        where = chunk.metadata();
        if (where < chunk.firstEvent() || where > chunk.end() - 2) {
            throw new Damage(
                    chunk.finished()
                            ? "has no metadata"
                            : "was not finished, and nothing in it can be read yet");
        }
        windowEnd = 0;
        Cursor in = new Cursor(window, chunk.compressed());
        load(in, where, (int) Math.min(MAX_EVENT_HEADER, chunk.end() - where), chunk.end());
        int size = in.readInt();
        if (size <= 0 || size > chunk.end() - where || in.readLong() != Metadata.EVENT_TYPE) {
            throw new Damage("has no metadata where its header says");
        }
        load(in, where, size, chunk.end());
        in.readInt();
        in.readLong();
        Metadata metadata = new Metadata(in);
        metadata.addEventNames(found);
        if (!requests.isEmpty()) {
            metadata.addFieldNames(found);
        }
        return metadata;
    }

    private void scan(
            Chunk chunk,
            Metadata metadata,
            Circumstances circumstances,
            ConstantPools pools,
            Map<Long, EventReader> readers) {
        Cursor in = new Cursor(window, chunk.compressed());
        Handlers handlers = new Handlers(metadata, circumstances, chunk.compressed(), readers);
        long at = chunk.firstEvent();
        long end = chunk.end();
        while (at < end) {
            where = at;
            load(in, at, (int) Math.min(MAX_EVENT_HEADER, end - at), end);
            int start = in.at;
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
                Handler handler = handlers.of(type);
                if (handler.reader != null) {
                    if (at + size > windowEnd) {
                        int header = in.at - start;
                        load(in, at, size, end);
                        in.at += header;
                        start = in.at - header;
                    }
                    handler.reader.read(in);
                    if (in.at > start + size) {
                        throw new Damage("has an event that runs over its end");
                    }
                } else if (handler.kept != null) {
                    circumstances.keep(handler.kept, pools.keep(file, at, size));
                }
            }
            at += size;
        }
        provenance = provenance.plusCount(Recording.UNREAD_BYTES, end - at);
    }

    /** Makes sure that these bytes are in the window, and goes to the first of them. */
    private void load(Cursor in, long offset, int length, long end) {
        if (offset < windowStart || offset + length > windowEnd) {
            if (length > window.length - Cursor.PADDING) {
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

    private void enter(
            Chunk chunk,
            Metadata metadata,
            Circumstances circumstances,
            ConstantPools pools,
            Map<Long, EventReader> readers) {
        circumstances.decode(pools);
        provenance = provenance.merge(circumstances.provenance(chunk));
        Names names = new Names(metadata, pools, builder);
        StackTraces stacks = new StackTraces(metadata, pools, names, builder);
        for (EventReader reader : readers.values()) {
            long interval = circumstances.intervalNanos(reader.kind(), reader.type());
            String fact = reader.kind().intervalFact();
            if (interval > 0 && !fact.isEmpty()) {
                provenance = provenance.withFact(fact, Durations.text(interval));
            }
            provenance = reader.enter(stacks, names, builder, chunk, interval, provenance);
        }
    }

    /** What to do with the events of a type: one of both, or nothing. */
    private record Handler(@Nullable EventReader reader, Metadata.@Nullable Type kept) {
        static final Handler NOTHING = new Handler(null, null);
    }

    /** The handler of each event type, found out when its first event comes. */
    private final class Handlers {
        private final Metadata metadata;
        private final Circumstances circumstances;
        private final boolean compressed;
        private final Map<Long, EventReader> readers;
        private final Map<Long, Handler> others = new HashMap<>();
        private final @Nullable Handler[] bySmallId = new @Nullable Handler[4096];

        Handlers(
                Metadata metadata,
                Circumstances circumstances,
                boolean compressed,
                Map<Long, EventReader> readers) {
            this.metadata = metadata;
            this.circumstances = circumstances;
            this.compressed = compressed;
            this.readers = readers;
        }

        Handler of(long type) {
            if (type < 0 || type >= bySmallId.length) {
                return others.computeIfAbsent(type, this::make);
            }
            Handler handler = bySmallId[(int) type];
            if (handler == null) {
                handler = make(type);
                bySmallId[(int) type] = handler;
            }
            return handler;
        }

        private Handler make(long id) {
            Metadata.Type type = metadata.typeOrNull(id);
            if (type == null) {
                return Handler.NOTHING;
            }
            if (Circumstances.isWanted(type)) {
                return new Handler(null, type);
            }
            EventKind kind = requests.kind(metadata, type, circumstances.writer());
            if (kind == null) {
                return Handler.NOTHING;
            }
            EventReader reader = new EventReader(kind, metadata, type, compressed);
            readers.put(id, reader);
            return new Handler(reader, null);
        }
    }
}
