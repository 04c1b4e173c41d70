package dev.heatline.collector.spool;

import dev.heatline.formats.HeatFormat;
import dev.heatline.formats.WriteOptions;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** A profile on its way into the spool: what counts if it is lost, and what losses it tells. */
final class Body {
    private final Profile profile;
    private final Loss own;
    private final Loss told;
    private final byte[] heat;

    private Body(Profile profile, Loss own, Loss told) throws IOException {
        this.profile = profile;
        this.own = own;
        this.told = told;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new HeatFormat().write(withCounts(profile, told), bytes, WriteOptions.DEFAULT);
        this.heat = bytes.toByteArray();
    }

    private static Profile withCounts(Profile profile, Loss told) {
        return profile.withProvenance(
                profile.provenance()
                        .plusCount(Provenance.DROPPED_PROFILES, told.profiles())
                        .plusCount(Provenance.DROPPED_SAMPLES, told.samples()));
    }

    static Body of(Profile profile) throws IOException {
        return new Body(profile, new Loss(1, profile.samples()), Loss.NONE);
    }

    /** Nothing but the tale of its own loss. */
    Body lost() throws IOException {
        return new Body(new ProfileBuilder().build(profile.provenance()), Loss.NONE, own);
    }

    /** The same profile, telling of these losses too. */
    Body telling(Loss more) throws IOException {
        return more.equals(Loss.NONE) ? this : new Body(profile, own, told.plus(more));
    }

    Loss own() {
        return own;
    }

    Loss told() {
        return told;
    }

    /** Not copied: nobody changes it. */
    byte[] heat() {
        return heat;
    }
}
