package dev.heatline.formats.jfr;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The constants of one chunk: where each one is, not what it says. Of the pools nobody asks for not
 * even that is kept.
 *
 * <p>Checkpoint events are taken as they come in the file. That finds the same ones as following
 * the chain of deltas back from the last, needs no second pass, and cannot run in circles. When a
 * constant is written again by a later flush, the first one stays.
 */
final class ConstantPools {

    /** The type id of checkpoint events. */
    static final int EVENT_TYPE = 1;

    /** The types whose constants are looked up. */
    private static final Set<String> WANTED =
            Set.of(
                    "jdk.types.StackTrace",
                    "jdk.types.Method",
                    "jdk.types.Symbol",
                    "jdk.types.FrameType",
                    "jdk.types.ThreadGroup",
                    "java.lang.Class",
                    "java.lang.Thread",
                    Metadata.STRING);

    private final Cursor in;
    private final Metadata metadata;
    private final Map<Long, Pool> pools = new HashMap<>();
    private final long[] noSlots = new long[0];
    private int size;

    /** A pool: how to skip one of its values, and where its values are if anybody wants them. */
    private record Pool(Plan skip, @Nullable LongIntMap offsets) {}

    /**
     * @param buffer an array to start with; {@link #buffer} hands back the one it grew to
     */
    ConstantPools(Metadata metadata, boolean compressed, byte[] buffer) {
        this.metadata = metadata;
        this.in = new Cursor(buffer, compressed);
    }

    byte[] buffer() {
        return in.bytes;
    }

    /** A new cursor over the kept bytes, good until more are kept. */
    Cursor cursor() {
        return new Cursor(in.bytes, in.compressed);
    }

    /** Keeps the bytes of an event; returns where they are. */
    int keep(MemorySegment file, long offset, int length) {
        int start = size;
        long needed = (long) size + length + Cursor.PADDING;
        if (needed > Integer.MAX_VALUE - 8) {
            throw new Damage("has more than 2 GB of constants");
        }
        if (needed > in.bytes.length) {
            long capacity = Math.max(needed, Math.min(in.bytes.length * 2L, 1 << 28));
            in.bytes = Arrays.copyOf(in.bytes, (int) capacity);
        }
        MemorySegment.copy(file, ValueLayout.JAVA_BYTE, offset, in.bytes, start, length);
        size += length;
        return start;
    }

    /** Takes in a checkpoint event. */
    void add(MemorySegment file, long offset, int length) {
        int start = keep(file, offset, length);
        in.at = start;
        in.readInt();
        in.readLong();
        in.readLong();
        in.readLong();
        in.readLong();
        in.readByte();
        for (int left = in.readInt(); left > 0; left--) {
            Pool pool = pool(in.readLong());
            int count = in.readInt();
            if (pool.offsets == null) {
                skip(pool.skip, count);
            } else {
                index(pool.skip, pool.offsets, count);
            }
            if (in.at > size) {
                throw new Damage("has a constant pool that runs over its end");
            }
        }
    }

    private void skip(Plan skip, int count) {
        for (int i = 0; i < count && in.at < size; i++) {
            in.readLong();
            skip.run(in, noSlots);
        }
    }

    private void index(Plan skip, LongIntMap offsets, int count) {
        for (int i = 0; i < count && in.at < size; i++) {
            long id = in.readLong();
            offsets.putIfAbsent(id, in.at);
            skip.run(in, noSlots);
        }
    }

    private Pool pool(long type) {
        Pool pool = pools.get(type);
        if (pool == null) {
            Metadata.Type described = metadata.type(type);
            pool =
                    new Pool(
                            Plan.whole(metadata, in.compressed, described),
                            WANTED.contains(described.name()) ? new LongIntMap() : null);
            pools.put(type, pool);
        }
        return pool;
    }

    /** The offsets of all constants of a type by id; empty if the type is unknown or unwanted. */
    LongIntMap offsets(String typeName) {
        Metadata.Type type = metadata.named(typeName);
        Pool pool = type == null ? null : pools.get(type.id());
        return pool == null || pool.offsets == null ? new LongIntMap() : pool.offsets;
    }
}
