package dev.heatline.server.query;

import dev.heatline.model.Profile;
import dev.heatline.store.Selection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What was read of pieces of a snapshot's time: who looks at the history of one method looks at
 * that of others. Every piece may be as large as the whole, so only as much is kept as fits.
 */
final class KeptPieces {
    private final long maxBytes;
    private final Map<Selection, Profile> pieces = new HashMap<>();
    private long bytes;

    KeptPieces(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** A piece as it was read before, or else now. */
    Profile get(Selection piece, Function<Selection, Profile> reading) {
        Profile known = known(piece);
        if (known != null) {
            return known;
        }
        Profile read = reading.apply(piece);
        keep(piece, read);
        return read;
    }

    private synchronized @Nullable Profile known(Selection piece) {
        return pieces.get(piece);
    }

    private synchronized void keep(Selection piece, Profile read) {
        long more = Weight.of(read);
        if (bytes + more <= maxBytes && pieces.putIfAbsent(piece, read) == null) {
            bytes += more;
        }
    }

    synchronized long bytes() {
        return bytes;
    }

    synchronized void clear() {
        pieces.clear();
        bytes = 0;
    }
}
