package dev.heatline.server.query;

import dev.heatline.model.ModelException;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.store.Selection;
import dev.heatline.store.Store;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

/** Puts stored profiles together: no more of them, and not more at once, than fits into memory. */
final class Merging {

    /** Each needs memory for all that is merged, as it grows and as it is in the end. */
    private static final int AT_ONCE = 2;

    private static final int LONGEST_WAIT_SECONDS = 20;

    private final Store store;
    private final long largest;

    /** Fair, since who reads piece by piece comes again and again. */
    private final Semaphore turns = new Semaphore(AT_ONCE, true);

    Merging(Store store, QueryOptions options) {
        this.store = store;
        this.largest = Weight.mergedWithin(options.maxBytes());
    }

    /** All of a selection in one. */
    record Merged(Profile profile, Store.Collected collected) {}

    /**
     * Reads a selection from its beginning.
     *
     * @throws QueryException if it is too large, or too many others are being read
     */
    Merged whole(Selection selection) {
        takeTurn();
        try {
            ProfileBuilder all = new ProfileBuilder();
            Store.Collected collected = collect(selection, 0, all);
            return new Merged(all.build(collected.provenance()), collected);
        } finally {
            turns.release();
        }
    }

    private void takeTurn() {
        try {
            if (!turns.tryAcquire(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS)) {
                throw QueryException.busy(
                        "too many selections are being merged at once; ask again later");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw QueryException.busy("the server is shutting down; ask again later");
        }
    }

    /** Adds what came after an upload. Stops where there is more than fits. */
    Store.Collected collect(Selection selection, long after, ProfileBuilder into) {
        try {
            Store.Collected collected = store.collect(selection, after, into.maxSize(largest));
            if (into.size() > largest) {
                throw tooLarge("this selection has");
            }
            return collected;
        } catch (ModelException e) {
            throw into.size() > largest ? tooLarge("this selection has") : e;
        }
    }

    /**
     * Compares two profiles in one tree, which takes as much memory as merging them.
     *
     * @throws QueryException if that is too much, or too many others are being read
     */
    <T> T compared(Profile before, Profile now, BiFunction<Profile, Profile, T> comparing) {
        if (Weight.size(before) + Weight.size(now) > largest) {
            throw tooLarge("what is compared has");
        }
        takeTurn();
        try {
            return comparing.apply(before, now);
        } finally {
            turns.release();
        }
    }

    /**
     * Makes sure that a profile is not larger than those that are read.
     *
     * @throws QueryException if it is
     */
    void check(Profile profile) {
        if (Weight.size(profile) > largest) {
            throw tooLarge("this selection has");
        }
    }

    private QueryException tooLarge(String what) {
        return QueryException.tooLarge(
                what
                        + " more than "
                        + largest
                        + " calling contexts and values, which is all that fits into the server's"
                        + " memory: ask for a shorter time, one version or fewer instances, or"
                        + " start the server with a larger heap");
    }
}
