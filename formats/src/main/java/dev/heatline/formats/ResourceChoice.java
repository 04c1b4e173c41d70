package dev.heatline.formats;

import dev.heatline.model.Column;
import dev.heatline.model.Profile;
import dev.heatline.model.Resource;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Which column to write where a format holds a single one. */
final class ResourceChoice {

    /** What people ask about first, if they do not say. */
    private static final List<String> USUAL = List.of("cpu", "wall", "allocated", "blocked");

    private ResourceChoice() {}

    /**
     * The resource asked for; otherwise what was used rather than how often. Null if the Profile
     * has no values at all.
     */
    static @Nullable Column used(Profile profile, WriteOptions options) {
        if (options.resource().isPresent()) {
            return named(profile, options.resource().get());
        }
        for (String name : USUAL) {
            if (profile.column(name).isPresent()) {
                return profile.column(name).get();
            }
        }
        return profile.columns().stream()
                .filter(column -> !column.resource().isOccurrences())
                .findFirst()
                .orElse(profile.columns().isEmpty() ? null : profile.columns().getFirst());
    }

    /** As {@link #used}, but samples where there are any: what flame graph tools expect. */
    static @Nullable Column counted(Profile profile, WriteOptions options) {
        return options.resource().isEmpty()
                ? profile.column(Resource.SAMPLES.name()).orElse(used(profile, options))
                : used(profile, options);
    }

    private static Column named(Profile profile, String name) {
        return profile.column(name)
                .orElseThrow(
                        () ->
                                new FormatException(
                                        "the profile has no resource "
                                                + name
                                                + "; it has "
                                                + names(profile)));
    }

    private static String names(Profile profile) {
        return profile.columns().isEmpty()
                ? "none"
                : profile.columns().stream()
                        .map(column -> column.resource().name())
                        .collect(Collectors.joining(", "));
    }
}
