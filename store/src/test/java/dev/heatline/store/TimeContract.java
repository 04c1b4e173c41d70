package dev.heatline.store;

import static dev.heatline.store.Samples.SHOP;
import static dev.heatline.store.Samples.minute;
import static dev.heatline.store.Samples.upload;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Consumer;
import dev.heatline.model.Moments;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What every store has to do about when something was used. */
abstract class TimeContract extends OpenStore {
    @Test
    void selectionsChooseWhateverOverlapsTheirTime() {
        add("1", SHOP, 0, 1);
        add("2", SHOP, 1, 10);
        add("3", SHOP, 2, 100);
        Profile long1 = Samples.of("a.B.c", 1000);
        assertThat(store.add(new Upload("4", SHOP, minute(-50), minute(2), long1))).isTrue();

        Selection shop = Selection.of("shop");
        assertThat(samples(shop.between(minute(0), minute(1)))).isEqualTo(1001);
        assertThat(samples(shop.between(minute(1), minute(3)))).isEqualTo(1110);
        assertThat(samples(shop.between(minute(2), minute(3)))).isEqualTo(100);
        assertThat(samples(shop.between(minute(1).plusSeconds(59), minute(2).plusNanos(1))))
                .isEqualTo(1110);
        assertThat(samples(shop.between(minute(3), minute(9)))).isZero();
        assertThat(samples(shop.between(minute(-40), minute(-39)))).isEqualTo(1000);
        assertThat(samples(shop.between(minute(2), minute(1)))).isZero();
    }

    @Test
    void ofAProfileThatTellsItsSecondsOnlyTheWantedOnesAreTaken() {
        Profile profile =
                Samples.bySecond(
                        1,
                        List.of(
                                new Samples.Sample("a", 0),
                                new Samples.Sample("a", 29),
                                new Samples.Sample("b", 30),
                                new Samples.Sample("b", 30),
                                new Samples.Sample("a", 59)));
        assertThat(store.add(upload("1", SHOP, 1, profile))).isTrue();
        add("2", SHOP, 1, 1000);
        Selection shop = Selection.of("shop");
        Instant middle = minute(1).plusSeconds(30);

        Profile first = Samples.collect(store, shop.between(minute(1), middle));
        Profile second = Samples.collect(store, shop.between(middle, minute(2)));

        assertThat(used(first, "samples")).isEqualTo(Map.of("a", 2L, "c", 1000L));
        assertThat(used(first, "cpu")).isEqualTo(Map.of("a", 20_000_000L));
        assertThat(used(first, "waits")).as("evenly").isEqualTo(Map.of("a", 9L, "b", 6L));
        assertThat(used(second, "samples")).isEqualTo(Map.of("a", 1L, "b", 2L, "c", 1000L));
        assertThat(used(second, "cpu")).isEqualTo(Map.of("a", 10_000_000L, "b", 20_000_000L));
        assertThat(second.provenance().count(Provenance.LOST)).as("evenly").isEqualTo(30);
        assertThat(second.provenance().fromNanos()).isEqualTo(Keys.nanos(middle));
        assertThat(second.provenance().untilNanos()).isEqualTo(Samples.nanos(2));
        Profile b = Samples.collect(store, shop.between(middle, middle.plusSeconds(1)));
        assertThat(used(b, "samples")).isEqualTo(Map.of("b", 2L, "c", 1000L));
        Profile silent =
                Samples.collect(
                        store, shop.between(minute(1).plusSeconds(5), minute(1).plusSeconds(6)));
        assertThat(used(silent, "samples")).isEqualTo(Map.of("c", 1000L));
    }

    /** Columns need not have the same threads; here each has every other one of the first's. */
    @Test
    void whatWasMeasuredWithObservationsIsFoundByContextAndThread() {
        ProfileBuilder builder = new ProfileBuilder();
        long begin = minute(1).getEpochSecond();
        for (String method : List.of("a", "b")) {
            int node =
                    builder.child(
                            Profile.ROOT,
                            builder.consumer(Consumer.method("", method, "")),
                            Site.NONE);
            for (int i = 0; i < 100; i++) {
                int thread = builder.consumer(Consumer.thread("", "t" + i));
                if (i % 3 > 0) {
                    builder.column(Resource.SAMPLES).add(node, thread, 1, begin + i % 3);
                }
                if (i % 2 > 0) {
                    builder.column(Resource.CPU).add(node, thread, 1000);
                }
            }
        }
        assertThat(store.add(upload("1", SHOP, 1, builder.build(Provenance.NONE)))).isTrue();

        Instant second = minute(1).plusSeconds(1);
        Selection shop = Selection.of("shop").between(second, second.plusSeconds(1));
        Profile part = Samples.collect(store, shop);

        assertThat(used(part, "samples")).isEqualTo(Map.of("a", 33L, "b", 33L));
        // Threads 1, 7, 13 … 97 with all they used, and of 3, 9 … 99 a sixtieth.
        Map<String, Long> cpu = used(part, "cpu");
        assertThat(cpu.keySet()).containsExactlyInAnyOrder("a", "b");
        assertThat(cpu.values()).allSatisfy(it -> assertThat(it).isBetween(17_000L, 17_300L));
    }

