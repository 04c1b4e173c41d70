package dev.heatline.store;

import static dev.heatline.store.Samples.SHOP;
import static dev.heatline.store.Samples.START;
import static dev.heatline.store.Samples.minute;
import static dev.heatline.store.Samples.upload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heatline.model.Execution;
import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.TaskDefinition;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every store has to do, whatever keeps the data. */
abstract class StoreContract extends OpenStore {
    @Test
    void whatIsCollectedIsTheMergeOfWhatWasAdded() {
        Random random = new Random(1);
        List<Profile> profiles = Stream.generate(() -> Samples.random(random)).limit(50).toList();
        for (int i = 0; i < profiles.size(); i++) {
            assertThat(store.add(upload("u" + i, SHOP, i, profiles.get(i)))).isTrue();
        }

        assertThat(collect(Selection.of("shop")))
                .isEqualTo(Samples.withoutSeconds(Operations.merge(profiles)));
    }

    @Test
    void everythingIsThereAfterReopening() {
        add("1", SHOP, 0, 3);
        store.saveTask("shop", TaskDefinition.prefix("pay", "com.pay."));
        List<Store.Seen> before = store.executions();

        reopen();

        assertThat(samples(Selection.of("shop"))).isEqualTo(3);
        assertThat(store.executions()).isEqualTo(before);
        assertThat(store.tasks("shop")).containsExactly(TaskDefinition.prefix("pay", "com.pay."));
        assertThat(store.add(upload("1", SHOP, 0, Samples.of("a.B.c", 3)))).isFalse();
        add("2", SHOP, 1, 4);
        assertThat(samples(Selection.of("shop"))).isEqualTo(7);
    }

    @Test
    void repeatsChangeNothing() {
        add("1", SHOP, 0, 3);

        assertThat(store.add(upload("1", SHOP, 5, Samples.of("x.Y.z", 99)))).isFalse();
        Execution other = new Execution("other", "1", "a");
        assertThat(store.add(upload("1", other, 5, Samples.of("x.Y.z", 99)))).isFalse();

        assertThat(samples(Selection.of("shop"))).isEqualTo(3);
        assertThat(store.executions()).hasSize(1);
    }

    @Test
    void selectionsChooseByVersionInstanceAndLabels() {
        add("1", SHOP, 0, 1);
        add("2", new Execution("shop", "2", "a"), 0, 10);
        add("3", new Execution("shop", "2", "b"), 0, 100);
        Map<String, String> labels = Map.of("zone", "x", "tier", "web");
        add("4", new Execution("shop", "2", "c", new TreeMap<>(labels)), 0, 1000);
        add("5", new Execution("shopping", "1", "a"), 0, 10_000);

        Selection shop = Selection.of("shop");
        assertThat(samples(shop)).isEqualTo(1111);
        assertThat(samples(shop.withVersion("2"))).isEqualTo(1110);
        assertThat(samples(shop.withVersion("2").withInstances(Set.of("a", "b")))).isEqualTo(110);
        assertThat(samples(shop.withInstances(Set.of("a")))).isEqualTo(11);
        assertThat(samples(shop.withLabels(Map.of("zone", "x")))).isEqualTo(1000);
        assertThat(samples(shop.withLabels(Map.of("zone", "y")))).isZero();
        assertThat(samples(shop.withVersion(""))).isZero();
        assertThat(samples(Selection.of("nobody"))).isZero();
    }

    @Test
    void collectGoesOnWhereItEnded() {
        add("1", SHOP, 5, 1);
        add("2", SHOP, 3, 10);
        ProfileBuilder builder = new ProfileBuilder();
        long upTo = store.collect(Selection.of("shop"), 0, builder).upTo();
        Store.Collected none = store.collect(Selection.of("shop"), upTo, builder);
        assertThat(none.profiles()).isZero();
        assertThat(none.upTo()).isEqualTo(upTo);

        add("3", SHOP, 1, 100);
        add("4", new Execution("shop", "2", "b"), 1, 1000);
        Store.Collected more = store.collect(Selection.of("shop").withVersion("1"), upTo, builder);

        assertThat(more.profiles()).isEqualTo(1);
        assertThat(more.upTo()).isGreaterThan(upTo);
        assertThat(samples(builder.build(Provenance.NONE))).isEqualTo(111);
    }

