package dev.heatline.store;

import static dev.heatline.store.Samples.SHOP;
import static dev.heatline.store.Samples.upload;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Consumer;
import dev.heatline.model.Execution;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What every store has to do when there is more than it may keep: forget what is oldest, fairly.
 */
abstract class SizeContract {
    private static final long LIMIT = 200_000;

    @TempDir Path directory;
    private Store store;

    abstract Store open(Path where, StoreOptions options);

    @BeforeEach
    void openStore() {
        store = open(directory, StoreOptions.DEFAULT.withMaxBytes(LIMIT));
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    @Test
    void whatIsTooMuchIsDeletedOldestFirstAndFairly() {
        Workload workload = new Workload(1);
        Execution small = new Execution("small", "1", "a");
        for (int i = 0; i < 600; i++) {
            assertThat(store.add(upload("u" + i, SHOP, i, workload.minute(1000)))).isTrue();
            if (i % 60 == 0) {
                assertThat(store.add(upload("s" + i, small, i, Samples.of("a.B.c", 1)))).isTrue();
            }
        }

        store.maintain(Samples.minute(700));

        assertThat(store.usage().bytes()).isLessThan(2 * LIMIT);
        List<Store.Seen> seen = store.executions();
        assertThat(seen).extracting(one -> one.execution()).contains(small);
        Store.Seen shop = seen.getFirst();
        assertThat(shop.execution()).isEqualTo(SHOP);
        assertThat(shop.profiles()).isBetween(60L, 540L);
        assertThat(shop.first()).isAfter(Samples.minute(59));
        assertThat(shop.last()).isEqualTo(Samples.minute(600));
        assertThat(seen.getLast().profiles()).isEqualTo(10);
    }

    @Test
    void ofTheNewestHourOnlyWhatIsTooMuchIsDeleted() {
        Workload workload = new Workload(1);
        for (int i = 0; i < 200; i++) {
            Instant from = Samples.START.plusSeconds(15L * i);
            Profile profile = workload.minute(3000);
            assertThat(store.add(new Upload("u" + i, SHOP, from, from.plusSeconds(15), profile)))
                    .isTrue();
        }

        store.maintain(Samples.minute(50));

        Store.Seen left = store.executions().getFirst();
        assertThat(left.profiles()).isBetween(10L, 190L);
        assertThat(left.last()).isEqualTo(Samples.minute(50));
    }

    @Test
    void profilesNeedNotGoForNamesThatCannot() {
        Random random = new Random(1);
        ProfileBuilder builder = new ProfileBuilder();
        for (int i = 0; i < 400; i++) {
            byte[] text = new byte[1000];
            random.nextBytes(text);
            Consumer method = Consumer.method("p.C.m" + HexFormat.of().formatHex(text));
            int node = builder.child(Profile.ROOT, builder.consumer(method), 0);
            builder.column(Resource.SAMPLES).add(node, -1, 1);
        }
        Profile names = builder.build(Provenance.NONE);
        for (int i = 0; i < 10; i++) {
            assertThat(store.add(upload("u" + i, SHOP, 60L * i, names))).isTrue();
        }

        store.maintain(Samples.minute(60 * 10));

        assertThat(store.usage().bytes()).isGreaterThan(LIMIT);
        assertThat(store.executions().getFirst().profiles()).isEqualTo(10);
    }
}