    /** What each method used by itself. */
    private static Map<String, Long> used(Profile profile, String resource) {
        Map<String, Long> used = new TreeMap<>();
        profile.column(resource)
                .ifPresent(
                        column -> {
                            for (int row = 0; row < column.rows(); row++) {
                                used.merge(
                                        profile.consumerOf(column.node(row)).name(),
                                        column.value(row),
                                        Long::sum);
                            }
                        });
        return used;
    }

    @Test
    void ofManyThatAreKnownToNobodyEachPartOfTheTimeHasItsShare() {
        List<Samples.Sample> samples = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            samples.add(new Samples.Sample("m" + i, 7));
        }
        assertThat(store.add(upload("1", SHOP, 1, Samples.bySecond(1, samples)))).isTrue();
        Selection shop = Selection.of("shop");
        for (int tenth = 0; tenth < 10; tenth++) {
            Instant from = minute(1).plusSeconds(6L * tenth);
            Profile part = Samples.collect(store, shop.between(from, from.plusSeconds(6)));
            assertThat(part.column("waits").orElseThrow().total()).isBetween(55L, 65L);
        }
    }

    @Test
    void whatWasMeasuredGoesByItsObservationsAlsoWhereThereIsNothingOfSome() {
        ProfileBuilder builder = new ProfileBuilder();
        Resource bytes = Resource.bytes("allocated", "allocations");
        for (int i = 0; i < 3; i++) {
            int node = builder.child(0, builder.consumer(Consumer.method("m" + i)), 0);
            long second = minute(1).getEpochSecond() + 20L * i;
            builder.column(Resource.count("allocations")).add(node, -1, 1, second);
            builder.column(bytes).add(node, -1, i);
        }
        Profile profile = builder.build(Provenance.NONE);
        assertThat(store.add(upload("1", SHOP, 1, profile))).isTrue();

        Selection end = Selection.of("shop").between(minute(1).plusSeconds(40), minute(2));
        assertThat(used(Samples.collect(store, end), "allocated")).isEqualTo(Map.of("m2", 2L));
    }

    @Test
    void secondsOutsideTheTimeOfAProfileCountAsItsFirstOrLast() {
        Profile profile =
                Samples.bySecond(
                        1, List.of(new Samples.Sample("a", -100), new Samples.Sample("b", 100)));
        assertThat(store.add(upload("1", SHOP, 1, profile))).isTrue();
        Selection shop = Selection.of("shop");

        Instant middle = minute(1).plusSeconds(30);
        Profile first = Samples.collect(store, shop.between(minute(1), middle));
        Profile second = Samples.collect(store, shop.between(middle, minute(2)));

        assertThat(used(first, "samples")).isEqualTo(Map.of("a", 1L));
        assertThat(used(second, "samples")).isEqualTo(Map.of("b", 1L));
    }

    @Test
    void timesMayBeAnything() {
        Profile profile = Samples.of("a.B.c", 1);
        Instant farBack = Instant.parse("-1000-01-01T00:00:00Z");
        Instant farOff = Instant.parse("9999-01-01T00:00:00Z");
        assertThat(store.add(new Upload("1", SHOP, farBack, farOff, profile))).isTrue();
        assertThat(store.add(new Upload("2", SHOP, farOff, farOff, profile))).isTrue();
        assertThat(store.add(new Upload("3", SHOP, minute(5), minute(4), profile))).isTrue();
        Selection always = Selection.of("shop").between(Instant.MIN, Instant.MAX);
        assertThat(samples(always)).isEqualTo(3);
        assertThat(store.timeline(always, "samples", 3)).hasSize(3);

        store.maintain(minute(60 * 24));

        assertThat(samples(always)).isEqualTo(2);
    }

    @Test
    void theTimelineShowsWhatWasUsedWhen() {
        add("1", SHOP, 0, 10);
        add("2", SHOP, 2, 100);
        add("3", SHOP, 3, 7);

        Selection hour = Selection.of("shop").between(minute(0), minute(4));
        assertThat(store.timeline(hour, "samples", 4))
                .containsExactly(
                        new Store.Bucket(minute(0), minute(1), 10),
                        new Store.Bucket(minute(1), minute(2), 0),
                        new Store.Bucket(minute(2), minute(3), 100),
                        new Store.Bucket(minute(3), minute(4), 7));
        assertThat(store.timeline(hour, "samples", 1))
                .containsExactly(new Store.Bucket(minute(0), minute(4), 117));
        assertThat(store.timeline(hour, "samples", 8))
                .extracting(b -> b.value())
                .containsExactly(5L, 5L, 0L, 0L, 50L, 50L, 4L, 3L);
        assertThat(store.timeline(hour, "cpu", 1).getFirst().value()).isZero();
        Selection half = hour.between(minute(2).plusSeconds(30), minute(3));
        assertThat(store.timeline(half, "samples", 1).getFirst().value()).isEqualTo(50);
    }

    @Test
    void withinAProfileTheTimelineGoesByTheMomentsOfItsSamples() {
        Profile bursts = Samples.sampled(1, Map.of(0, 30, 10, 10, 59, 60));
        assertThat(store.add(upload("1", SHOP, 1, bursts))).isTrue();

        Selection minute = Selection.of("shop").between(minute(1), minute(2));
        List<Store.Bucket> seconds = store.timeline(minute, "samples", 60);
        assertThat(seconds.get(0).value()).isEqualTo(30);
        assertThat(seconds.get(10).value()).isEqualTo(10);
        assertThat(seconds.get(59).value()).isEqualTo(60);
        assertThat(seconds.stream().mapToLong(Store.Bucket::value).sum()).isEqualTo(100);
        Selection half = minute.between(minute(1).plusSeconds(30), minute(2));
        assertThat(store.timeline(half, "samples", 1).getFirst().value()).isEqualTo(60);
    }

    @Test
    void momentsOutsideTheTimeOfAProfileTellNothing() {
        Profile wrong = Samples.sampled(1, Map.of(-100, 2, 5, 10, 100, 4));
        assertThat(store.add(upload("1", SHOP, 1, wrong))).isTrue();

        Selection around = Selection.of("shop").between(minute(0), minute(3));
        assertThat(store.timeline(around, "samples", 18))
                .extracting(b -> b.value())
                .containsExactly(
                        0L, 0L, 0L, 0L, 0L, 0L, 11L, 1L, 1L, 1L, 1L, 1L, 0L, 0L, 0L, 0L, 0L, 0L);
    }

    @Test
    void aResourceGoesByItsOwnMomentsIfItHasAny() {
        Profile profile = Samples.sampled(1, Map.of(0, 10));
        Moments.Builder blocked = new Moments.Builder();
        blocked.add(minute(1).getEpochSecond() + 30, 5);
        ProfileBuilder builder = new ProfileBuilder();
        builder.column(Resource.SAMPLES).add(Profile.ROOT, -1, 10);
        builder.column(Resource.seconds("blocked", "samples")).add(Profile.ROOT, -1, 5);
        Profile both = builder.build(profile.provenance().plusMoments("blocked", blocked.build()));
        assertThat(store.add(upload("1", SHOP, 1, both))).isTrue();

        Selection minute = Selection.of("shop").between(minute(1), minute(2));
        assertThat(store.timeline(minute, "samples", 2))
                .extracting(b -> b.value())
                .containsExactly(10L, 0L);
        assertThat(store.timeline(minute, "blocked", 2))
                .extracting(b -> b.value())
                .containsExactly(0L, 5L);
    }

    @Test
    void theTimelineDoesNotAddWhatMeansSomethingElse() {
        Resource seconds = Resource.seconds("load", "samples");
        Resource bytes = Resource.bytes("load", "samples");
        assertThat(store.add(upload("1", SHOP, 0, Samples.used(seconds, 10)))).isTrue();
        assertThat(store.add(upload("2", SHOP, 1, Samples.used(bytes, 100)))).isTrue();
        assertThat(store.add(upload("3", SHOP, 2, Samples.used(seconds, 20)))).isTrue();

        Selection all = Selection.of("shop").between(minute(0), minute(3));
        assertThat(store.timeline(all, "load", 3))
                .extracting(b -> b.value())
                .containsExactly(10L, 0L, 20L);
    }
}
