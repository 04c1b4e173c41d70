package dev.heatline.store;

import static dev.heatline.store.Samples.SHOP;
import static dev.heatline.store.Samples.START;
import static dev.heatline.store.Samples.minute;
import static dev.heatline.store.Samples.upload;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Execution;
import dev.heatline.model.Moments;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.TaskDefinition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What every store has to do as time goes on: roll up and forget. */
abstract class AgeingContract extends OpenStore {
    private static final Resource SECONDS = Resource.seconds("load", "samples");
    private static final Resource BYTES = Resource.bytes("load", "samples");

    @Test
    void repeatsAreKnownAlsoAfterTheirProfileWasRolledUp() {
        add("1", SHOP, 0, 3);
        store.maintain(minute(60 * 24 * 3));

        assertThat(store.add(upload("1", SHOP, 0, Samples.of("a.B.c", 3)))).isFalse();
        assertThat(samples(Selection.of("shop"))).isEqualTo(3);
    }

    @Test
    void collectGoesOnAfterARollUp() {
        add("1", SHOP, 1, 1);
        ProfileBuilder builder = new ProfileBuilder();
        long upTo = store.collect(Selection.of("shop"), 0, builder).upTo();
        add("2", SHOP, 61, 10);
        add("3", SHOP, 62, 100);

        store.maintain(minute(60 * 5));

        assertThat(store.usage().profiles()).containsEntry("hour", 2L).containsEntry("minute", 0L);
        assertThat(store.collect(Selection.of("shop"), upTo, builder).profiles()).isEqualTo(1);
        assertThat(samples(builder.build(Provenance.NONE))).isEqualTo(111);
    }

    @Test
    void collectSaysSoWhenNewAndOldWereRolledUpTogether() {
        add("1", SHOP, 1, 1);
        long upTo = store.collect(Selection.of("shop"), 0, new ProfileBuilder()).upTo();
        add("2", SHOP, 2, 10);
        store.maintain(minute(60 * 5));

        ProfileBuilder builder = new ProfileBuilder();
        Store.Collected collected = store.collect(Selection.of("shop"), upTo, builder);

        assertThat(collected.mustStartAgain()).isTrue();
        assertThat(collected.profiles()).isZero();
        assertThat(builder.nodeCount()).isEqualTo(1);
        assertThat(samples(Selection.of("shop"))).isEqualTo(11);
    }

    @Test
    void lateUploadsAreFoundAndRolledUpLater() {
        add("1", SHOP, 1, 1);
        store.maintain(minute(60 * 24 * 3));
        add("2", SHOP, 2, 10);
        assertThat(samples(Selection.of("shop"))).isEqualTo(11);

        store.maintain(minute(60 * 24 * 3));

        assertThat(samples(Selection.of("shop"))).isEqualTo(11);
        assertThat(store.usage().profiles()).isEqualTo(Map.of("minute", 0L, "hour", 0L, "day", 1L));
    }

    @Test
    void rollUpsCoverTheWholeHour() {
        add("1", SHOP, 61, 1);
        Selection rest = Selection.of("shop").between(minute(90), minute(91));
        assertThat(samples(rest)).isZero();

        store.maintain(minute(60 * 5));

        assertThat(samples(rest)).isEqualTo(1);
        assertThat(samples(Selection.of("shop").between(minute(0), minute(60)))).isZero();
    }

    @Test
    void whatIsRecentIsNotRolledUp() {
        add("1", SHOP, 1, 1);
        add("2", SHOP, 2, 1);

        store.maintain(minute(60 + 119));

        assertThat(store.usage().profiles()).containsEntry("minute", 2L);
    }

    @Test
    void executionsStayTheSameWhenRolledUp() {
        add("1", SHOP, 7, 1);
        add("2", SHOP, 9, 2);
        List<Store.Seen> before = store.executions();

        store.maintain(minute(60 * 24 * 3));

        assertThat(store.executions()).isEqualTo(before);
    }

    @Test
    void whatIsTooOldIsDeleted() {
        add("1", SHOP, 0, 1);
        add("2", SHOP, 60 * 24 * 5, 10);
        add("3", new Execution("other", "", ""), 0, 100);
        store.saveTask("other", TaskDefinition.prefix("t", "p"));

        store.maintain(START.plus(Duration.ofDays(22)));

        assertThat(samples(Selection.of("shop"))).isEqualTo(10);
        assertThat(store.executions()).hasSize(1);
        assertThat(store.executions().getFirst().profiles()).isEqualTo(1);
        assertThat(store.executions().getFirst().samples()).isEqualTo(10);
        assertThat(store.executions().getFirst().first()).isEqualTo(minute(60 * 24 * 5));
        assertThat(samples(Selection.of("other"))).isZero();
        assertThat(store.tasks("other")).hasSize(1);

        store.maintain(START.plus(Duration.ofDays(220)));

        assertThat(store.executions()).isEmpty();
        assertThat(store.usage().nodes()).isZero();
        add("4", SHOP, 60 * 24 * 220, 1000);
        assertThat(samples(Selection.of("shop"))).isEqualTo(1000);
    }

