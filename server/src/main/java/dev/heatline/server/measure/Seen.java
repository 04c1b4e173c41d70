package dev.heatline.server.measure;

import dev.heatline.formats.HeatFormat;
import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import dev.heatline.model.Profile;
import dev.heatline.wire.RegionSnapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/**
 * What was measured up to a moment: a profile, or the times of regions. It stays packed until
 * somebody asks for it.
 */
public final class Seen {
    static final Seen NOTHING = new Seen(List.of(), new byte[0], false);

    /** What a collector sends of a measurement is no larger. */
    public static final int MOST_BYTES = 4 << 20;

    private static final ReadOptions OPTIONS =
            ReadOptions.DEFAULT.withMaxUnpackedBytes(4L * MOST_BYTES);

    private static final String SOURCE = "what was measured";

    private final List<String> remarks;
    private final byte[] measured;
    private final boolean ofRegions;

    private Seen(List<String> remarks, byte[] measured, boolean ofRegions) {
        this.remarks = remarks;
        this.measured = measured;
        this.ofRegions = ofRegions;
    }

    /**
     * What a collector says of calls.
     *
     * @param remarks what measuring did and cost, for people
     * @param heat the profile; empty if there is none
     */
    public static Seen of(List<String> remarks, byte[] heat) {
        return new Seen(List.copyOf(remarks), heat, false);
    }

    /**
     * What a collector says of the times of single methods.
     *
     * @param written a {@link RegionSnapshot}; empty if there is none
     * @throws IOException if it is something else
     */
    public static Seen ofRegions(List<String> remarks, byte[] written) throws IOException {
        if (written.length > 0) {
            RegionSnapshot.read(written, SOURCE);
        }
        return new Seen(List.copyOf(remarks), written, true);
    }

    public List<String> remarks() {
        return remarks;
    }

    /**
     * Reads the profile; empty if nothing was measured yet, or if it makes none.
     *
     * @throws dev.heatline.formats.FormatException if it is none
     */
    public Optional<Profile> profile() {
        if (ofRegions || measured.length == 0) {
            return Optional.empty();
        }
        try (Source source = Source.of(SOURCE, measured)) {
            return Optional.of(new HeatFormat().read(source, OPTIONS));
        }
    }

    /** Reads the times of regions; empty if nothing was measured yet, or if calls are. */
    public Optional<RegionSnapshot> regions() {
        if (!ofRegions || measured.length == 0) {
            return Optional.empty();
        }
        try {
            return Optional.of(RegionSnapshot.read(measured, SOURCE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is known when this was said, too: who says nothing of it takes nothing back. */
    Seen then(Seen next) {
        return next.measured.length == 0 ? new Seen(next.remarks, measured, ofRegions) : next;
    }
}
