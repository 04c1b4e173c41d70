package dev.heatline.store;

import static dev.heatline.store.Samples.minute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Execution;
import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** What every store has to do, whatever happens in whatever order. */
abstract class StoreProperties {

    /** Dictionaries so small that they are renewed and forgotten all the time. */
    private static final StoreOptions OPTIONS =
            StoreOptions.DEFAULT
                    .withAges(Duration.ofHours(2), Duration.ofDays(2), Duration.ofDays(400))
                    .withDictionaries(1000, 6000);

    abstract Store open(Path where, StoreOptions options);

    /**
     * Uploads of a week come in any order, the store is maintained at any time and reopened now and
     * then, and still every collection is the merge of all uploads so far, tree, values and
     * provenance, whether it started again or went on from an earlier one.
     */
    @Property(tries = 40)
    void rollUpsKeepEverything(@ForAll long seed, @ForAll @IntRange(min = 1, max = 60) int steps)
            throws IOException {
        Path directory = Files.createTempDirectory("store");
        Random random = new Random(seed);
        List<Profile> added = new ArrayList<>();
        Store store = open(directory, OPTIONS);
        ProfileBuilder growing = new ProfileBuilder();
        Provenance grown = Provenance.NONE;
        long upTo = 0;
        try {
            for (int step = 0; step < steps; step++) {
                switch (random.nextInt(8)) {
                    case 0 -> store.maintain(minute(random.nextInt(60 * 24 * 9)));
                    case 1 -> {
                        store.close();
                        store = open(directory, OPTIONS);
                    }
                    case 2 -> {
                        Store.Collected more = store.collect(Selection.of("shop"), upTo, growing);
                        if (more.mustStartAgain()) {
                            growing = new ProfileBuilder();
                            grown = Provenance.NONE;
                            more = store.collect(Selection.of("shop"), 0, growing);
                        }
                        grown = grown.merge(more.provenance());
                        upTo = more.upTo();
                    }
                    default -> {
                        Profile profile = Samples.random(random);
                        assertThat(store.add(upload(random, step, profile))).isTrue();
                        added.add(profile);
                    }
                }
            }
            Profile expected = Samples.withoutSeconds(Operations.merge(added));
            assertThat(Samples.collect(store, Selection.of("shop"))).isEqualTo(expected);
            assertThat(store.executions().stream().mapToLong(Store.Seen::profiles).sum())
                    .isEqualTo(added.size());
            Store.Collected rest = store.collect(Selection.of("shop"), upTo, growing);
            if (!rest.mustStartAgain()) {
                assertThat(growing.build(grown.merge(rest.provenance()))).isEqualTo(expected);
            }
        } finally {
            store.close();
            delete(directory);
        }
    }

    /**
     * However a time is cut into parts, those of a profile that tells its seconds have together all
     * that it has: every value, every count, every moment.
     */
    @Property(tries = 40)
    void partsOfATimeHaveAllOfIt(@ForAll long seed) throws IOException {
        Path directory = Files.createTempDirectory("store");
        Random random = new Random(seed);
        try (Store store = open(directory, OPTIONS)) {
            List<Samples.Sample> samples = new ArrayList<>();
            for (int left = 1 + random.nextInt(40); left > 0; left--) {
                samples.add(new Samples.Sample("m" + random.nextInt(5), random.nextInt(62) - 1));
            }
            Profile profile = Samples.bySecond(1, samples);
            assertThat(store.add(Samples.upload("1", Samples.SHOP, 1, profile))).isTrue();

            List<Profile> parts = new ArrayList<>();
            Instant end = minute(2).plusNanos(1);
            for (Instant from = minute(1); from.isBefore(end); ) {
                Instant until = from.plusNanos(1 + random.nextLong(20_000_000_000L));
                parts.add(Samples.collect(store, Selection.of("shop").between(from, until)));
                from = until;
            }

            assertThat(Operations.merge(parts)).isEqualTo(Samples.withoutSeconds(profile));
        } finally {
            delete(directory);
        }
    }

    private static Upload upload(Random random, int step, Profile profile) {
        long begin = random.nextInt(60 * 24 * 7);
        return new Upload(
                "upload " + step,
                new Execution("shop", "1", "instance " + random.nextInt(2)),
                minute(begin),
                minute(begin + random.nextInt(100)),
                profile);
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
