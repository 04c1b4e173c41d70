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
        write(header());
    }

    private ByteBuffer header() {
        return bytes(trace.asSlice(0, LockTrace.HEADER_SIZE));
    }

    private static ByteBuffer bytes(MemorySegment segment) {
        return ByteBuffer.wrap(segment.toArray(ValueLayout.JAVA_BYTE))
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Adds a block, as it is now. */
    void add(MemorySegment block) {
        write(bytes(block));
        blocks++;
    }

    private void write(ByteBuffer rest) {
        try {
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

    /** The header tells then what was counted in the end, and when the trace was last looked at. */
    @Override
    public void close() {
        ByteBuffer header = header().putInt(LockTrace.BLOCK_COUNT, blocks);
        try (channel) {
            channel.position(0);
            write(header);
        } catch (IOException e) {
            throw failed(e);
        }
    }
}
