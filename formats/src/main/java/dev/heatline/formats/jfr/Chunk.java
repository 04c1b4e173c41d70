package dev.heatline.formats.jfr;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The header of a chunk: a part of a recording that can be read by itself.
 *
 * @param number counted from 1 within the file
 * @param start offset of its first byte in the file
 * @param end offset after its last readable byte
 * @param metadata offset of its metadata event in the file
 * @param startNanos since 1970
 * @param durationNanos as far as it was written
 * @param startTicks the same moment by its own clock, which nobody sets
 * @param ticksPerSecond of its clock
 * @param compressed whether its integers are
 * @param finished whether the writer got to its end
 */
record Chunk(
        int number,
        long start,
        long end,
        long metadata,
        long startNanos,
        long durationNanos,
        long startTicks,
        long ticksPerSecond,
        boolean compressed,
        boolean finished) {

    static final int HEADER_BYTES = 68;
    static final long NO_CHUNK = -1;
    static final long NO_SIZE = -2;
    static final int MAGIC = 'F' << 24 | 'L' << 16 | 'R' << 8;

    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private static final int SUPPORTED_MAJOR = 2;
    private static final int COMPRESSED_INTEGERS = 1;

    /** Offset of the byte that is 0 once the chunk is finished and changes with every flush. */
    private static final int STATE = 64;

    private static final byte BEING_CHANGED = (byte) 255;

    static boolean startsAt(MemorySegment file, long offset) {
        return file.byteSize() - offset >= 4 && file.get(INT, offset) == MAGIC;
    }

    /**
     * The size of the chunk at an offset, or {@link #NO_CHUNK} or {@link #NO_SIZE} if there is none
     * or it does not say.
     */
    static long sizeAt(MemorySegment file, long offset) {
        long available = file.byteSize() - offset;
        if (!startsAt(file, offset) || available < HEADER_BYTES) {
            return NO_CHUNK;
        }
        long size = file.get(LONG, offset + 8);
        return size >= HEADER_BYTES && size <= available ? size : NO_SIZE;
    }

    /**
     * Looks for the next chunk behind one whose end is unknown, by its magic and a header that fits
     * into the file. With every flush the JDK puts a copy of the header into the chunk itself,
     * whose size is that up to its own end: those are passed over. O(bytes).
     *
     * @return its offset, or -1 if there is none
     */
    static long nextAfter(MemorySegment file, long offset) {
        long last = file.byteSize() - HEADER_BYTES;
        for (long at = offset + 1; at <= last; at++) {
            if (file.get(ValueLayout.JAVA_BYTE, at) == 'F' && isHeader(file, at, offset)) {
                return at;
            }
        }
        return -1;
    }

    private static boolean isHeader(MemorySegment file, long at, long chunkBefore) {
        long size = sizeAt(file, at);
        return size > 0
                && file.get(SHORT, at + 4) == SUPPORTED_MAJOR
                && size != at + HEADER_BYTES - chunkBefore
                && file.get(LONG, at + 56) > 0;
    }

    /**
     * Reads the header at an offset.
     *
     * <p>A chunk that is still being written, or whose writer died, says so in its state byte (the
     * JDK; its size and positions are then those of the last flush), or claims a size that is zero
     * or not there (async-profiler): all that is on disk belongs to it.
     *
     * @throws Damage if there is no readable header
     */
    static Chunk at(MemorySegment file, long offset, int number) {
        if (!startsAt(file, offset)) {
            throw new Damage("does not start like a chunk of a flight recording");
        }
        long available = file.byteSize() - offset;
        if (available < HEADER_BYTES) {
            throw new Damage("is cut off within its header");
        }
        int major = file.get(SHORT, offset + 4);
        if (major != SUPPORTED_MAJOR) {
            throw new Damage(
                    "is of version "
                            + major
                            + "."
                            + file.get(SHORT, offset + 6)
                            + "; only version 2, written by JDK 9 and later, can be read");
        }
        long size = sizeAt(file, offset);
        boolean sizeIsThere = size != NO_SIZE;
        boolean idle = file.get(ValueLayout.JAVA_BYTE, offset + STATE) == 0;
        long ticksPerSecond = file.get(LONG, offset + 56);
        if (ticksPerSecond <= 0) {
            throw new Damage("has a clock of " + ticksPerSecond + " ticks per second");
        }
        return new Chunk(
                number,
                offset,
                offset + (sizeIsThere ? size : available),
                offset + Math.clamp(file.get(LONG, offset + 24), 0, available),
                file.get(LONG, offset + 32),
                Math.max(0, file.get(LONG, offset + 40)),
                file.get(LONG, offset + 48),
                ticksPerSecond,
                (file.get(ValueLayout.JAVA_BYTE, offset + 67) & COMPRESSED_INTEGERS) != 0,
                sizeIsThere && idle);
    }

    /**
     * Reads the header of a chunk that is being written, or null while the writer is changing it or
     * has not flushed anything yet. The state byte is looked at before and after: it is another one
     * after every change.
     */
    static @Nullable Chunk growing(MemorySegment file) {
        if (sizeAt(file, 0) < HEADER_BYTES) {
            return null;
        }
        byte before = file.get(ValueLayout.JAVA_BYTE, STATE);
        VarHandle.acquireFence();
        Chunk chunk = at(file, 0, 1);
        VarHandle.acquireFence();
        byte after = file.get(ValueLayout.JAVA_BYTE, STATE);
        boolean stable = before == after && before != BEING_CHANGED;
        return stable && chunk.metadata() > 0 ? chunk : null;
    }

    long firstEvent() {
        return start + HEADER_BYTES;
    }

    /** A time span of this chunk's clock in nanoseconds. Exact as long as the result fits. */
    long nanos(long ticks) {
        if (ticksPerSecond == 1_000_000_000L) {
            return ticks;
        }
        double exact = (double) ticks / ticksPerSecond * 1e9;
        if (ticksPerSecond > 9_000_000_000L || Math.abs(exact) > 9e18) {
            return (long) exact;
        }
        return ticks / ticksPerSecond * 1_000_000_000L
                + ticks % ticksPerSecond * 1_000_000_000L / ticksPerSecond;
    }

    /** The second since 1970 in which a moment of this chunk's clock lies. */
    long second(long ticks) {
        return Math.floorDiv(startNanos + nanos(ticks - startTicks), 1_000_000_000L);
    }

    /** The moment of this chunk's clock at which a second since 1970 begins. */
    long ticks(long second) {
        long nanos = second * 1_000_000_000L - startNanos;
        return startTicks + (long) Math.ceil(nanos / 1e9 * ticksPerSecond);
    }
}