    @Test
    void whatCannotBePutTogetherIsRolledUpApart() {
        for (int i = 0; i < 3; i++) {
            assertThat(store.add(upload("s" + i, SHOP, i, Samples.used(SECONDS, 1)))).isTrue();
            assertThat(store.add(upload("b" + i, SHOP, i, Samples.used(BYTES, 10)))).isTrue();
        }
        add("3", SHOP, 61, 1);

        store.maintain(minute(60 * 24));

        assertThat(store.usage().profiles()).containsEntry("minute", 0L).containsEntry("hour", 3L);
        Profile all = collect(Selection.of("shop"));
        assertThat(all.requireColumn("load").total()).isEqualTo(3);
        assertThat(all.provenance().count(Store.LEFT_OUT)).isEqualTo(3);
    }

    @Test
    void whatWouldBeTooLargeIsRolledUpInPieces() {
        store.close();
        store = open(directory, OPTIONS.withNodesPerRollUp(5));
        for (int i = 0; i < 20; i++) {
            Profile profile = Samples.of("a.B.c" + i, 1);
            assertThat(store.add(upload("u" + i, SHOP, i, profile))).isTrue();
        }
        Profile before = collect(Selection.of("shop"));

        store.maintain(minute(60 * 5));

        assertThat(store.usage().profiles()).isEqualTo(Map.of("minute", 0L, "hour", 5L, "day", 0L));
        assertThat(collect(Selection.of("shop"))).isEqualTo(before);
        add("late", SHOP, 30, 1);

        store.maintain(minute(60 * 24 * 3));

        assertThat(store.usage().profiles()).isEqualTo(Map.of("minute", 0L, "hour", 0L, "day", 5L));
        assertThat(samples(Selection.of("shop"))).isEqualTo(21);
    }

    @Test
    void theTimelineSpreadsRollUpsOverTheirHour() {
        add("1", SHOP, 0, 600);
        store.maintain(minute(60 * 5));

        Selection hour = Selection.of("shop").between(minute(0), minute(60));

        assertThat(store.timeline(hour, "samples", 6))
                .extracting(b -> b.value())
                .containsOnly(100L);
    }

    @Test
    void aRollUpKnowsWhenItsSamplesWereTaken() {
        assertThat(store.add(upload("1", SHOP, 3, Samples.sampled(3, Map.of(25, 6))))).isTrue();
        assertThat(store.add(upload("2", SHOP, 40, Samples.sampled(40, Map.of(7, 1, 59, 2)))))
                .isTrue();
        store.maintain(minute(60 * 5));

        Selection hour = Selection.of("shop").between(minute(0), minute(60));
        List<Store.Bucket> tens = store.timeline(hour, "samples", 360);

        assertThat(tens.get(3 * 6 + 2).value()).isEqualTo(6);
        assertThat(tens.get(40 * 6).value()).isEqualTo(1);
        assertThat(tens.get(40 * 6 + 5).value()).isEqualTo(2);
        assertThat(tens.stream().mapToLong(Store.Bucket::value).sum()).isEqualTo(9);
    }

    @Test
    void whatHasNoMomentsIsNotWhereOthersHaveThem() {
        assertThat(store.add(upload("1", SHOP, 3, Samples.sampled(3, Map.of(25, 6))))).isTrue();
        add("2", SHOP, 40, 60);
        store.maintain(minute(60 * 5));

        Selection hour = Selection.of("shop").between(minute(0), minute(60));
        List<Long> minutes =
                store.timeline(hour, "samples", 60).stream().map(Store.Bucket::value).toList();

        assertThat(minutes.get(3)).isEqualTo(7);
        assertThat(minutes).filteredOn(samples -> samples == 1).hasSize(59);
    }

    @Test
    void momentsThatAreTooMuchDoNoHarm() {
        Moments most = Moments.of(1, minute(3).getEpochSecond(), new long[] {Long.MAX_VALUE});
        for (int i = 0; i < 3; i++) {
            Profile profile = Samples.of("a.B.c", 1);
            Provenance provenance = profile.provenance().plusMoments("samples", most);
            profile = profile.withProvenance(provenance);
            assertThat(store.add(upload("u" + i, SHOP, 3, profile))).isTrue();
        }
        store.maintain(minute(60 * 5));

        assertThat(samples(Selection.of("shop"))).isEqualTo(3);
        Selection hour = Selection.of("shop").between(minute(0), minute(60));
        assertThat(store.timeline(hour, "samples", 60).get(3).value()).isEqualTo(3);
        assertThat(store.delete(Selection.of("shop"))).isEqualTo(3);
    }
}
