package dev.heatline.server.measure;

import dev.heatline.formats.Formats;
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
            ReadOptions.DEFAULT.withMaxUnpackedBytes(16L * MOST_BYTES);

    private final List<String> said;
    private final byte[] heat;

    private Seen(List<String> said, byte[] heat) {
        this.said = said;
        this.heat = heat;
    }

    /**
     * What a collector says.
     *
     * @param said lines for people: what measuring did and cost
     * @param heat the profile; empty if there is none
     * @throws dev.heatline.formats.FormatException if that is none
     */
    public static Seen of(List<String> said, byte[] heat) {
        Seen seen = new Seen(List.copyOf(said), heat);
        seen.profile();
        return seen;
    }

    public List<String> said() {
        return said;
    }

    /** Reads the profile; empty if nothing was measured yet. */
    public Optional<Profile> profile() {
        if (heat.length == 0) {
            return Optional.empty();
        }
        try (Source source = Source.of("the measured calls", heat)) {
            return Optional.of(Formats.read(source, OPTIONS));
        }
    }

    /** What is known when this was said, too: who says nothing of a profile takes none back. */
    Seen then(Seen next) {
        return next.heat.length == 0 ? new Seen(next.said, heat) : next;
    }
}
