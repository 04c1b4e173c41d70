package dev.heatline.server.query;

import dev.heatline.store.Store;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The merged selections that were asked for last, as many as fit into memory. Making one does not
 * keep others from being read or made.
 */
final class Selections {

    /** What a selection counts at least, so that there are never too many small ones. */
    private static final long LEAST_NODES = 1_000;

    private final Store store;
    private final QueryOptions options;
    private final Threads threads;

    /** The one used last is the last. */
    private final Map<Scope, LiveSelection> selections = new LinkedHashMap<>(16, 0.75f, true);

    Selections(Store store, QueryOptions options, Threads threads) {
        this.store = store;
        this.options = options;
        this.threads = threads;
    }

    /** All profiles of the scope in one. The first who asks waits until they are merged. */
    Snapshot of(Scope scope) {
        Snapshot snapshot = selection(scope).snapshot();
        shrink();
        return snapshot;
    }

    private synchronized LiveSelection selection(Scope scope) {
        return selections.computeIfAbsent(
                scope, it -> new LiveSelection(store, it, options, threads));
    }

    /** Forgets those not used for the longest time until the others fit, and at least one. */
    private synchronized void shrink() {
        long nodes = nodes();
        var eldest = selections.values().iterator();
        for (int left = selections.size(); nodes > options.maxNodes() && left > 1; left--) {
            nodes -= weight(eldest.next());
            eldest.remove();
        }
    }

    /** How many selections there are. */
    synchronized int size() {
        return selections.size();
    }

    /** How many nodes they keep in memory, each counted as a thousand at least. */
    synchronized long nodes() {
        return selections.values().stream().mapToLong(Selections::weight).sum();
    }

    private static long weight(LiveSelection selection) {
        return Math.max(LEAST_NODES, selection.nodes());
    }
}
