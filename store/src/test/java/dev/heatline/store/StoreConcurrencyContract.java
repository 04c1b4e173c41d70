package dev.heatline.store;

import static dev.heatline.store.Samples.SHOP;
import static dev.heatline.store.Samples.minute;
import static dev.heatline.store.Samples.upload;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Column;
import dev.heatline.model.Execution;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every store has to do when many use it at once. */
abstract class StoreConcurrencyContract {
    private static final int THREADS = 4;
    private static final int UPLOADS = 150;
    private static final int EXECUTIONS = 200;

    /** Small dictionaries, so that they are renewed and forgotten meanwhile. */
    private static final StoreOptions OPTIONS =
            StoreOptions.DEFAULT
                    .withAges(Duration.ofHours(1), Duration.ofHours(30), Duration.ofDays(400))
                    .withDictionaries(10_000, 20_000);

    @TempDir Path directory;

    abstract Store open(Path where, StoreOptions options);

    @Test
    void everyUploadIsStoredOnceHoweverManySendIt() throws Exception {
        try (Store store = open(directory, OPTIONS);
                ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<Integer>> stored = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                stored.add(threads.submit(() -> addAll(store, "")));
            }
            int sum = 0;
            for (Future<Integer> one : stored) {
                sum += one.get();
            }
            assertThat(sum).isEqualTo(UPLOADS);
            assertThat(samples(store)).isEqualTo(UPLOADS);
        }
    }

    @Test
    void whoClosesDoesNotWaitForARoundOfMaintenance() throws Exception {
        StoreOptions options =
                StoreOptions.DEFAULT.withAges(
                        Duration.ofHours(1), Duration.ofHours(30), Duration.ofDays(400));
        Workload workload = new Workload(1);
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Future<?> maintaining;
            try (Store store = open(directory, options)) {
                for (int i = 0; i < EXECUTIONS; i++) {
                    Execution execution = new Execution("shop", "1", "" + i);
                    Upload upload = upload("u" + i, execution, 0, workload.minute(1000));
                    assertThat(store.add(upload)).isTrue();
                }
                maintaining = threads.submit(() -> store.maintain(minute(60 * 24)));
                while (!maintaining.isDone()
                        && store.usage().profiles().getOrDefault("hour", 0L) == 0) {
                    Thread.onSpinWait();
                }
            }
            try {
                maintaining.get();
            } catch (ExecutionException e) {
                assertThat(e).hasCauseInstanceOf(StoreException.class);
            }
        }
        try (Store store = open(directory, options)) {
            assertThat(store.usage().profiles()).as("left to do").doesNotContainEntry("minute", 0L);
            assertThat(samples(store)).isEqualTo(1000L * EXECUTIONS);

            store.maintain(minute(60 * 24));

            assertThat(store.usage().profiles())
                    .containsEntry("minute", 0L)
                    .containsEntry("hour", (long) EXECUTIONS);
            assertThat(samples(store)).isEqualTo(1000L * EXECUTIONS);
        }
    }

    /** Whoever collects while others add and roll up sees whole uploads, and never fewer. */
    @Test
    void nothingIsLostOrCountedTwiceWhileRollingUp() throws Exception {
        try (Store store = open(directory, OPTIONS);
                ExecutorService threads = Executors.newCachedThreadPool()) {
            AtomicBoolean ended = new AtomicBoolean();
            List<Future<Integer>> adding = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                String name = "thread " + t;
                adding.add(threads.submit(() -> addAll(store, name)));
            }
            Future<?> maintaining = threads.submit(() -> maintainUntil(store, ended));
            Future<Long> collecting = threads.submit(() -> collectUntil(store, ended));
            try {
                for (Future<Integer> one : adding) {
                    assertThat(one.get()).isEqualTo(UPLOADS);
                }
            } finally {
                ended.set(true);
            }
            maintaining.get();
            assertThat(collecting.get()).isEqualTo((long) THREADS * UPLOADS);
        }
        try (Store store = open(directory, OPTIONS)) {
            assertThat(samples(store)).isEqualTo((long) THREADS * UPLOADS);
        }
    }

    private static int addAll(Store store, String name) {
        int stored = 0;
        for (int i = 0; i < UPLOADS; i++) {
            Profile profile = Samples.of("p.C.method" + i % 50 + name, 1);
            stored += store.add(upload(name + i, SHOP, i * 7L, profile)) ? 1 : 0;
        }
        return stored;
    }

    private static void maintainUntil(Store store, AtomicBoolean ended) {
        long now = 0;
        while (!ended.get()) {
            store.maintain(minute(now));
            now += 60;
        }
    }

    /** Goes on from collection to collection; returns how many samples there were at the end. */
    private static long collectUntil(Store store, AtomicBoolean ended) throws ExecutionException {
        ProfileBuilder growing = new ProfileBuilder();
        long upTo = 0;
        long before = 0;
        boolean last = false;
        while (!last) {
            last = ended.get();
            Store.Collected more = store.collect(Selection.of("shop"), upTo, growing);
            if (more.mustStartAgain()) {
                growing = new ProfileBuilder();
                more = store.collect(Selection.of("shop"), 0, growing);
            }
            upTo = more.upTo();
            long now = samples(store);
            assertThat(now).isGreaterThanOrEqualTo(before);
            before = now;
        }
        return growing.build(Provenance.NONE).column("samples").map(Column::total).orElse(0L);
    }

    private static long samples(Store store) {
        return Samples.collect(store, Selection.of("shop"))
                .column("samples")
                .map(Column::total)
                .orElse(0L);
    }
}
