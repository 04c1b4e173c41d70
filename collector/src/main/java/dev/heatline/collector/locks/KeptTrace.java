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
 * them. It is read as the trace of a running JVM is.
 */
final class KeptTrace implements AutoCloseable {
    private final Path path;
    private final FileChannel channel;
    private int blocks;

    KeptTrace(Path path, MemorySegment trace) {
        this.path = path;
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
        write(trace.asSlice(0, LockTrace.HEADER_SIZE));
    }

    /** Adds a block, as it is now. */
    void add(MemorySegment block) {
        write(block);
        blocks++;
    }

    private void write(MemorySegment bytes) {
        try {
            ByteBuffer rest = ByteBuffer.wrap(bytes.toArray(ValueLayout.JAVA_BYTE));
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private FormatException failed(IOException e) {
        return new FormatException("cannot keep the lock trace in " + path + ": " + e.getMessage());
    }

    @Override
    public void close() {
        ByteBuffer count =
                ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(0, blocks);
        try (channel) {
            channel.write(count, LockTrace.BLOCK_COUNT);
        } catch (IOException e) {
            throw failed(e);
        }
    }
}
