package dev.heatline.formats.jfr;

import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * Reads chunks, one after the other, into one builder. In a chunk every byte is touched at most
 * once before the constants are looked up, and events nobody wants only by their first bytes.
 */
final class ChunkReader {
    private static final int INITIAL_CONSTANT_BYTES = 1 << 18;

    private final MemorySegment file;
    private final Requests requests;
    private final Intake intake = new Intake(UnaryOperator.identity());
    private final ChunkScanner scanner;
    private final Schemas schemas;
    private final Set<Metadata> known = new HashSet<>();
    private final Set<String> found = new TreeSet<>();
    private byte[] constants;

    /** Offset in the file of what is being read, for messages; -1 while the scanner knows it. */
    private long where;

    ChunkReader(MemorySegment file, Requests requests) {
        this.file = file;
        this.requests = requests;
        this.schemas = new Schemas(requests);
        this.scanner = new ChunkScanner(file.byteSize());
        this.constants = new byte[(int) Math.min(INITIAL_CONSTANT_BYTES, file.byteSize())];
    }

    ProfileBuilder builder() {
        return intake.builder();
    }

    Provenance provenance() {
        return intake.provenance();
    }

    /** The names of all event types seen, and of their fields if anything special is asked for. */
    Set<String> found() {
        return found;
    }

    /** Offset in the file of what was read last. */
    long where() {
        return where < 0 ? scanner.where() : where;
    }

    /** Reads a chunk. After {@link Damage} this reader must not be used any more. */
    void read(Chunk chunk) {
        where = chunk.metadata();
        Schema schema = schemas.of(file, chunk);
        if (known.add(schema.metadata())) {
            schema.metadata().addEventNames(found);
            if (!requests.isEmpty()) {
                schema.metadata().addFieldNames(found);
            }
        }
        schema.reset(constants);
        Circumstances circumstances = new Circumstances(schema.metadata());
        where = -1;
        long end = scanner.scan(file, chunk, chunk.firstEvent(), 0, schema, circumstances);
        intake.counts().add(Recording.UNREAD_BYTES, chunk.end() - end);
        constants = schema.pools().buffer();
        where = chunk.start();
        circumstances.decode(schema.pools());
        intake.enter(chunk, schema, circumstances, circumstances.provenance(chunk));
    }
}
