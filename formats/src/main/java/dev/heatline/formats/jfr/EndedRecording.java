package dev.heatline.formats.jfr;

import dev.heatline.formats.jfr.ChunkFolder.Start;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * What the repository of a JVM that has ended tells of whose it was.
 *
 * @param finished whether the JVM wrote its last chunk to the end: it was not killed, and has left
 *     its chunks on purpose
 * @param recordings the names of those that wrote to it; an empty name stands for those that a
 *     chunk does not tell
 */
public record EndedRecording(boolean finished, Set<String> recordings) {
    private static final String UNKNOWN = "";

    /**
     * Reads all chunks; O(their size).
     *
     * @throws IOException if the folder cannot be read
     */
    public static EndedRecording of(Path repository) throws IOException {
        ChunkFolder folder = new ChunkFolder(repository);
        Schemas schemas = new Schemas(Requests.live(Set.of()));
        ChunkScanner scanner = new ChunkScanner(Long.MAX_VALUE);
        Set<String> recordings = new HashSet<>();
        boolean finished = false;
        for (Start start : folder.chunks()) {
            finished = !start.growing();
            recordings.addAll(recordings(folder, start, schemas, scanner));
        }
        return new EndedRecording(finished && !folder.hasChunkThatHasNotBegun(), recordings);
    }

    private static Set<String> recordings(
            ChunkFolder folder, Start start, Schemas schemas, ChunkScanner scanner)
            throws IOException {
        try (GrowingChunk chunk = folder.open(start, 0, 0)) {
            if (chunk != null && chunk.read(schemas, scanner, new LiveInterval())) {
                Set<String> told = chunk.recordings();
                return told.isEmpty() ? Set.of(UNKNOWN) : told;
            }
            return Set.of(UNKNOWN);
        } catch (Damage | IndexOutOfBoundsException | InternalError e) {
            return Set.of(UNKNOWN);
        }
    }
}
