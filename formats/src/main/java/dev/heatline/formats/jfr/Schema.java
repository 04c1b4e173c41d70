package dev.heatline.formats.jfr;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that is made from one {@link Metadata} and serves every chunk that has the same: who handles
 * the events of which type, and the tables they fill. Chunks use it one after the other.
 */
final class Schema {

    /** Type ids below this, which is all of them in practice, are looked up in an array. */
    private static final int SMALL_IDS = 4096;

    private final Metadata metadata;
    private final Requests requests;
    private final ConstantPools pools;
    private final List<EventReader> readers = new ArrayList<>();
    private final Map<Long, Handler> byLargeId = new HashMap<>();
    private final @Nullable Handler[] bySmallId = new @Nullable Handler[SMALL_IDS];

    /**
     * What to do with the events of a type: sum them, keep them for {@link Circumstances}, both or
     * neither.
     */
    record Handler(@Nullable EventReader reader, Metadata.@Nullable Type kept) {
        private static final Handler NOTHING = new Handler(null, null);
    }

    Schema(Metadata metadata, Requests requests) {
        this.metadata = metadata;
        this.requests = requests;
        this.pools = new ConstantPools(metadata);
    }

    Metadata metadata() {
        return metadata;
    }

    ConstantPools pools() {
        return pools;
    }

    /** Those who have read events since {@link #reset}. */
    List<EventReader> readers() {
        return readers.stream().filter(EventReader::hasEvents).toList();
    }

    /**
     * Forgets the last chunk.
     *
     * @param buffer where to keep the constants of the next one
     */
    void reset(byte[] buffer) {
        pools.reset(buffer);
        readers.forEach(EventReader::reset);
    }

    /** Forgets the last chunk, and gives back the memory of its constants. */
    void release() {
        reset(new byte[0]);
    }

    /** Forgets what was summed up, but not the constants. */
    void resetSums() {
        readers.forEach(EventReader::resetSums);
    }

    /** The handler of an event type, made when its first event comes. */
    Handler handler(long type) {
        if (type < 0 || type >= SMALL_IDS) {
            return byLargeId.computeIfAbsent(type, this::make);
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
        Metadata.Type kept = Circumstances.isWanted(type) ? type : null;
        EventKind kind = requests.kind(metadata, type, Circumstances.writer(metadata));
        if (kind == null) {
            return kept == null ? Handler.NOTHING : new Handler(null, kept);
        }
        EventReader reader = new EventReader(kind, metadata, type, requests);
        readers.add(reader);
        return new Handler(reader, kept);
    }
}
