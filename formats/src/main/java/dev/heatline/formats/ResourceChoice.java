package dev.heatline.formats;

import dev.heatline.model.Column;
import dev.heatline.model.Profile;
import dev.heatline.model.Resource;
import org.jspecify.annotations.Nullable;

/** Which column to write where a format holds a single one. */
final class ResourceChoice {

    private ResourceChoice() {}

    /** The resource asked for, or the main one. Null if the Profile has no values at all. */
    static @Nullable Column used(Profile profile, WriteOptions options) {
        return options.resource().isPresent()
                ? profile.requireColumn(options.resource().get())
                : profile.mainColumn().orElse(null);
    }

    /**
     * As {@link #used}, but how often it was observed if nobody named a resource: flame graph tools
     * expect numbers of samples. Calls are no samples; then it is what was used.
     */
    static @Nullable Column counted(Profile profile, WriteOptions options) {
        Column used = used(profile, options);
        if (used == null || options.resource().isPresent()) {
            return used;
        }
        return profile.occurrences(used.resource())
                .filter(counts -> !counts.resource().equals(Resource.CALLS))
                .orElse(used);
    }
}
