package dev.heatline.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.store.RocksStore;
import dev.heatline.store.Store;
import dev.heatline.store.StoreException;
import dev.heatline.store.StoreOptions;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
