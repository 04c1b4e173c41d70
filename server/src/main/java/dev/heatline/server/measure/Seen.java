package dev.heatline.server.measure;

import dev.heatline.formats.HeatFormat;
import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import dev.heatline.model.Profile;
import java.util.List;
import java.util.Optional;

/** What was measured up to a moment. The profile stays packed until somebody asks for it. */
public final class Seen {
    static final Seen NOTHING = new Seen(List.of(), new byte[0]);

    /** What a collector sends of a measurement is no larger. */
    public static final int MOST_BYTES = 4 << 20;

    private static final ReadOptions OPTIONS =
            ReadOptions.DEFAULT.withMaxUnpackedBytes(4L * MOST_BYTES);

    private final List<String> remarks;
    private final byte[] heat;

    private Seen(List<String> remarks, byte[] heat) {
        this.remarks = remarks;
        this.heat = heat;
    }

    /**
     * What a collector says.
     *
     * @param remarks what measuring did and cost, for people
     * @param heat the profile; empty if there is none
     */
    public static Seen of(List<String> remarks, byte[] heat) {
        return new Seen(List.copyOf(remarks), heat);
    }

    public List<String> remarks() {
        return remarks;
    }

    /**
     * Reads the profile; empty if nothing was measured yet.
     *
     * @throws dev.heatline.formats.FormatException if it is none
     */
    public Optional<Profile> profile() {
        if (heat.length == 0) {
            return Optional.empty();
        }
        try (Source source = Source.of("the measured calls", heat)) {
            return Optional.of(new HeatFormat().read(source, OPTIONS));
        }
    }

    /** What is known when this was said, too: who says nothing of a profile takes none back. */
    Seen then(Seen next) {
        return next.heat.length == 0 ? new Seen(next.remarks, heat) : next;
    }
}
