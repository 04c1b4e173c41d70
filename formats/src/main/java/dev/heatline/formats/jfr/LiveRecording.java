package dev.heatline.formats.jfr;

import dev.heatline.formats.FormatException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Follows the flight recording of a running JVM: the folder into which it writes one chunk after
 * the other. Every event is read once, as soon as it is flushed, and by its own cost alone: what
 * was read before is not looked at again.
 */
public final class LiveRecording implements AutoCloseable {

    /** The provenance count of chunks that were deleted before they were read. */
    public static final String LOST_CHUNKS = "lost chunks";

    private static final String CHUNKS = "*.jfr";

    /** The offset of a chunk that was read to its end. */
    private static final long WHOLE = Long.MAX_VALUE;

    private final Path folder;
    private final long sinceNanos;
    private final Schemas schemas;
    private final ChunkScanner scanner = new ChunkScanner(Long.MAX_VALUE);
    private Position position;
    private @Nullable GrowingChunk chunk;

    /**
     * Up to where a recording was read.
     *
     * @param chunk name of the chunk's file, empty before the first
     * @param offset in that file of the first event that was not read
     * @param untilNanos the moment up to which everything was read, nanoseconds since 1970
     */
    public record Position(String chunk, long offset, long untilNanos) {

        /** Before everything. */
        public static final Position START = new Position("", 0, 0);

        /** One word that {@link #parse} understands. */
        public String written() {
            return chunk + ":" + offset + ":" + untilNanos;
        }

        /**
         * Reads what {@link #written} answers.
         *
         * @throws FormatException if it is something else
         */
        public static Position parse(String written) {
            int last = written.lastIndexOf(':');
            int first = written.lastIndexOf(':', last - 1);
            try {
                return new Position(
                        written.substring(0, first),
                        Long.parseLong(written, first + 1, last, 10),
                        Long.parseLong(written, last + 1, written.length(), 10));
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
     * @param sinceNanos chunks that begin before this moment, nanoseconds since 1970, are not read,
     *     unless to go on in one
     */
    public LiveRecording(Path folder, Set<String> events, Position after, long sinceNanos) {
        this.folder = folder;
        this.position = after;
        this.sinceNanos = sinceNanos;
        this.schemas = new Schemas(new Requests(List.of(), false, Set.copyOf(events)::contains));
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
        boolean any = false;
        try {
            while (chunk != null || openNext(interval)) {
                GrowingChunk current = Objects.requireNonNull(chunk);
                // Asked first: once there is a later chunk, nothing is added to this one.
                boolean last = current.isFinished() || hasNext(current);
                any |= readChunk(current, interval);
                if (!last && !current.isFinished() && chunk != null) {
                    break;
                }
                leave();
            }
            return any;
        } catch (IOException e) {
            throw new FormatException(folder + ": " + e.getMessage());
        }
    }

    private boolean readChunk(GrowingChunk current, LiveInterval interval) throws IOException {
        try {
            boolean any = current.read(schemas, scanner, interval);
            position = current.position();
            return any;
        } catch (Damage | IndexOutOfBoundsException e) {
            interval.count(Recording.DAMAGED_CHUNKS, 1);
            leave();
            return false;
        }
    }

    /** Closes the chunk; what follows is read in later ones. */
    private void leave() throws IOException {
        if (chunk != null) {
            position = new Position(chunk.position().chunk(), WHOLE, chunk.position().untilNanos());
            chunk.close();
            chunk = null;
        }
    }

    /** Opens the chunk to go on in, or the next one. */
    private boolean openNext(LiveInterval interval) throws IOException {
        if (position.offset() != WHOLE && !position.chunk().isEmpty()) {
            Path file = folder.resolve(position.chunk());
            if (Files.exists(file)) {
                chunk = new GrowingChunk(file, position.offset(), position.untilNanos());
                return true;
            }
        }
        chunk = next(position.chunk());
        if (chunk == null) {
            return false;
        }
        if (position.offset() != WHOLE && !position.chunk().isEmpty()) {
            interval.count(LOST_CHUNKS, 1);
        }
        return true;
    }

    private boolean hasNext(GrowingChunk current) throws IOException {
        try (GrowingChunk later = next(current.position().chunk())) {
            return later != null;
        }
    }

    /** The first chunk after the one of this name, if it has begun. */
    private @Nullable GrowingChunk next(String name) throws IOException {
        for (Path file : chunks()) {
            if (file.getFileName().toString().compareTo(name) > 0) {
                GrowingChunk candidate;
                try {
                    candidate = new GrowingChunk(file, 0, 0);
                } catch (NoSuchFileException e) {
                    continue;
                }
                long startNanos = candidate.startNanos();
                if (startNanos > 0 && startNanos >= sinceNanos) {
                    return candidate;
                }
                candidate.close();
            }
        }
        return null;
    }

    private List<Path> chunks() {
        List<Path> chunks = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, CHUNKS)) {
            files.forEach(chunks::add);
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of();
        } catch (IOException e) {
            throw new FormatException(folder + ": " + e.getMessage());
        }
        chunks.sort(null);
        return chunks;
    }

    @Override
    public void close() {
        try {
            if (chunk != null) {
                chunk.close();
            }
        } catch (IOException e) {
            throw new FormatException(folder + ": " + e.getMessage());
        }
    }
}
