package dev.heatline.server.query;

import dev.heatline.model.Execution;
import dev.heatline.model.Profile;
import dev.heatline.store.RocksStore;
import dev.heatline.store.StoreOptions;
import dev.heatline.store.Upload;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A store in which the profiles of a shop are put, and a clock that is set. */
abstract class OpenSelections {
    static final Profile PROFILE = QueryServer.example("workload.heat");
    static final Profile OTHER = QueryServer.example("workload-shallow.heat");

    /** Everything in the thread that asks. */
    static final Threads DIRECT = new Threads(Runnable::run, Runnable::run);

    @TempDir Path directory;
    final AtomicReference<Instant> time =
            new AtomicReference<>(Instant.parse("2026-11-15T12:00:00Z"));
    final InstantSource clock = time::get;
    final QueryOptions fresh =
            new QueryOptions(1L << 30, Duration.ZERO, Duration.ZERO, Duration.ZERO, clock);
    CountingStore store;
    private int uploads;

    @BeforeEach
    void open() {
        store = new CountingStore(RocksStore.open(directory, StoreOptions.DEFAULT));
    }

    @AfterEach
    void close() {
        store.close();
    }

    void upload(String instance, Profile profile) {
        Instant from = QueryServer.START.plus(Duration.ofMinutes(uploads++));
        store.add(
                new Upload(
                        "u" + uploads,
                        new Execution("shop", "1", instance),
                        from,
                        from.plusSeconds(60),
                        profile));
    }

    static Scope all(String application) {
        return new Scope(
                application,
                Optional.empty(),
                new TreeSet<>(),
                new TreeMap<>(),
                Optional.empty(),
                Optional.empty());
    }

    static Scope instance(String name) {
        return new Scope(
                "shop",
                Optional.empty(),
                new TreeSet<>(List.of(name)),
                new TreeMap<>(),
                Optional.empty(),
                Optional.empty());
    }
}
