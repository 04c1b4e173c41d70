package dev.heatline.formats.jfr;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A chunk that its JVM is still writing. With every flush more events become readable, and the
 * constants they refer to, written in this flush or in an earlier one of the same chunk. The file
 * is kept open: a JVM that exits deletes its chunks, but what is open can still be read.
 */
final class GrowingChunk implements AutoCloseable {
    private static final int INITIAL_CONSTANT_BYTES = 1 << 16;

    private final ChunkFolder.Start start;
    private final FileChannel channel;

    /** Where the events begin that were not read yet. */
    private long offset;

    /** Up to which moment events were read, nanoseconds since 1970. */
    private long untilNanos;

    private @Nullable Schema schema;
    private @Nullable Circumstances circumstances;
    private boolean finished;

    /**
     * Takes over the channel, and closes it.
     *
     * @param untilNanos 0 if nothing was read of it
     */
    GrowingChunk(ChunkFolder.Start start, FileChannel channel, long offset, long untilNanos) {
        this.start = start;
        this.channel = channel;
        this.offset = offset;
        this.untilNanos = untilNanos == 0 ? start.nanos() : untilNanos;
    }

    ChunkFolder.Start start() {
        return start;
    }

    LiveRecording.Position position() {
        return new LiveRecording.Position(start.name(), offset, untilNanos, start.ticks());
    }

    /** The names of the recordings that it says were on, as far as it was read. */
    Set<String> recordings() {
        return circumstances == null ? Set.of() : circumstances.recordings();
    }

    /** Whether all of it was written when it was last read. */
    boolean isFinished() {
        return finished;
    }

    /** How much was written and not read. */
    long unreadBytes() throws IOException {
        return Math.max(0, channel.size() - offset);
    }

    /**
     * Reads what was flushed since the last time.
     *
     * @return whether there was anything
     * @throws Damage if that cannot be read; nothing of it went into the interval then
     */
    boolean read(Schemas schemas, ChunkScanner scanner, LiveInterval interval) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment file =
                    channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            Chunk chunk = Chunk.growing(file);
            if (chunk == null) {
                return false;
            }
            finished = chunk.finished();
            return chunk.end() > Math.max(offset, chunk.firstEvent())
                    && read(file, chunk, schemas, scanner, interval);
        }
    }

    private boolean read(
            MemorySegment file,
            Chunk chunk,
            Schemas schemas,
            ChunkScanner scanner,
            LiveInterval interval) {
        Schema current = schemas.of(file, chunk);
        Circumstances known = circumstances;
        long from = offset;
        if (current != schema || known == null) {
            // Types were added, or the first look at this chunk: constants are gathered anew.
            release();
            current.reset(new byte[INITIAL_CONSTANT_BYTES]);
            known = new Circumstances(current.metadata());
            from = chunk.firstEvent();
        }
        schema = current;
        circumstances = known;
        long end = scanner.scan(file, chunk, from, offset, current, known);
        long until = chunk.startNanos() + chunk.durationNanos();
        known.decode(current.pools());
        // A clock that was put back moves the end of what was flushed, but not its beginning.
        interval.intake()
                .enter(
                        chunk,
                        current,
                        known,
                        known.provenance(untilNanos, Math.max(untilNanos, until)));
        current.resetSums();
        boolean read = end > offset;
        offset = end;
        untilNanos = until;
        return read;
    }

    private void release() {
        if (schema != null) {
            schema.release();
        }
    }

    @Override
    public void close() throws IOException {
        release();
        channel.close();
    }
}
