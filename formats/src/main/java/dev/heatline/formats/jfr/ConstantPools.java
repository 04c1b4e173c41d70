package dev.heatline.formats.jfr;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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

    /** A buffer doubles up to here. */
    private static final int DOUBLED = 1 << 20;

    private final Cursor in;
    private final Metadata metadata;
    private final List<Pool> pools = new ArrayList<>();
    private final LongIntMap poolOf = new LongIntMap();
    private final long[] noSlots = new long[0];
    private int size;

    /** A pool: how to skip one of its values, and where its values are if anybody wants them. */
    private record Pool(Plan skip, @Nullable LongIntMap offsets) {}

    ConstantPools(Metadata metadata) {
        this.metadata = metadata;
        this.in = new Cursor(new byte[0], metadata.isCompressed());
    }

    /**
     * Forgets all constants.
     *
     * @param buffer where to keep the next ones; {@link #buffer} hands back what it grew to
     */
    void reset(byte[] buffer) {
        in.bytes = buffer;
        size = 0;
        for (Pool pool : pools) {
            if (pool.offsets != null) {
                pool.offsets.clear();
            }
        }
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
        if (needed > Cursor.MAX_ARRAY) {
            throw new Damage("has more than 2 GB of constants");
        }
        if (needed > in.bytes.length) {
            in.bytes = Arrays.copyOf(in.bytes, grown(in.bytes.length, (int) needed));
        }
        MemorySegment.copy(file, ValueLayout.JAVA_BYTE, offset, in.bytes, start, length);
        size += length;
        return start;
    }

    /** The next size of a buffer: twice as large, later by a quarter, which memory can spare. */
    static int grown(int length, int needed) {
        long roomy = (long) length + (length < DOUBLED ? length : length / 4);
        return (int) Math.max(needed, Math.min(roomy, Cursor.MAX_ARRAY));
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
        int index = poolOf.get(type);
        if (index == LongIntMap.ABSENT) {
            Metadata.Type described = metadata.type(type);
            index = pools.size();
            pools.add(
                    new Pool(
                            metadata.plan(described),
                            WANTED.contains(described.name()) ? new LongIntMap() : null));
            poolOf.putIfAbsent(type, index);
        }
        return pools.get(index);
    }

    /** The offsets of all constants of a type by id; empty if the type is unknown or unwanted. */
    LongIntMap offsets(String typeName) {
        Metadata.Type type = metadata.named(typeName);
        int index = type == null ? LongIntMap.ABSENT : poolOf.get(type.id());
        LongIntMap offsets = index == LongIntMap.ABSENT ? null : pools.get(index).offsets;
        return offsets == null ? new LongIntMap() : offsets;
    }
}
