package dev.heatline.cli;

import dev.heatline.model.Column;
import dev.heatline.model.ModelException;
import dev.heatline.model.Profile;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which column of a profile is asked about. */
final class ResourceOption {

    @Option(
            names = {"-r", "--resource"},
            paramLabel = "R",
            description = {
                "What was used: cpu, wall, samples, allocated, blocked, calls or whatever else the"
                        + " profile has (heatline report FILE --view resources lists it). Default:"
                        + " CPU or other time, if it has any."
            })
    private @Nullable String name;

    Optional<String> name() {
        return Optional.ofNullable(name);
    }

    /**
     * @throws ModelException if the profile has no such resource, or none at all
     */
    Column of(Profile profile) {
        Column main =
                profile.mainColumn()
                        .orElseThrow(
                                () -> new ModelException("the profile has no samples or values"));
        return name == null ? main : profile.requireColumn(name);
    }

    /** As above; if none was asked for, one that all of them have is preferred. */
    Column of(Inputs.Merged merged) {
        return name != null
                ? of(merged.profile())
                : merged.profile()
                        .mainColumn(resource -> merged.shared().contains(resource.name()))
                        .orElseGet(() -> of(merged.profile()));
    }

    /** The one asked for, or else one that both have. */
    String ofBoth(Profile a, Profile b) {
        if (name != null) {
            a.requireColumn(name);
            return b.requireColumn(name).resource().name();
        }
        String first = of(a).resource().name();
        return b.column(first).isPresent() ? first : of(b).resource().name();
    }
}
