package dev.heatline.formats.jfr;

import dev.heatline.formats.FormatException;
import dev.heatline.formats.jfr.ChunkFolder.Start;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Follows the flight recording of a running JVM: the folder into which it writes one chunk after
 * the other. Every event is read once, as soon as it is flushed, and by its own cost alone: what
 * was read before is not looked at again.
 */
public final class LiveRecording implements AutoCloseable {

    /** The provenance count of chunks that were deleted before they were read to their end. */
    public static final String LOST_CHUNKS = "lost chunks";

    /**
     * The provenance count of milliseconds between what was read and the next chunk: however many
     * chunks were deleted meanwhile, and the time nothing was recorded.
     */
    public static final String MISSING_MILLIS = "missing ms";

    /** The offset of a chunk that was read to its end. */
    private static final long WHOLE = Long.MAX_VALUE;

    private final Path path;
    private final ChunkFolder folder;
    private final Schemas schemas;
    private final ChunkScanner scanner = new ChunkScanner(Long.MAX_VALUE);
    private Position position;
    private @Nullable GrowingChunk chunk;

    /**
     * Up to where a recording was read.
     *
     * @param chunk name of the chunk's file, empty before the first
     * @param offset in that file of the first event that was not read
     * @param untilNanos the moment up to which everything was read, nanoseconds since 1970; before
     *     the first chunk the moment at which that may begin
     * @param startTicks when the chunk began by the recorder's clock; 0 if unknown
     */
    public record Position(String chunk, long offset, long untilNanos, long startTicks) {

        /** Before everything. */
        public static final Position START = since(0);

        /**
         * Before the first chunk.
         *
         * @param nanos chunks that begin before this moment, nanoseconds since 1970, are passed
         *     over
         */
        public static Position since(long nanos) {
            return new Position("", 0, nanos, 0);
        }

        /** Whether nothing was read yet. */
        public boolean isBeforeFirst() {
            return chunk.isEmpty();
        }

        /** Whether a chunk was read to its end, and none after it. */
        public boolean isWhole() {
            return offset == WHOLE;
        }

        /** One word that {@link #parse} understands. */
        public String written() {
            return chunk + ":" + offset + ":" + untilNanos + "@" + startTicks;
        }

        /**
         * Reads what {@link #written} answers, or answered before it knew ticks.
         *
         * @throws FormatException if it is something else
         */
        public static Position parse(String written) {
            int last = written.lastIndexOf(':');
            int first = written.lastIndexOf(':', last - 1);
            int ticks = written.indexOf('@', last);
            try {
                return new Position(
                        written.substring(0, first),
                        Long.parseLong(written, first + 1, last, 10),
                        Long.parseLong(written, last + 1, ticks < 0 ? written.length() : ticks, 10),
                        ticks < 0 ? 0 : Long.parseLong(written.substring(ticks + 1)));
            } catch (IndexOutOfBoundsException | NumberFormatException e) {
                throw new FormatException("'" + written + "' is no position in a recording");
            }
        }
    }

    /**
     * Begins to follow a recording; nothing is read yet.
     *
     * @param folder the JVM's repository
     * @param events names of the events to read; a chunk holds those of all recordings of the JVM
     * @param after where to go on
     */
    public LiveRecording(Path folder, Set<String> events, Position after) {
        this.path = folder;
        this.folder = new ChunkFolder(folder);
        this.position = after;
        this.schemas = new Schemas(Requests.live(events));
    }

    /** Up to where everything was read, or is known to be lost. */
    public Position position() {
        return position;
    }

    /**
     * Reads what was flushed since the last call.
     *
     * @return whether there was anything
     * @throws FormatException if the folder cannot be read
     */
    public boolean read(LiveInterval interval) {
        Position before = position;
        boolean more = true;
        while (more) {
            more = readChunk(interval);
        }
        return !position.equals(before);
    }

    /**
     * Opens the next chunk, or reads what was flushed of the open one since the last call: for
     * callers that must not take in too much at once, or not in one interval, as when the chunk
     * begins before the moment up to which everything was read, because the clock was put back.
     *
     * @return whether there may be more
     * @throws FormatException if the folder cannot be read
     */
    public boolean readChunk(LiveInterval interval) {
        try {
            GrowingChunk current = chunk;
            if (current == null) {
                return openNext(interval);
            }
            // Asked first: once there is a later chunk, nothing is added to this one.
            boolean last = current.isFinished() || next() != null;
            readFlushed(current, interval);
            if (last || current.isFinished()) {
                leave();
            }
            return chunk == null;
        } catch (IOException e) {
            throw new FormatException(path + ": " + e.getMessage());
        }
    }

    /** How much of the open chunk was written and not read. */
    public long unreadBytes() {
        try {
            return chunk == null ? 0 : chunk.unreadBytes();
        } catch (IOException e) {
            throw new FormatException(path + ": " + e.getMessage());
        }
    }

    private void readFlushed(GrowingChunk current, LiveInterval interval) throws IOException {
        try {
            current.read(schemas, scanner, interval);
            position = current.position();
        } catch (Damage | IndexOutOfBoundsException | InternalError e) {
            // The last is how the JVM says that a mapped file was cut off.
            interval.count(Recording.DAMAGED_CHUNKS, 1);
            leave();
        }
    }

    /** Closes the chunk; what follows is read in later ones. */
    private void leave() throws IOException {
        if (chunk != null) {
            Position end = chunk.position();
            position = new Position(end.chunk(), WHOLE, end.untilNanos(), end.startTicks());
            chunk.close();
            chunk = null;
        }
    }

    /** Opens the chunk to go on in, or the next one. */
    private boolean openNext(LiveInterval interval) throws IOException {
        boolean begun = position.offset() != WHOLE && !position.isBeforeFirst();
        if (begun) {
            for (Start start : folder.chunks()) {
                if (isAt(start)) {
                    chunk = folder.open(start, position.offset(), position.untilNanos());
                }
            }
        }
        if (chunk == null) {
            Start next = next();
            chunk = next == null ? null : folder.open(next, 0, 0);
            if (chunk != null) {
                interval.count(LOST_CHUNKS, begun ? 1 : 0);
                interval.count(MISSING_MILLIS, missingNanos(chunk.start()) / 1_000_000);
                position = chunk.position();
            }
        }
        return chunk != null;
    }

    /** A name may come again when the clock was put back; the ticks do not. */
    private boolean isAt(Start start) {
        return start.name().equals(position.chunk())
                && (position.startTicks() == 0 || position.startTicks() == start.ticks());
    }

    /** The recorder begins a chunk at the very moment at which it ends the one before. */
    private long missingNanos(Start next) {
        return position.isBeforeFirst() ? 0 : Math.max(0, next.nanos() - position.untilNanos());
    }

    /** The first chunk after the one of the position. */
    private @Nullable Start next() throws IOException {
        boolean first = position.isBeforeFirst();
        Start newest = null;
        for (Start start : folder.chunks()) {
            if (start.isAfter(position.chunk(), position.startTicks())) {
                if (!first || start.nanos() >= position.untilNanos()) {
                    return start;
                }
                newest = start;
            }
        }
        // What is being written belongs to the recording, even if the clock was put back since.
        return newest != null && newest.growing() ? newest : null;
    }

    @Override
    public void close() {
        try {
            if (chunk != null) {
                chunk.close();
            }
        } catch (IOException e) {
            throw new FormatException(path + ": " + e.getMessage());
        }
    }
}
