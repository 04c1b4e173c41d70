package dev.heatline.collector.locks;

import dev.heatline.formats.FormatException;
import dev.heatline.wire.LockTrace;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A lock trace that is kept: the header and every block, one after the other, as the tracer filled
 * them. It is read as the trace of a running JVM is. Whatever becomes of who keeps it, all is there
 * that was read, and what that refers to; only that it is not whole can be seen then.
 */
final class KeptTrace implements AutoCloseable {
    /** More blocks than a file can have, until it is known how many there are. */
    static final int UNKNOWN_BLOCKS = Integer.MAX_VALUE;

    private final Path path;
    private final MemorySegment trace;
    private final FileChannel channel;
    private int blocks;

    KeptTrace(Path path, MemorySegment trace) {
        this.path = path;
        this.trace = trace;
        try {
            channel =
                    FileChannel.open(
                            path,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.TRUNCATE_EXISTING,
                            StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw failed(e);
        }
        looked();
    }

    /** All that was read is kept: the header tells what was counted until now, and when that is. */
    void looked() {
        writeHeader(UNKNOWN_BLOCKS);
    }

    private void writeHeader(int count) {
        write(
                bytes(trace.asSlice(0, LockTrace.HEADER_SIZE)).putInt(LockTrace.BLOCK_COUNT, count),
                0);
    }

    private static ByteBuffer bytes(MemorySegment segment) {
        return ByteBuffer.wrap(segment.toArray(ValueLayout.JAVA_BYTE))
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Adds a block.
     *
     * @param used how much of it was published and is kept; the rest may be being written
     * @return its number
     */
    int add(MemorySegment block, int used) {
        ByteBuffer copy = ByteBuffer.allocate(LockTrace.BLOCK_SIZE).order(ByteOrder.LITTLE_ENDIAN);
        copy.put(bytes(block.asSlice(0, LockTrace.BLOCK_HEADER_SIZE + used))).rewind();
        write(copy.putInt(LockTrace.BLOCK_USED, used), offset(blocks));
        return blocks++;
    }

    /**
     * Adds to a block that is there what was published since.
     *
     * @param before how much of it was kept so far
     */
    void add(int number, MemorySegment block, int before, int used) {
        ByteBuffer content =
                bytes(block.asSlice(LockTrace.BLOCK_HEADER_SIZE + before, used - before));
        write(content, offset(number) + LockTrace.BLOCK_HEADER_SIZE + before);
        // What says how much there is comes after it.
        ByteBuffer header = bytes(block.asSlice(0, LockTrace.BLOCK_HEADER_SIZE));
        write(header.putInt(LockTrace.BLOCK_USED, used), offset(number));
    }

    private static long offset(int block) {
        return LockTrace.HEADER_SIZE + (long) block * LockTrace.BLOCK_SIZE;
    }

    private void write(ByteBuffer bytes, long offset) {
        try {
            long at = offset;
            while (bytes.hasRemaining()) {
                at += channel.write(bytes, at);
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private FormatException failed(IOException e) {
        return new FormatException("cannot keep the lock trace in " + path + ": " + e.getMessage());
    }

    /** It is whole. */
    @Override
    public void close() {
        try (channel) {
            writeHeader(blocks);
        } catch (IOException e) {
            throw failed(e);
        }
    }
}
