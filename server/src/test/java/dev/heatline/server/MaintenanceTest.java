package dev.heatline.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Execution;
import dev.heatline.store.RocksStore;
import dev.heatline.store.Store;
import dev.heatline.store.StoreException;
import dev.heatline.store.StoreOptions;
import dev.heatline.store.Upload;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MaintenanceTest {
    @TempDir Path directory;

    @Test
    void itGoesOnWhateverARoundEndedWith() throws InterruptedException {
        CountDownLatch rounds = new CountDownLatch(4);
        Metrics metrics = new Metrics();
        try (RocksStore store = RocksStore.open(directory, StoreOptions.DEFAULT);
                Maintenance _ =
                        new Maintenance(
                                failingAtFirst(store, rounds),
                                new KnownExecutions(Limits.DEFAULT, Instant::now),
                                metrics,
                                Duration.ofMillis(1))) {
            assertThat(rounds.await(1, TimeUnit.MINUTES)).isTrue();
        }

        assertThat(metrics.text(Map.of()))
                .contains("heatline_maintenance_total{outcome=\"failed\"} 3\n");
    }

    @Test
    void aClockThatWasJustSetMakesNothingOld() {
        Instant start = Instant.parse("2026-11-15T12:00:00Z");
        AtomicReference<Instant> clock = new AtomicReference<>(start);
        AtomicLong nanos = new AtomicLong();
        SteadyTime time = new SteadyTime(() -> clock.get(), nanos::get);
        Duration minute = Duration.ofMinutes(1);
        try (RocksStore store = RocksStore.open(directory, StoreOptions.DEFAULT)) {
            Execution execution = new Execution("shop", "1", "a");
            Instant from = start.minus(Duration.ofDays(40));
            assertThat(
                            store.add(
                                    new Upload(
                                            "1",
                                            execution,
                                            from,
                                            from.plus(minute),
                                            Running.profile("A 1\n"))))
                    .isTrue();
            clock.set(start.plus(Duration.ofDays(400)));
            for (int i = 0; i < 9; i++) {
                store.maintain(time.forAges());
                clock.set(clock.get().plus(minute));
                nanos.addAndGet(minute.toNanos());
            }
            clock.set(start.plus(minute.multipliedBy(9)));
            for (int i = 0; i < 10; i++) {
                store.maintain(time.forAges());
                assertThat(store.usage().profiles()).containsEntry("minute", 1L);
                clock.set(clock.get().plus(minute));
                nanos.addAndGet(minute.toNanos());
            }

            store.maintain(time.forAges());

            assertThat(store.usage().profiles()).containsEntry("day", 1L);
        }
    }

    /** The store itself, except that its first rounds fail, each in another way. */
    private static Store failingAtFirst(Store store, CountDownLatch rounds) {
        return (Store)
                Proxy.newProxyInstance(
                        Store.class.getClassLoader(),
                        new Class<?>[] {Store.class},
                        (_, method, arguments) -> {
                            if (method.getName().equals("maintain")) {
                                rounds.countDown();
                                switch ((int) rounds.getCount()) {
                                    case 3 -> throw new OutOfMemoryError("as if");
                                    case 2 -> throw new IllegalStateException("as if");
                                    case 1 -> throw new StoreException("as if");
                                    default -> {}
                                }
                            }
                            try {
                                return method.invoke(store, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }
}
