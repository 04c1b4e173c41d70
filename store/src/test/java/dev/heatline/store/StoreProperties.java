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
            Profile expected = Operations.merge(added);
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
