package dev.heatline.formats.jfr;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The repository of a JVM. Its chunks are named by local time, which goes back every autumn and
 * whenever somebody sets the clock; what orders them is the clock of the recorder, which only runs
 * forward.
 */
final class ChunkFolder {
    private static final String CHUNKS = "*.jfr";

    private static final Comparator<Start> ORDER =
            Comparator.comparingLong(Start::ticks).thenComparing(Start::name);

    private final Path path;

    /** Of every chunk that has begun and is still there: what a header says first stays so. */
    private final Map<String, Start> known = new HashMap<>();

    /**
     * How a chunk begins.
     *
     * @param name of its file
     * @param ticks by the recorder's clock
     * @param nanos by the system's, since 1970
     * @param growing whether the JVM was writing it when it was first seen
     */
    record Start(String name, long ticks, long nanos, boolean growing) {

        /** Whether the JVM wrote this one after another; by name if nothing else is known of it. */
        boolean isAfter(String otherName, long otherTicks) {
            return (otherTicks != 0 && ticks != otherTicks)
                    ? ticks > otherTicks
                    : name.compareTo(otherName) > 0;
        }
    }

    ChunkFolder(Path path) {
        this.path = path;
    }

    /** The chunks that have begun, in the order in which they did. */
    List<Start> chunks() throws IOException {
        List<Start> chunks = new ArrayList<>();
        Set<String> present = new HashSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path, CHUNKS)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                present.add(name);
                Start start = known.get(name);
                if (start == null) {
                    start = startOf(name);
                }
                if (start != null) {
                    known.put(name, start);
                    chunks.add(start);
                }
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of();
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        known.keySet().retainAll(present);
        chunks.sort(ORDER);
        return chunks;
    }

    /** Whether its JVM has ended before it flushed anything of a chunk. */
    boolean hasChunkThatHasNotBegun() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path, CHUNKS)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                if (isChunk(file) && startOf(name) == null) {
                    return true;
                }
            }
            return false;
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private @Nullable Start startOf(String name) throws IOException {
        try (FileChannel channel = open(name);
                Arena arena = Arena.ofConfined()) {
            if (channel == null) {
                return null;
            }
            MemorySegment file =
                    channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            Chunk chunk = Chunk.growing(file);
            return chunk == null
                    ? null
                    : new Start(name, chunk.startTicks(), chunk.startNanos(), !chunk.finished());
        } catch (Damage | InternalError e) {
            // Damaged, or cut off while it was looked at: the time it covered will be missing.
            return null;
        }
    }

    /** Opens a chunk to read on in it; null if it is not there any more. */
    @Nullable GrowingChunk open(Start start, long offset, long untilNanos) throws IOException {
        FileChannel channel = open(start.name());
        return channel == null ? null : new GrowingChunk(start, channel, offset, untilNanos);
    }

    /**
     * Null for what is gone, and for what a JVM has no reason to put there: a collector that runs
     * as root must neither wait at a pipe nor read what belongs to others.
     */
    private @Nullable FileChannel open(String name) throws IOException {
        Path file = path.resolve(name);
        try {
            return isChunk(file)
                    ? FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)
                    : null;
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private boolean isChunk(Path file) throws IOException {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                && Files.getOwner(file, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(path));
    }
}
