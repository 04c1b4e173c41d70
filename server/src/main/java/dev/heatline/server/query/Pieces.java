package dev.heatline.server.query;

import dev.heatline.model.Column;
import dev.heatline.model.ModelException;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.store.Selection;
import dev.heatline.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The time of a question in pieces of equal length, and the part it asks about in each of them.
 * Reading all pieces takes about as long as merging the selection, or longer where pieces are
 * shorter than the stored profiles: those are read for each piece they reach into. Until something
 * new is stored they are not read again, if they are small.
 */
final class Pieces {
    private static final int USUAL = 24;
    private static final int MOST = 100;

    /** How long one question may read. */
    private static final Duration LONGEST = Duration.ofSeconds(20);

    private static final Profile NOTHING = new ProfileBuilder().build(Provenance.NONE);

    private final Chosen chosen;
    private final int count;
    private final Selection covered;
    private final Selections selections;
    private final Store store;
    private final long endNanos = System.nanoTime() + LONGEST.toNanos();

    /** Cuts the time of a question into as many pieces as it asks for. */
    record Cutter(Executions executions, Selections selections, Store store) {

        Pieces cut(Chosen chosen, Params params) {
            Selection covered = TimelineAnswers.covered(chosen, executions);
            long seconds = Duration.between(covered.from(), covered.until()).toSeconds();
            // Samples are known by the second: what is shorter tells nothing more.
            int count =
                    (int)
                            Math.clamp(
                                    params.number("pieces", USUAL, 1, MOST),
                                    1,
                                    Math.max(1, seconds));
            return new Pieces(chosen, count, covered, selections, store);
        }
    }

    /**
     * @param covered the time that is cut
     */
    private Pieces(
            Chosen chosen, int count, Selection covered, Selections selections, Store store) {
        this.chosen = chosen;
        this.count = count;
        this.covered = covered;
        this.selections = selections;
        this.store = store;
    }

    /** What the part used of each of some resources in a piece, in stored units. */
    record Used(Instant from, Instant until, List<Long> values) {}

    /** What the part used of each of some resources, piece by piece. */
    List<Used> of(List<Resource> resources) {
        List<List<Store.Bucket>> all = resources.stream().map(this::ofAll).toList();
        List<Used> used = new ArrayList<>();
        for (int i = 0; !all.isEmpty() && i < all.getFirst().size(); i++) {
            int piece = i;
            used.add(used(resources, all.stream().map(it -> it.get(piece)).toList()));
        }
        return used;
    }

    /**
     * A piece.
     *
     * @param all what all used in it, of each resource
     */
    private Used used(List<Resource> resources, List<Store.Bucket> all) {
        List<Long> values = new ArrayList<>();
        Store.Bucket first = all.getFirst();
        if (chosen.filter().equals(Filter.NONE)) {
            all.forEach(it -> values.add(it.value()));
        } else {
            Piece piece = read(first);
            for (int i = 0; i < all.size(); i++) {
                Resource resource = resources.get(i);
                long ofPart = total(piece.part(), resource);
                values.add(piece.due(resource, ofPart, all.get(i).value()));
            }
        }
        return new Used(first.from(), first.until(), values);
    }

    /** What all threads and methods used of a resource in each piece. Reads no profile. */
    List<Store.Bucket> ofAll(Resource resource) {
        return chosen.isEmpty() ? List.of() : store.timeline(covered, resource.name(), count);
    }

    /**
     * What was stored of a piece, as far as profiles tell the seconds of their samples; of others
     * all that reach into it.
     *
     * @throws QueryException if all pieces together take too long
     */
    Piece read(Store.Bucket piece) {
        return read(covered.between(piece.from(), piece.until()));
    }

    /** As above, of any selection. */
    Piece read(Selection selection) {
        left();
        Profile whole = whole(selection);
        Duration left = left();
        try {
            return new Piece(whole, chosen.filter().of(whole, left));
        } catch (ModelException e) {
            // The part is there in the whole time, so in this piece it just was not running, if
            // there was enough time to find that out.
            left();
            return new Piece(whole, NOTHING);
        }
    }

    /**
     * What is new of another version than the snapshot's changes no snapshot, so it is read anew.
     */
    private Profile whole(Selection selection) {
        Snapshot snapshot = chosen.snapshot();
        Optional<String> version = snapshot.selection().version();
        return version.isEmpty() || version.equals(selection.version())
                ? snapshot.pieces().get(selection, selections::read)
                : selections.read(selection);
    }

    /** How much longer this question may read; an exception if no longer. */
    private Duration left() {
        long nanos = endNanos - System.nanoTime();
        if (nanos <= 0) {
            throw QueryException.busy(
                    "reading piece by piece takes longer than "
                            + LONGEST.toSeconds()
                            + " s: ask for fewer pieces, a shorter time or fewer instances");
        }
        return Duration.ofNanos(nanos);
    }

    /**
     * What was recorded around a piece of time.
     *
     * @param part what of it was asked for
     */
    record Piece(Profile whole, Profile part) {

        /**
         * How much of what all used in the piece is due to something in it. Stored profiles that
         * reach beyond the piece count as much as lies in it, as they do in a time line.
         *
         * @param used by that something, in all that was read of the piece
         * @param all what all used in the piece
         */
        long due(Resource resource, long used, long all) {
            long total = total(whole, resource);
            return total == 0 ? 0 : Math.round((double) used / total * all);
        }
    }

    /** All that a profile has of a resource. */
    static long total(Profile profile, Resource resource) {
        return profile.column(resource.name()).map(Column::total).orElse(0L);
    }
}
