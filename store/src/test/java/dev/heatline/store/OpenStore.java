package dev.heatline.store;

import static dev.heatline.store.Samples.minute;
import static dev.heatline.store.Samples.upload;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Execution;
import dev.heatline.model.Profile;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A store for one test. */
abstract class OpenStore {
    static final StoreOptions OPTIONS =
            StoreOptions.DEFAULT.withAges(
                    Duration.ofHours(2), Duration.ofDays(2), Duration.ofDays(20));

    @TempDir Path directory;
    Store store;

    abstract Store open(Path where, StoreOptions options);

    @BeforeEach
    void openStore() {
        store = open(directory, OPTIONS);
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    void reopen() {
        store.close();
        store = open(directory, OPTIONS);
    }

    Profile collect(Selection selection) {
        return Samples.collect(store, selection);
    }

    long samples(Selection selection) {
        return samples(collect(selection));
    }

    static long samples(Profile profile) {
        return profile.column("samples").map(column -> column.total()).orElse(0L);
    }

    void add(String id, Execution execution, long minute, long samples) {
        assertThat(store.add(upload(id, execution, minute, Samples.of("a.B.c", samples)))).isTrue();
    }
}
