package dev.heatline.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heatline.model.ContentionBuilder.Lock;
import dev.heatline.model.ContentionBuilder.Owner;
import dev.heatline.model.ContentionBuilder.Span;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** The product search of 001 §4.3.3: many look up by number, one search by name holds the lock. */
class ContentionsTest {
    private static final Lock LOCK =
            new Lock(
                    "lock",
                    "java.util.concurrent.locks.ReentrantLock$NonfairSync",
                    "NonfairSync@3ae26333");
    private static final CallChain BY_NUMBER =
            chain(
                    "java.util.concurrent.locks.LockSupport.park",
                    "java.util.concurrent.locks.ReentrantLock.lock",
                    "shop.Products.queryByArticleNo",
                    "shop.Main.run");
    private static final CallChain BY_NAME =
            chain(
                    "java.util.concurrent.locks.LockSupport.unpark",
                    "shop.Products.queryByName",
                    "shop.Main.run");
    private static final Consumer T1 = Consumer.thread("", "T1");
    private static final Consumer T2 = Consumer.thread("", "T2");

    private static CallChain chain(String... methods) {
        return CallChain.of(List.of(methods).stream().map(Consumer::method).toList());
    }

    private static Profile example() {
        ProfileBuilder builder = new ProfileBuilder();
        ContentionBuilder contentions = new ContentionBuilder(builder);
        Owner guilty = new Owner(T2, BY_NAME);
        contentions.add(
                ContentionBuilder.BLOCKED,
                LOCK,
                1_500_000,
                T1,
                BY_NUMBER,
                guilty,
                true,
                new Span(0, 1_400_000));
        contentions.add(
                ContentionBuilder.BLOCKED,
                LOCK,
                1_500_000,
                T1,
                BY_NUMBER,
                Owner.UNKNOWN,
                false,
                new Span(0, 100_000));
        contentions.addHold(LOCK, guilty, 1_400_000);
        return builder.build(Provenance.NONE);
    }

    private static List<String> paths(String aspects, String resource) {
        Profile arranged = Contentions.by(example(), ContentionAspect.parse(aspects));
        Column column = arranged.requireColumn(resource);
        List<String> paths = new ArrayList<>();
        for (int row = 0; row < column.rows(); row++) {
            paths.add(
                    String.join(
                                    " / ",
                                    arranged.path(column.node(row)).stream()
                                            .map(Consumer::display)
                                            .toList())
                            + " = "
                            + column.value(row));
        }
        return paths;
    }

    @Test
    void theGuiltyChainStandsBelowItsVictim() {
        assertThat(paths("lock-class,blocked-method,owner-chain", "blocked"))
                .containsExactlyInAnyOrder(
                        LOCK.className()
                                + " / shop.Products.queryByArticleNo"
                                + " / shop.Products.queryByName ← shop.Main.run = 1400000",
                        LOCK.className()
                                + " / shop.Products.queryByArticleNo"
                                + " / [unknown owner] = 100000");
    }

    @Test
    void durationsOfWaitsAndHoldsMakeHistograms() {
        assertThat(paths("lock,duration", "contentions"))
                .containsExactly("NonfairSync@3ae26333 / 1-2 ms = 1");
        assertThat(paths("lock,owner-method,duration", "holds"))
                .containsExactly("NonfairSync@3ae26333 / shop.Products.queryByName / 1-2 ms = 1");
    }

    @Test
    void durationsAreCountedInOnesTwosAndFives() {
        assertThat(
                        List.of(
                                        0L,
                                        999L,
                                        1_000L,
                                        4_999L,
                                        5_000L,
                                        99_999L,
                                        100_000L,
                                        999_999L,
                                        1_000_000L,
                                        2_000_000_000L)
                                .stream()
                                .map(ContentionBuilder::duration))
                .containsExactly(
                        "< 1 us",
                        "< 1 us",
                        "1-2 us",
                        "2-5 us",
                        "5-10 us",
                        "50-100 us",
                        "100-200 us",
                        "500-1000 us",
                        "1-2 ms",
                        "2-5 s");
    }

    @Property
    void noOrderOfAspectsLosesAnything(@ForAll long seed) {
        List<ContentionAspect> aspects = new ArrayList<>(List.of(ContentionAspect.values()));
        Collections.shuffle(aspects, new Random(seed));
        int some = 1 + new Random(seed).nextInt(aspects.size());
        Profile whole = example();

        Profile arranged = Contentions.by(whole, aspects.subList(0, some));

        for (Column column : whole.columns()) {
            assertThat(arranged.requireColumn(column.resource().name()).total())
                    .isEqualTo(column.total());
        }
    }

    @Test
    void mergingAndArrangingCommute() {
        List<ContentionAspect> aspects = ContentionAspect.USUAL;
        Profile two = Operations.merge(List.of(example(), example()));

        assertThat(Contentions.by(two, aspects))
                .isEqualTo(
                        Operations.merge(
                                List.of(
                                        Contentions.by(example(), aspects),
                                        Contentions.by(example(), aspects))));
    }

    @Test
    void mergedContentionsAreOfWhatBothAreOf() {
        Profile classes = Operations.regroup(example(), Operations.Grouping.CLASS);

        assertThat(Contentions.merge(List.of(classes, classes)).consumerLabel())
                .isEqualTo(classes.consumerLabel());
        assertThat(Contentions.merge(List.of(classes, example())).consumerLabel())
                .isEqualTo(Operations.MIXED_CONSUMERS);
    }

    @Test
    void whatHasNoContentionsSaysWhoMakesThem() {
        Profile empty = new ProfileBuilder().build(Provenance.NONE);

        assertThat(Contentions.areIn(empty)).isFalse();
        assertThatThrownBy(() -> Contentions.by(empty, ContentionAspect.USUAL))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("heatline locks");
    }

    @Test
    void anUnknownAspectListsThoseThereAre() {
        assertThatThrownBy(() -> ContentionAspect.parse("lock,owner"))
                .hasMessageContaining("no aspect owner")
                .hasMessageContaining("owner-chain");
        assertThatThrownBy(() -> ContentionAspect.parse("lock,lock")).hasMessageContaining("twice");
    }
}
