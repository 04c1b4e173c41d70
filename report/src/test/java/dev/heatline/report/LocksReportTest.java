package dev.heatline.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.CallChain;
import dev.heatline.model.Consumer;
import dev.heatline.model.ContentionAspect;
import dev.heatline.model.ContentionBuilder;
import dev.heatline.model.ContentionBuilder.Lock;
import dev.heatline.model.ContentionBuilder.Owner;
import dev.heatline.model.Contentions;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The product search of 001 §4.3.3 as people read it. */
class LocksReportTest {
    private static final Lock LOCK = new Lock("monitor", "shop.Products", "Products@3ae26333");

    static CallChain chain(String... methods) {
        return CallChain.of(Stream.of(methods).map(Consumer::method).toList());
    }

    static Profile example() {
        ProfileBuilder builder = new ProfileBuilder();
        ContentionBuilder contentions = new ContentionBuilder(builder);
        Consumer waiter = Consumer.thread("", "worker-1");
        Owner guilty =
                new Owner(
                        Consumer.thread("", "worker-2"),
                        chain("shop.Products.byName", "shop.Search.find", "shop.Main.run"));
        CallChain byNumber = chain("shop.Products.byNumber", "shop.Main.run");
        long nanos = 9_000_000;
        contentions.add(
                ContentionBuilder.BLOCKED,
                LOCK,
                nanos,
                waiter,
                byNumber,
                guilty,
                true,
                new ContentionBuilder.Span(0, 8_000_000));
        contentions.add(
                ContentionBuilder.BLOCKED,
                LOCK,
                nanos,
                waiter,
                byNumber,
                Owner.NOBODY,
                false,
                new ContentionBuilder.Span(0, 1_000_000));
        return builder.build(Provenance.NONE);
    }

    @Test
    void theGuiltyStandBelowTheirVictims() {
        assertThat(Written.as(Form.TEXT, View.LOCKS.of(example(), ReportOptions.DEFAULTS)))
                .isEqualTo(
                        """
                        locks: who kept whom waiting, by lock-class, blocked-chain, owner-chain; blocked, total 9.000 ms
                        1 of 1 contentions, thread worker-1

                        contentions  waiters  blocked ms       %  lock-class, blocked-chain, owner-chain
                                  1        1       9.000  100.00  all
                                  1        1       9.000  100.00    shop.Products
                                  1        1       9.000  100.00      shop.Products.byNumber [+1]
                                  1        1       8.000   88.89        shop.Products.byName [+2]
                                  0        1       1.000   11.11        [handed over]
                        """);
    }

    @Test
    void chainsOfTheSameMethodAreToldApartByTheirCallers() {
        ProfileBuilder builder = new ProfileBuilder();
        ContentionBuilder contentions = new ContentionBuilder(builder);
        List<CallChain> chains =
                List.of(
                        chain("a.Lock.enter", "a.Long.hold", "a.Main.run"),
                        chain("a.Lock.enter", "a.Short.hold", "a.Main.run"),
                        chain("a.Lock.enter", "a.Short.hold", "a.Main.again", "a.Main.main"),
                        chain("a.Lock.enter", "a.Other.hold", "a.Main.main"),
                        chain("a.Lock.leave", "a.Main.run"));
        for (int i = 0; i < chains.size(); i++) {
            contentions.add(
                    ContentionBuilder.BLOCKED,
                    LOCK,
                    1_000_000,
                    Consumer.thread("", "worker"),
                    chain("a.Main.want"),
                    new Owner(Consumer.thread("", "holder"), chains.get(i)),
                    true,
                    new ContentionBuilder.Span(0, (10 - i) * 100_000L));
        }
        ReportOptions options =
                ReportOptions.builder().aspects(ContentionAspect.parse("owner-chain")).build();

        String text =
                Written.as(Form.TEXT, LocksReport.of(builder.build(Provenance.NONE), options));
        assertThat(text.lines().map(line -> line.replaceFirst("^.*[0-9]  +", "")).skip(5))
                .containsExactly(
                        "a.Lock.enter ← a.Long.hold [+1]",
                        "a.Lock.enter ← a.Short.hold ← a.Main.run",
                        "a.Lock.enter ← a.Short.hold ← a.Main.again [+1]",
                        "a.Lock.enter ← a.Other.hold [+1]",
                        "a.Lock.leave [+1]");
    }

    /**
     * Which needs to know how much the program ran while its locks were traced: 36 ms of CPU time
     * here. Nobody knows how long it was blocked in the 900 ms after that.
     */
    @Test
    void blockedTimeIsComparedWithRunningTime() {
        Profile traced =
                example()
                        .withProvenance(
                                Provenance.NONE
                                        .plusCount(Provenance.CORRECTED_MICROS, 36_000)
                                        .plusCount(Provenance.LOCKS_TRACED_MICROS, 36_000));
        Profile later =
                new ProfileBuilder()
                        .build(Provenance.NONE.plusCount(Provenance.CORRECTED_MICROS, 900_000));
        Profile ran = Contentions.merge(List.of(traced, later));
        assertThat(Written.as(Form.TEXT, View.LOCKS.of(ran, ReportOptions.DEFAULTS)))
                .contains(
                        "blocked ms       %  pressure %  lock-class",
                        "     9.000  100.00       25.00    shop.Products",
                        "     1.000   11.11        2.78        [handed over]");
        assertThat(ParsedJson.of(Written.as(Form.JSON, View.LOCKS.of(ran, ReportOptions.DEFAULTS))))
                .extractingByKey("rows")
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
                .element(0)
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
                .containsEntry("waiters", 1L)
                .containsEntry("pressure", new java.math.BigDecimal("0.25"));
    }

    @Test
    void jsonHasAnElementForEachAspect() {
        ReportOptions options =
                ReportOptions.builder().aspects(ContentionAspect.parse("kind,owner-chain")).build();

        assertThat(ParsedJson.of(Written.as(Form.JSON, View.LOCKS.of(example(), options))))
                .containsEntry("by", List.of("kind", "owner-chain"))
                .extractingByKey("rows")
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
                .element(1)
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
                .containsEntry(
                        "path",
                        List.of(
                                "monitor",
                                "shop.Products.byName ← shop.Search.find ← shop.Main.run"))
                .containsEntry("contentions", 1L);
    }

    @Test
    void thePageFoldsChainsAsTheTextDoes() {
        assertThat(Written.as(Form.HTML, View.LOCKS.of(example(), ReportOptions.DEFAULTS)))
                .contains("shop.Products.byName [+2]")
                .contains("data-level=3");
    }
}
