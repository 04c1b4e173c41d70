package dev.heatline.server.query;

import dev.heatline.model.ModelException;
import dev.heatline.model.Profile;
import dev.heatline.model.Resource;
import dev.heatline.store.Selection;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All profiles of a scope in one, as they were at some moment. Never changes; what is computed of
 * it is kept with it.
 *
 * @param selection what the scope meant at that moment
 * @param whole when the selection was last read from its beginning
 * @param upTo the last upload that is in it
 * @param profiles how many stored profiles are in it
 * @param resources of the stored profiles by name, also those there is nothing of
 * @param pieces what was read of pieces of its time
 */
record Snapshot(
        Selection selection,
        Instant asOf,
        Instant whole,
        long upTo,
        long profiles,
        Profile profile,
        SortedMap<String, Resource> resources,
        Memo<Filter, Part> parts,
        KeptPieces pieces) {

    /** How many different parts of one selection are looked at in turn. */
    private static final int PARTS = 6;

    static Memo<Filter, Part> partsOf(Profile profile, Executor threads) {
        return new Memo<>(PARTS, threads, filter -> new Part(filter, profile, threads));
    }

    /**
     * The part behind a filter.
     *
     * @throws ModelException if there is no such part
     */
    Part part(Filter filter) {
        return parts.get(filter);
    }

    /**
     * As {@link #part}; nothing if there is no such part.
     *
     * @throws ModelException if an expression is too complex to tell
     */
    Part partOrNothing(Filter filter) {
        try {
            return part(filter);
        } catch (ModelException e) {
            if (filter.isIn(profile)) {
                throw e;
            }
            return Part.nothingOf(profile, Resource.SAMPLES);
        }
    }

    /**
     * A part as far as it has something of a resource: nothing, if the profiles know the resource
     * but have nothing of it there.
     *
     * @param resource one of the main ones if empty
     */
    Part ofResource(Part part, Optional<String> resource) {
        List<String> meant = resource.map(List::of).orElse(Profile.MAIN_RESOURCES);
        boolean hasSome = meant.stream().anyMatch(name -> part.profile().column(name).isPresent());
        Optional<Resource> known = meant.stream().flatMap(this::known).findFirst();
        return hasSome || known.isEmpty() ? part : Part.nothingOf(profile, known.get());
    }

    private Stream<Resource> known(String name) {
        return Stream.ofNullable(resources.get(name));
    }

    /** The same, found to be still right. */
    Snapshot confirmed(Instant now) {
        return new Snapshot(
                selection, now, whole, upTo, profiles, profile, resources, parts, pieces);
    }

    /** Whether what is computed of another is computed of this one at once. */
    boolean sharesParts(@Nullable Snapshot other) {
        return other != null && parts == other.parts;
    }

    /** Computes what was asked of an earlier snapshot, so that nobody has to wait for it. */
    void prepareLike(Snapshot earlier, Filter filter) {
        if (earlier.parts.asked().contains(filter)) {
            try {
                parts.prepare(filter).prepareLike(earlier.parts.prepare(filter));
            } catch (ModelException e) {
                // A thread or method may be gone; whoever asks for it next is told.
            }
        }
    }

    /** How many bytes are kept in memory for it, about. */
    long bytes() {
        return Weight.of(profile)
                + parts.present().stream().mapToLong(Part::bytes).sum()
                + pieces.bytes();
    }
}
