package dev.heatline.server.query;

import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.store.Selection;
import dev.heatline.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * The merged profile of one scope, brought up to date by what is new while it is in use. Only who
 * asks first waits: everybody else gets the last snapshot, and the next one is made meanwhile.
 */
final class LiveSelection {
    private static final System.Logger LOG = System.getLogger(LiveSelection.class.getName());

    /**
     * After this time all is read again, since the store may have deleted what was too old, which
     * no new interval tells.
     */
    private static final Duration WHOLE_EVERY = Duration.ofHours(1);

    /** Of the time, bringing one selection up to date takes at most one part in so many. */
    private static final int TIME_SHARE = 10;

    private final Store store;
    private final Scope scope;
    private final QueryOptions options;
    private final Threads threads;

    private volatile @Nullable Snapshot latest;
    private volatile long latestNanos;
    private volatile long dueNanos;
    private @Nullable FutureTask<Snapshot> refresh;

    LiveSelection(Store store, Scope scope, QueryOptions options, Threads threads) {
        this.store = store;
        this.scope = scope;
        this.options = options;
        this.threads = threads;
    }

    /** The last snapshot, or the first. */
    Snapshot snapshot() {
        Snapshot last = latest;
        long now = System.nanoTime();
        if (last == null || now - latestNanos >= options.oldest().toNanos()) {
            return Threads.finished(refreshing(), threads.computing());
        }
        if (now - dueNanos >= 0) {
            refreshInBackground();
        }
        return last;
    }

    /** How many nodes are kept in memory for it. */
    long nodes() {
        Snapshot last = latest;
        return last == null ? 0 : last.nodes();
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

    private synchronized void refreshInBackground() {
        if (refresh == null || refresh.isDone()) {
            FutureTask<Snapshot> started = refreshing();
            threads.background().execute(() -> runAndTell(started));
        }
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
            Snapshot next = next(latest);
            latest = next;
            latestNanos = start;
            return next;
        } finally {
            long now = System.nanoTime();
            dueNanos =
                    now
                            + Math.max(
                                    options.refreshEvery().toNanos(),
                                    (now - start) * (TIME_SHARE - 1));
        }
    }

    private Snapshot next(@Nullable Snapshot last) {
        Instant now = options.clock().instant();
        Selection selection = scope.at(now);
        if (last == null
                || !selection.equals(last.selection())
                || now.isAfter(last.whole().plus(WHOLE_EVERY))) {
            return whole(last, selection, now);
        }
        ProfileBuilder added = new ProfileBuilder();
        Store.Collected collected = store.collect(selection, last.upTo(), added);
        if (collected.mustStartAgain()) {
            return whole(last, selection, now);
        }
        if (collected.profiles() == 0) {
            return last.confirmed(now);
        }
        Profile both =
                Operations.merge(List.of(last.profile(), added.build(collected.provenance())));
        Snapshot next =
                new Snapshot(
                        selection,
                        now,
                        last.whole(),
                        Math.max(last.upTo(), collected.upTo()),
                        last.profiles() + collected.profiles(),
                        both,
                        Snapshot.partsOf(both, threads.computing()));
        next.prepareLike(last);
        return next;
    }

    private Snapshot whole(@Nullable Snapshot last, Selection selection, Instant now) {
        ProfileBuilder all = new ProfileBuilder();
        Store.Collected collected = store.collect(selection, 0, all);
        Profile profile = all.build(collected.provenance());
        Snapshot next =
                new Snapshot(
                        selection,
                        now,
                        now,
                        collected.upTo(),
                        collected.profiles(),
                        profile,
                        Snapshot.partsOf(profile, threads.computing()));
        if (last != null) {
            next.prepareLike(last);
        }
        return next;
    }
}
