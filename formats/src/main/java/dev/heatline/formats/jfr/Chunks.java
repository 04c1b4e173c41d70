package dev.heatline.formats.jfr;

import dev.heatline.formats.FormatException;
import dev.heatline.formats.Source;
import dev.heatline.model.Provenance;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The chunks of a file, one after the other.
 *
 * @param readable those with a good header
 * @param provenance counts what is not readable or not finished
 */
record Chunks(List<Chunk> readable, Provenance provenance) {

    /** Names in damaged files may hold anything; messages are one line. */
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

    /**
     * Finds all chunks by their headers.
     *
     * @throws FormatException if not even the first one is there, or if one that is not the last
     *     has a bad header: what follows would be lost with it
     */
    static Chunks of(Source source) {
        MemorySegment file = source.bytes();
        List<Chunk> chunks = new ArrayList<>();
        Provenance provenance = Provenance.NONE;
        long at = 0;
        do {
            Chunk chunk;
            try {
                chunk = Chunk.at(file, at, chunks.size() + 1);
            } catch (Damage damage) {
                if (chunks.isEmpty()) {
                    throw refused(source, 1, at, damage.what());
                }
                checkLast(source, chunks.size() + 1, at, damage.what());
                boolean growing = !chunks.getLast().finished();
                return new Chunks(
                        chunks,
                        provenance
                                .plusCount(Recording.DAMAGED_CHUNKS, growing ? 0 : 1)
                                .plusCount(Recording.UNREAD_BYTES, file.byteSize() - at));
            }
            if (!chunk.finished()) {
                checkLast(source, chunk.number(), at, "was not finished");
            }
            chunks.add(chunk);
            provenance =
                    provenance.plusCount(Recording.UNFINISHED_CHUNKS, chunk.finished() ? 0 : 1);
            at = chunk.end();
        } while (at < file.byteSize());
        return new Chunks(chunks, provenance);
    }

    /** Refuses a file in which another chunk follows one whose end is unknown. */
    private static void checkLast(Source source, int number, long at, String what) {
        long next = Chunk.nextAfter(source.bytes(), at);
        if (next >= 0) {
            throw refused(source, number, at, what + ", but another one starts at offset " + next);
        }
    }

    static FormatException refused(Source source, int chunk, long offset, String what) {
        return new FormatException(
                source.name()
                        + ": chunk "
                        + chunk
                        + " "
                        + CONTROL.matcher(what).replaceAll("?")
                        + " (at offset "
                        + offset
                        + ")");
    }
}
