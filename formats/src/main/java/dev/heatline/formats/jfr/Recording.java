package dev.heatline.formats.jfr;

import dev.heatline.formats.FormatException;
import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import dev.heatline.model.ModelException;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import java.util.List;

/**
 * A whole file: its chunks, read by as many workers as there is use for, and put together. The
 * result does not depend on their number, since equal Profiles are equal however they were built.
 */
final class Recording {

    /** The provenance count of chunks that could not be read. */
    static final String DAMAGED_CHUNKS = "damaged chunks";

    /** The provenance count of chunks that were read as far as they were written. */
    static final String UNFINISHED_CHUNKS = "unfinished chunks";

    /** The provenance count of bytes behind what could be read. */
    static final String UNREAD_BYTES = "unread bytes";

    private final Source source;
    private final ReadOptions options;
    private final Requests requests;
    private final int maxWorkers;

    Recording(Source source, ReadOptions options, int maxWorkers) {
        this.source = source;
        this.options = options;
        this.requests = Requests.of(options);
        this.maxWorkers = maxWorkers;
    }

    /**
     * Reads all chunks. Damage is refused, except in the last of several: a writer that died leaves
     * such a file behind, and what it wrote before is good.
     */
    Profile read() {
        Chunks chunks = Chunks.of(source);
        Workers workers = run(chunks.readable());
        Provenance provenance = chunks.provenance();
        Failure failure = workers.firstFailure();
        if (failure != null) {
            List<Chunk> earlier = chunks.readable().subList(0, chunks.readable().size() - 1);
            boolean isLast =
                    failure.chunk().number() > earlier.size()
                            && provenance.count(DAMAGED_CHUNKS) == 0;
            if (earlier.isEmpty() || !isLast) {
                throw Chunks.refused(
                        source, failure.chunk().number(), failure.offset(), failure.what());
            }
            // What the damaged chunk left in the builders cannot be told from the rest.
            workers = run(earlier);
            provenance = provenance.plusCount(DAMAGED_CHUNKS, 1);
        }
        requests.checkFound(source.name(), workers.found());
        try {
            for (Provenance part : workers.provenances()) {
                provenance = provenance.merge(part);
            }
            ProfileBuilder builder = workers.mergedBuilder();
            return builder.build(provenance);
        } catch (ModelException e) {
            throw new FormatException(source.name() + ": " + e.getMessage());
        }
    }

    private Workers run(List<Chunk> chunks) {
        Workers workers = new Workers(source.bytes(), requests, chunks, options.progress());
        workers.run(Math.min(maxWorkers, chunks.size()));
        return workers;
    }

    /** What is wrong with a chunk, and where in the file. */
    record Failure(Chunk chunk, long offset, String what) {}
}
