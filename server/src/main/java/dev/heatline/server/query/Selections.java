package dev.heatline.server.query;

import dev.heatline.model.Profile;
import dev.heatline.store.Selection;
import dev.heatline.store.Store;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * The merged selections that were asked for last, as many as fit into memory. Making one does not
 * keep others from being read or made.
 */
final class Selections {

    /** What a selection counts at least, so that there are never too many small ones. */
    private static final long LEAST_BYTES = 250_000;

    private final QueryOptions options;
    private final Threads threads;
    private final Merging merging;

    /** The one used last is the last. */
    private final Map<Scope, LiveSelection> selections = new LinkedHashMap<>(16, 0.75f, true);

    Selections(Store store, QueryOptions options, Threads threads) {
        this.options = options;
        this.threads = threads;
        this.merging = new Merging(store, options);
    }

    /** All profiles of the scope in one. The first who asks waits until they are merged. */
    Snapshot of(Scope scope) {
        Snapshot snapshot = selection(scope).snapshot();
        shrink();
        return snapshot;
    }

    /** All profiles of a selection in one, read for this once and not kept. */
    Profile read(Selection selection) {
        return merging.whole(selection).profile();
    }

    /**
     * Compares two profiles when there is memory for it.
     *
     * @throws QueryException if they are too large together, or too many others are being merged
     */
    <T> T compared(Profile before, Profile now, BiFunction<Profile, Profile, T> comparing) {
        return merging.compared(before, now, comparing);
    }

    /** All there is of an application is merged anew when somebody asks. */
    synchronized void forget(String application) {
        selections.keySet().removeIf(scope -> scope.application().equals(application));
    }

    private synchronized LiveSelection selection(Scope scope) {
        return selections.computeIfAbsent(
                scope, it -> new LiveSelection(merging, it, options, threads));
    }

    /** Forgets those not used for the longest time until the others fit; of the last, its parts. */
    private synchronized void shrink() {
        long bytes = bytes();
        var eldest = selections.values().iterator();
        for (int left = selections.size(); bytes > options.maxBytes() && left > 1; left--) {
            bytes -= weight(eldest.next());
            eldest.remove();
        }
        if (bytes > options.maxBytes()) {
            selections.values().forEach(LiveSelection::forgetParts);
        }
    }

    /** How many selections there are. */
    synchronized int size() {
        return selections.size();
    }

    /** How many bytes they keep in memory, small ones counted as larger than they are. */
    synchronized long bytes() {
        return selections.values().stream().mapToLong(Selections::weight).sum();
    }

    private static long weight(LiveSelection selection) {
        return Math.max(LEAST_BYTES, selection.bytes());
    }
}
