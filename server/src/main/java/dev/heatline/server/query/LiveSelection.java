package dev.heatline.server.query;

import dev.heatline.model.ModelException;
import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Resource;
import dev.heatline.store.Selection;
import dev.heatline.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The merged profile of one scope, brought up to date by what is new while it is in use. Where that
 * takes long, only who asks first waits: everybody else gets the last snapshot, and the next one is
 * made meanwhile.
 */
final class LiveSelection {
    private static final System.Logger LOG = System.getLogger(LiveSelection.class.getName());

    /**
     * After this time all is read again, since the store may have deleted what was too old, which
     * no new interval tells.
     */
    private static final Duration WHOLE_EVERY = Duration.ofHours(1);

    /** For a snapshot that missed so many refreshes, it is worth waiting for a moment. */
    private static final int OLD = 5;

    /** Of the time, bringing one selection up to date takes at most one part in so many. */
    private static final int TIME_SHARE = 10;

    /** Of the memory for all selections, the pieces of one take at most one part in so many. */
    private static final int PIECES_SHARE = 8;

    private final Merging merging;
    private final Scope scope;
    private final QueryOptions options;
    private final Threads threads;

    private volatile @Nullable Snapshot latest;
    private volatile long latestNanos;
    private volatile long dueNanos = System.nanoTime();
    private @Nullable FutureTask<Snapshot> refresh;

    LiveSelection(Merging merging, Scope scope, QueryOptions options, Threads threads) {
        this.merging = merging;
        this.scope = scope;
        this.options = options;
        this.threads = threads;
    }

    /** The last snapshot, the first, or one that comes in time. */
    Snapshot snapshot() {
        Snapshot last = latest;
        long now = System.nanoTime();
        long age = now - latestNanos;
        if (last == null || age >= options.oldest().toNanos()) {
            return Threads.finished(refreshing(), threads.computing());
        }
        if (now - dueNanos < 0) {
            return last;
        }
        Future<Snapshot> next = refreshInBackground();
        return age < OLD * options.refreshEvery().toNanos() ? last : soon(next, last);
    }

    private Snapshot soon(Future<Snapshot> next, Snapshot last) {
        try {
            return next.get(options.patience().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // Why it failed is told where it was made.
            return last;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return last;
        }
    }

    /** How many bytes are kept in memory for it, about. */
    long bytes() {
        Snapshot last = latest;
        return last == null ? 0 : last.bytes();
    }

    /** Keeps only what is merged, and nothing that was computed of it. */
    void forgetParts() {
        Snapshot last = latest;
        if (last != null) {
            last.parts().clear();
            last.pieces().clear();
        }
    }

    /** The refresh that is going on, or a new one that has not begun. */
    private synchronized FutureTask<Snapshot> refreshing() {
        FutureTask<Snapshot> current = refresh;
        if (current == null || current.isDone()) {
            current = new FutureTask<>(this::refreshed);
            refresh = current;
        }
        return current;
    }

    /** The refresh that is going on, or a new one. */
    private synchronized Future<Snapshot> refreshInBackground() {
        boolean isNew = refresh == null || refresh.isDone();
        FutureTask<Snapshot> current = refreshing();
        if (isNew) {
            threads.background().execute(() -> runAndTell(current));
        }
        return current;
    }

    /** Nobody waits for it, so nobody else would say that it failed. */
    private void runAndTell(FutureTask<Snapshot> task) {
        task.run();
        if (task.state() == Future.State.FAILED) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "a selection of {0} cannot be brought up to date: {1}",
                    scope.application(),
                    task.exceptionNow().getMessage());
        }
    }

    private Snapshot refreshed() {
        long start = System.nanoTime();
        try {
            Snapshot last = latest;
            Snapshot next = next(last);
            if (last != null) {
                next.prepareLike(last, Filter.NONE);
            }
            latest = next;
            latestNanos = start;
            if (last != null && !next.sharesParts(last)) {
                threads.background().execute(() -> prepareParts(next, last));
            }
            return next;
        } finally {
            due(start);
        }
    }

    /** What somebody's filter takes is nothing that everybody has to wait for. */
    private void prepareParts(Snapshot next, Snapshot last) {
        long start = System.nanoTime();
        for (Filter filter : last.parts().asked()) {
            if (next.sharesParts(latest)) {
                next.prepareLike(last, filter);
            }
        }
        due(start);
    }

    /** Of all that has to be done for a snapshot, the slowest decides. */
    private synchronized void due(long startNanos) {
        long now = System.nanoTime();
        long rest =
                Math.max(options.refreshEvery().toNanos(), (now - startNanos) * (TIME_SHARE - 1));
        dueNanos = now + Math.max(rest, dueNanos - now);
    }

    private Snapshot next(@Nullable Snapshot last) {
        Instant now = options.clock().instant();
        Selection selection = scope.at(now);
        if (last == null
                || !selection.equals(last.selection())
                || now.isAfter(last.whole().plus(WHOLE_EVERY))) {
            return whole(selection, now);
        }
        ProfileBuilder added = new ProfileBuilder();
        Store.Collected collected = merging.collect(selection, last.upTo(), added);
        if (collected.mustStartAgain()) {
            return whole(selection, now);
        }
        if (collected.profiles() == 0) {
            return last.confirmed(now);
        }
        Profile both;
        try {
            both = Operations.merge(List.of(last.profile(), added.build(collected.provenance())));
        } catch (ModelException e) {
            // What does not fit the rest is left out where all is read.
            return whole(selection, now);
        }
        merging.check(both);
        return new Snapshot(
                selection,
                now,
                last.whole(),
                Math.max(last.upTo(), collected.upTo()),
                last.profiles() + collected.profiles(),
                both,
                all(last.resources(), collected.resources()),
                Snapshot.partsOf(both, threads.computing()),
                pieces());
    }

    private Snapshot whole(Selection selection, Instant now) {
        Merging.Merged merged = merging.whole(selection);
        return new Snapshot(
                selection,
                now,
                now,
                merged.collected().upTo(),
                merged.collected().profiles(),
                merged.profile(),
                merged.collected().resources(),
                Snapshot.partsOf(merged.profile(), threads.computing()),
                pieces());
    }

    /** Each in the finer of both units, as they are merged. */
    private static SortedMap<String, Resource> all(
            SortedMap<String, Resource> some, SortedMap<String, Resource> others) {
        SortedMap<String, Resource> all = new TreeMap<>(some);
        others.forEach(
                (name, more) -> all.merge(name, more, (a, b) -> a.perUnit() < b.perUnit() ? b : a));
        return all;
    }

    private KeptPieces pieces() {
        return new KeptPieces(options.maxBytes() / PIECES_SHARE);
    }
}