    @Test
    void executionsTellWhatThereIs() {
        add("1", new Execution("b", "1", "x"), 7, 1);
        add("2", new Execution("a", "2", "x"), 5, 2);
        add("3", new Execution("a", "1", "y"), 3, 3);
        add("4", new Execution("a", "1", "y"), 9, 4);
        add("5", new Execution("a", "1", "x"), 1, 5);

        assertThat(store.executions())
                .containsExactly(
                        new Store.Seen(new Execution("a", "1", "x"), minute(1), minute(2), 1, 5),
                        new Store.Seen(new Execution("a", "1", "y"), minute(3), minute(10), 2, 7),
                        new Store.Seen(new Execution("a", "2", "x"), minute(5), minute(6), 1, 2),
                        new Store.Seen(new Execution("b", "1", "x"), minute(7), minute(8), 1, 1));
    }

    @Test
    void whatIsSelectedCanBeDeleted() {
        for (int i = 0; i < 5; i++) {
            add("u" + i, SHOP, i, 1);
            add("v" + i, new Execution("shop", "2", "b"), i, 10);
        }
        add("w", new Execution("other", "1", "a"), 0, 100);
        Selection shop = Selection.of("shop");

        assertThat(store.delete(shop.withVersion("1").between(minute(1), minute(3)))).isEqualTo(2);
        assertThat(samples(shop)).isEqualTo(53);
        assertThat(store.timeline(shop.between(minute(0), minute(5)), "samples", 5))
                .extracting(b -> b.value())
                .containsExactly(11L, 10L, 10L, 11L, 11L);

        assertThat(store.delete(shop.between(minute(3), minute(9)))).isEqualTo(4);
        assertThat(store.executions()).contains(new Store.Seen(SHOP, minute(0), minute(1), 1, 1));
        assertThat(store.delete(shop.between(minute(3), minute(9)))).isZero();
        assertThat(store.add(upload("u4", SHOP, 4, Samples.of("a.B.c", 1)))).isFalse();

        assertThat(store.delete(shop)).isEqualTo(4);
        assertThat(store.delete(Selection.of("nobody"))).isZero();
        assertThat(store.executions()).hasSize(1);
        store.maintain(minute(9));
        add("again", SHOP, 5, 7);
        assertThat(samples(shop)).isEqualTo(7);
        assertThat(samples(Selection.of("other"))).isEqualTo(100);
    }

    @Test
    void rolledUpHoursAreDeletedWhole() {
        add("1", SHOP, 1, 1);
        add("2", SHOP, 61, 10);
        store.maintain(minute(60 * 5));

        assertThat(store.delete(Selection.of("shop").between(minute(30), minute(31)))).isEqualTo(1);

        assertThat(samples(Selection.of("shop"))).isEqualTo(10);
        assertThat(store.executions().getFirst().first()).isEqualTo(minute(60));
    }

    @Test
    void tasksAreSavedReplacedAndDeleted() {
        TaskDefinition pay = TaskDefinition.prefix("pay", "com.pay.");
        TaskDefinition any = TaskDefinition.regex("any ${what}", "(?<what>do\\w+)");
        store.saveTask("shop", pay);
        store.saveTask("shop", any);
        store.saveTask("other", TaskDefinition.prefix("pay", "org."));
        assertThat(store.tasks("shop")).containsExactly(any, pay);

        store.saveTask("shop", TaskDefinition.prefix("pay", "net."));
        assertThat(store.tasks("shop")).containsExactly(any, TaskDefinition.prefix("pay", "net."));

        assertThat(store.deleteTask("shop", "pay")).isTrue();
        assertThat(store.deleteTask("shop", "pay")).isFalse();
        assertThat(store.tasks("shop")).containsExactly(any);
        assertThat(store.tasks("other")).hasSize(1);
        assertThat(store.tasks("nobody")).isEmpty();
    }

