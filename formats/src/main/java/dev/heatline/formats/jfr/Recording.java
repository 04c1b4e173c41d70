package dev.heatline.formats.jfr;

import dev.heatline.formats.FormatException;
import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** A whole file: its chunks, read and put together. */
final class Recording {

    /** The provenance count of chunks that could not be read. */
    static final String DAMAGED_CHUNKS = "damaged chunks";

    private final Source source;
    private final ReadOptions options;
    private final Requests requests;

    Recording(Source source, ReadOptions options) {
        this.source = source;
        this.options = options;
        this.requests = new Requests(options.events());
    }

    Profile read() {
        MemorySegment file = source.bytes();
        List<Chunk> chunks = new ArrayList<>();
        Provenance provenance = Provenance.NONE;
        long at = 0;
        while (at < file.byteSize()) {
            try {
                Chunk chunk = Chunk.at(file, at, chunks.size() + 1);
                chunks.add(chunk);
                at = chunk.end();
            } catch (Damage damage) {
                if (chunks.isEmpty()) {
                    throw refused(chunks.size() + 1, at, damage.getMessage());
                }
                provenance = provenance.plusCount(DAMAGED_CHUNKS, 1);
                break;
            }
        }
        if (chunks.isEmpty()) {
            throw new FormatException(source.name() + ": is empty");
        }
        ChunkReader reader = new ChunkReader(file, requests);
        for (Chunk chunk : chunks) {
            try {
                reader.read(chunk);
            } catch (Damage damage) {
                throw refused(chunk.number(), reader.where(), damage.getMessage());
            } catch (IndexOutOfBoundsException e) {
                throw refused(chunk.number(), reader.where(), "is cut off");
            }
            options.progress().accept(chunk.end());
        }
        requests.checkFound(source.name(), reader.found());
        return reader.builder().build(provenance.merge(reader.provenance()));
    }

    private FormatException refused(int chunk, long offset, String what) {
        return new FormatException(
                source.name() + ": chunk " + chunk + " " + what + " (at offset " + offset + ")");
    }
}