    static List<String> hostileNames() {
        return List.of(
                "",
                " ",
                "../../etc/passwd",
                "a/b\\c",
                "<script>alert(1)</script>",
                "nul\0inside",
                "\uD800lone surrogate",
                "?lone surrogate",
                "Ümläut 日本 🔥",
                "x".repeat(10_000),
                "\n\r\t%00%s");
    }

    @ParameterizedTest
    @MethodSource("hostileNames")
    void namesMayBeAnything(String name) {
        Map<String, String> labels = Map.of(name, name);
        Execution execution = new Execution(name, name, name, new TreeMap<>(labels));
        hostileNames().forEach(other -> add("id of " + other, new Execution(other, "", ""), 0, 1));
        assertThat(store.add(upload(name, execution, 0, Samples.of("p.C.m", 7)))).isTrue();
        assertThat(store.add(upload(name, execution, 0, Samples.of("p.C.m", 7)))).isFalse();
        store.saveTask(name, TaskDefinition.prefix(name, name));

        reopen();

        assertThat(store.executions())
                .extracting(Store.Seen::execution)
                .contains(execution)
                .hasSize(hostileNames().size() + 1);
        Selection selection = Selection.of(name).withVersion(name).withLabels(labels);
        assertThat(samples(selection.withInstances(Set.of(name)))).isEqualTo(7);
        assertThat(store.tasks(name)).containsExactly(TaskDefinition.prefix(name, name));
    }

    @Test
    void aProfileMayBeEmpty() {
        Profile empty = new ProfileBuilder().build(Provenance.NONE.plusCount("lost", 2));
        assertThat(store.add(upload("1", SHOP, 0, empty))).isTrue();

        assertThat(collect(Selection.of("shop"))).isEqualTo(empty);
        store.maintain(minute(60 * 24 * 3));
        assertThat(collect(Selection.of("shop"))).isEqualTo(empty);
    }

    @Test
    void whatDoesNotFitIsLeftOutAndCounted() {
        Resource load = Resource.seconds("load", "samples");
        List<Profile> fit =
                List.of(
                        Samples.used(load, Long.MAX_VALUE - 10),
                        Samples.used(load, 7),
                        Samples.used(Resource.count("other"), 1));
        List<Profile> unfit =
                List.of(
                        Samples.used(Resource.bytes("load", "samples"), 1),
                        Samples.used(load, 4),
                        Samples.used(load.withPerUnit(10 * load.perUnit()), 1));
        for (int i = 0; i < 3; i++) {
            assertThat(store.add(upload("fit" + i, SHOP, i, fit.get(i)))).isTrue();
            assertThat(store.add(upload("unfit" + i, SHOP, 10 + i, unfit.get(i)))).isTrue();
        }

        ProfileBuilder builder = new ProfileBuilder();
        Store.Collected collected = store.collect(Selection.of("shop"), 0, builder);

        assertThat(collected.profiles()).isEqualTo(3);
        assertThat(collected.provenance().count(Store.LEFT_OUT)).isEqualTo(3);
        Profile merged = builder.build(Provenance.NONE);
        assertThat(merged).isEqualTo(Samples.withoutSeconds(Operations.merge(fit)));
        assertThat(store.collect(Selection.of("shop"), collected.upTo(), new ProfileBuilder()))
                .isEqualTo(
                        new Store.Collected(collected.upTo(), 0, Provenance.NONE, new TreeMap<>()));
    }

    @Test
    void whatConsumersAreCalledIsKept() {
        Profile locks = new ProfileBuilder().consumerLabel("lock").build(Provenance.NONE);
        assertThat(store.add(upload("1", SHOP, 0, locks))).isTrue();
        ProfileBuilder builder = new ProfileBuilder();
        Store.Collected collected = store.collect(Selection.of("shop"), 0, builder);
        assertThat(builder.build(collected.provenance()).consumerLabel()).isEqualTo("lock");
    }

    @Test
    void aClosedStoreSaysSo() {
        store.close();

        assertThatThrownBy(() -> add("1", SHOP, 0, 1))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> store.executions()).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store.maintain(START)).isInstanceOf(StoreException.class);
    }
}
