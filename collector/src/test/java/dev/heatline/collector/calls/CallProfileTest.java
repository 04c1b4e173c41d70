package dev.heatline.collector.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import dev.heatline.model.Survival;
import dev.heatline.wire.CallSnapshot;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Times net of what measuring took, worked out by hand. Everything is in nanoseconds. */
class CallProfileTest {
    private static final CallSnapshot.Costs COSTS = new CallSnapshot.Costs(20, 30, 4, 0, 10, 0);

    private static CallSnapshot snapshot(CallSnapshot.Tree tree) {
        return new CallSnapshot(
                1,
                COSTS,
                Map.of(CallSnapshot.METHODS, 3L),
                List.of(),
                List.of(
                        new CallSnapshot.Method("shop.Cart", "total", "()I"),
                        new CallSnapshot.Method("shop.Cart", "price", "(I)I"),
                        new CallSnapshot.Method("shop.Cart", "tax", "(I)I")),
                List.of(tree));
    }

    /** t = 1000 - 20 - 10 * 30 for the root, 50 - 20 for each of the ten that it calls. */
    @Test
    void whatTheHooksTookIsSubtractedFromTheCallAndFromItsCaller() {
        CallSnapshot.Tree tree = new CallSnapshot.Tree(0, "main", 3);
        tree.set(1, 0, 0, 1, 1000, CallSnapshot.Tree.EVERY_CALL);
        tree.set(2, 1, 1, 10, 500, CallSnapshot.Tree.EVERY_CALL);

        assertThat(NetTimes.of(tree, COSTS)).containsExactly(0, 680, 300);

        Profile profile = CallProfile.of(snapshot(tree));
        assertThat(profile.column(Resource.CALLS.name()).orElseThrow().total()).isEqualTo(11);
        assertThat(profile.column("elapsed").orElseThrow().total()).isEqualTo(680 + 10 * 30);
        assertThat(profile.column("measured").orElseThrow().total()).isEqualTo(1500);
        assertThat(profile.provenance().count(CallSnapshot.METHODS)).isEqualTo(3);
    }

    /** t = 1000 - 20 - 4 * 30 - 6 * 10 for the root, of whose ten calls six were only counted. */
    @Test
    void whatWasOnlyCountedIsItsCallers() {
        CallSnapshot.Tree tree = new CallSnapshot.Tree(0, "main", 3);
        tree.set(1, 0, 0, 1, 1000, CallSnapshot.Tree.EVERY_CALL);
        tree.set(2, 1, 1, 10, 200, CallSnapshot.Tree.EVERY_CALL);
        tree.setUntimed(2, 6);

        assertThat(NetTimes.of(tree, COSTS)).containsExactly(0, 800, 120);
        assertThat(countedOnly(CallProfile.of(snapshot(tree)))).isEqualTo(6);
    }

    @Test
    void callsWhoseTimesAreEstimatedAreNotCountedOnly() {
        CallSnapshot.Tree tree = new CallSnapshot.Tree(0, "main", 2);
        tree.set(1, 0, 0, 100, 500, 5000);
        tree.setUntimed(1, 90);

        assertThat(countedOnly(CallProfile.of(snapshot(tree)))).isZero();
    }

    /** What is timed no more after a look took nothing then, so earlier calls count as nothing. */
    @Test
    void callsBeforeOthersThatAreCountedOnlyAreLikeThem() {
        CallSnapshot.Tree before = new CallSnapshot.Tree(7, "main", 2);
        before.set(1, 0, 0, 100, 100 * 120, CallSnapshot.Tree.EVERY_CALL);
        CallSnapshot.Tree now = new CallSnapshot.Tree(7, "main", 2);
        now.set(1, 0, 0, 500, 100 * 120, CallSnapshot.Tree.EVERY_CALL);
        now.setUntimed(1, 400);

        Profile settled = CallProfile.of(snapshot(now), Optional.of(snapshot(before)));
        assertThat(settled.column("elapsed")).isEmpty();
        assertThat(countedOnly(settled)).isEqualTo(500);
        assertThat(countedOnly(CallProfile.of(snapshot(now)))).isEqualTo(400);
    }

    /** A hundred calls of a root, each of which makes ten calls. */
    private static CallSnapshot hundreds(int hundreds, CallSnapshot.Alone... alone) {
        CallSnapshot.Tree tree = new CallSnapshot.Tree(7, "main", 3);
        tree.set(1, 0, 0, 100L * hundreds, 100_000L * hundreds, CallSnapshot.Tree.EVERY_CALL);
        tree.set(2, 1, 1, 1000L * hundreds, 50_000L * hundreds, CallSnapshot.Tree.EVERY_CALL);
        return with(snapshot(tree), alone);
    }

    private static CallSnapshot with(CallSnapshot plain, CallSnapshot.Alone... alone) {
        return new CallSnapshot(
                1,
                COSTS,
                plain.counts(),
                plain.remarks(),
                plain.methods(),
                plain.trees(),
                List.of(alone));
    }

    private static Profile compared(double meanNanos, double errorNanos) {
        CallSnapshot.Alone alone = new CallSnapshot.Alone(0, 400, meanNanos, 10, errorNanos, 0, 0);
        return CallProfile.of(hundreds(2, alone), Optional.of(hundreds(1)));
    }

    private static long elapsed(Profile profile) {
        return profile.column("elapsed").orElseThrow().total();
    }

    /** 1500 - k (20 + 10 * 30 + 10 * 20) = 720 for k = 1.5. */
    @Test
    void whatARootTakesAloneSaysWhatTheHooksTook() {
        Profile profile = compared(720, 7.2);
        assertThat(elapsed(profile)).isEqualTo(200 * 720);
        assertThat(profile.provenance().fact(Provenance.ROOTS_ALONE))
                .isEqualTo(
                        "shop.Cart.total runs for 0.72 µs alone (400 calls, ±1.0 %); so 1.50 times"
                                + " what a call costs is subtracted below it");
    }

    /** 1500 - (20 + 10 * 30 + 10 * 20). */
    @Test
    void whereItIsNotKnownWellCalibrationHolds() {
        assertThat(elapsed(compared(720, 72))).isEqualTo(200 * 980);
        assertThat(compared(720, 72).provenance().fact(Provenance.ROOTS_ALONE))
                .endsWith("not used: its times are too different from each other");
        assertThat(elapsed(compared(1600, 1))).isEqualTo(200 * 980);
        assertThat(compared(1600, 1).provenance().fact(Provenance.ROOTS_ALONE))
                .endsWith("not used: it does something else alone than while it was measured");

        CallSnapshot.Alone rare = new CallSnapshot.Alone(0, 10, 720, 1, 1, 0, 0);
        assertThat(
                        CallProfile.of(hundreds(2, rare), Optional.of(hundreds(1)))
                                .provenance()
                                .fact(Provenance.ROOTS_ALONE))
                .endsWith("not used: too few calls");
        assertThat(CallProfile.of(hundreds(2, rare)).provenance().fact(Provenance.ROOTS_ALONE))
                .endsWith("not used: measured code was not compiled yet");
    }

    /** 200 ns of each call, where it was 20 alone: 1300 - k (20 + 10 * 30 + 10 * 20) = 520. */
    @Test
    void whoRunsForLongerLosesTheCpuMoreOften() {
        assertThat(elapsed(idle(2))).isEqualTo(200 * (520 + 20));
        assertThat(idle(2).column("running").orElseThrow().total()).isEqualTo(200 * 520);
        // It may have waited for something.
        assertThat(elapsed(idle(200))).isEqualTo(200 * (520 + 200));
    }

    private static Profile idle(double errorNanos) {
        CallSnapshot.Alone alone = new CallSnapshot.Alone(0, 400, 520, 10, 5, 20, errorNanos);
        CallSnapshot now = hundreds(2, alone);
        CallSnapshot before = hundreds(1);
        now.trees().getFirst().setIdle(1, 40_000);
        before.trees().getFirst().setIdle(1, 20_000);
        return CallProfile.of(now, Optional.of(before));
    }

    private static long countedOnly(Profile profile) {
        return profile.column(Resource.COUNTED_ONLY.name()).map(Column::total).orElse(0L);
    }

    /**
     * Of 680 and 300 net; the second sampled: half of its timed calls' time, so half of its own.
     */
    @Test
    void whoWasIdleWasNotRunning() {
        CallSnapshot.Tree tree = new CallSnapshot.Tree(0, "main", 3);
        tree.set(1, 0, 0, 1, 1000, CallSnapshot.Tree.EVERY_CALL);
        tree.set(2, 1, 1, 10, 500, CallSnapshot.Tree.EVERY_CALL);
        tree.setIdle(1, 80);
        assertThat(running(tree)).isEqualTo(600 + 300);

        tree.setIdle(2, CallSnapshot.Tree.UNKNOWN);
        assertThat(running(tree)).isEqualTo(600);

        CallSnapshot.Tree sampled = new CallSnapshot.Tree(0, "main", 2);
        sampled.set(1, 0, 0, 10, 400, 3000 + 10 * 20);
        sampled.setIdle(1, 200);
        assertThat(running(sampled)).isEqualTo(1500);
    }

    private static long running(CallSnapshot.Tree tree) {
        return CallProfile.of(snapshot(tree)).column("running").orElseThrow().total();
    }

    @Test
    void whatWasMadeIsBelowTheLineOfItsMaker() {
        CallSnapshot.Tree tree = new CallSnapshot.Tree(0, "main", 3);
        tree.set(1, 0, 0, 1, 1000, CallSnapshot.Tree.EVERY_CALL);
        tree.set(2, 1, 1, 10, 500, CallSnapshot.Tree.EVERY_CALL);
        tree.add(new CallSnapshot.Made(2, "shop.Item[]", 42, 7, 168));

        Profile profile = CallProfile.of(snapshot(tree));
        assertThat(profile.column("calls").orElseThrow().total()).isEqualTo(11);
        assertThat(profile.column("allocations").orElseThrow().total()).isEqualTo(7);
        var allocated = profile.column("allocated").orElseThrow();
        assertThat(allocated.total()).isEqualTo(168);
        int made = allocated.node(0);
        assertThat(profile.consumerAt(profile.consumer(made)).display()).isEqualTo("shop.Item[]");
        int maker = profile.parent(made);
        assertThat(profile.consumerAt(profile.consumer(maker)).display())
                .isEqualTo("shop.Cart.price(int)");
        assertThat(Site.line(profile.site(maker))).isEqualTo(42);
    }

    @Test
    void whatIsAliveIsBelowItsClassByHowManyCollectionsItHasSurvived() {
        CallSnapshot.Tree tree = new CallSnapshot.Tree(0, "main", 2);
        tree.set(1, 0, 0, 1, 1000, CallSnapshot.Tree.EVERY_CALL);
        tree.add(
                new CallSnapshot.Made(
                        1,
                        "shop.Item",
                        42,
                        100,
                        2400,
                        new CallSnapshot.Survival(
                                10,
                                List.of(
                                        new CallSnapshot.Aged(0, 20, 480),
                                        new CallSnapshot.Aged(1, 30, 720),
                                        new CallSnapshot.Aged(5, 10, 240)))));

        Profile profile = CallProfile.of(snapshot(tree));
        assertThat(profile.column("live").orElseThrow().total()).isEqualTo(40);
        assertThat(profile.column("tracked").orElseThrow().total()).isEqualTo(10);
        assertThat(profile.column("undecided").orElseThrow().total()).isEqualTo(20);
        assertThat(profile.column("allocations").orElseThrow().total()).isEqualTo(100);
        var bytes = profile.column("live-bytes").orElseThrow();
        assertThat(bytes.total()).isEqualTo(960);
        int age = bytes.node(0);
        assertThat(Survival.collections(profile.consumerAt(profile.consumer(age)))).hasValue(1);
        assertThat(profile.consumerAt(profile.consumer(profile.parent(age))).display())
                .isEqualTo("shop.Item");
        assertThat(Survival.collections(Consumer.label("survived the flood"))).isEmpty();
    }

    /** Says what sampled calls took, net, and how many other calls were in them. */
    private static void set(
            CallSnapshot.Tree tree, int node, int parent, long calls, long net, long... inside) {
        long timed = inside.length > 0 ? inside[0] : 0;
        long untimed = inside.length > 1 ? inside[1] : 0;
        long hooks = calls * 20 + timed * 50 + untimed * 10;
        tree.set(node, node - 1, parent, calls, 0, net + hooks);
        tree.setInside(node, timed, untimed);
    }

    /** Where nothing else is done, counting ten calls costs 50 ns; here there are 100. */
    @Test
    void whatWasOnlyCountedIsHiddenByAllThatItsCallerDid() {
        var costs = new CallSnapshot.Costs(20, 30, 4, 0, 10, 5);
        CallSnapshot.Tree tree = new CallSnapshot.Tree(0, "main", 3);
        set(tree, 1, 0, 1, 100, 0, 10);
        set(tree, 2, 1, 10, 80);

        assertThat(NetTimes.of(tree, costs)).containsExactly(0, 20, 80);
    }

    /** What was called is part of what was estimated for the caller. */
    @Test
    void whatIsEstimatedForACallerHasWhatItCalledInIt() {
        CallSnapshot.Tree tree = new CallSnapshot.Tree(0, "main", 4);
        set(tree, 1, 0, 1, 9000, 30, 270);
        set(tree, 2, 1, 100, 7000, 20, 180);
        set(tree, 3, 2, 200, 4000);

        assertThat(NetTimes.of(tree, COSTS)).containsExactly(0, 2000, 3000, 4000);
        assertThat(CallProfile.of(snapshot(tree)).column("elapsed").orElseThrow().total())
                .isEqualTo(9000);
    }

    /** What was added has its own part of the hooks, whatever was there before. */
    @Test
    void whatWasAddedToAnEstimateIsAnEstimate() {
        CallSnapshot.Tree now = new CallSnapshot.Tree(0, "main", 3);
        set(now, 1, 0, 300, 140_000, 1_000, 2_000);
        set(now, 2, 1, 3_000, 100_000);

        CallSnapshot.Tree added = sinceAHundredCalls(now);
        assertThat(NetTimes.of(added, COSTS)).containsExactly(0, 30_000, 20_000);
    }

    /** What was added to a root with a hundred calls, which had made ten calls each. */
    private static CallSnapshot.Tree sinceAHundredCalls(CallSnapshot.Tree now) {
        CallSnapshot.Tree before = new CallSnapshot.Tree(0, "main", 3);
        set(before, 1, 0, 100, 90_000, 900, 100);
        set(before, 2, 1, 1_000, 80_000);
        return new TreesSince(snapshot(before)).of(now);
    }

    /** Of calls that are found to be much quicker after a look. */
    @Test
    void whatSeemsToBeLessThanBeforeIsNothing() {
        CallSnapshot.Tree before = new CallSnapshot.Tree(0, "main", 2);
        set(before, 1, 0, 1_000, 900_000, 10_000, 0);
        CallSnapshot.Tree now = new CallSnapshot.Tree(0, "main", 2);
        set(now, 1, 0, 1_001, 800_000, 9_000, 1_000);

        TreesSince since = new TreesSince(snapshot(before));
        assertThat(NetTimes.of(since.of(now), COSTS)).containsExactly(0, 0);
    }

    @Test
    void aContextWithFewerCallsThanItHadIsANewOne() {
        CallSnapshot.Tree now = new CallSnapshot.Tree(0, "main", 3);
        set(now, 1, 0, 200, 180_000, 1_800, 200);
        set(now, 2, 1, 10, 800);

        CallSnapshot.Tree added = sinceAHundredCalls(now);
        assertThat(added.calls(1)).isEqualTo(100);
        assertThat(added.calls(2)).isEqualTo(10);
        assertThat(NetTimes.of(added, COSTS)).containsExactly(0, 89_200, 800);
    }

    /** 1000 - (k - 1) 40 * 10 = 800 for k = 1.5. */
    @Test
    void whereTimesAreSampledWhatARootTakesAloneSaysWhatCountingTook() {
        CallSnapshot.Alone alone = new CallSnapshot.Alone(0, 400, 800, 10, 8, 0, 0);
        Profile profile =
                CallProfile.of(sampledHundreds(2, alone), Optional.of(sampledHundreds(1)));
        assertThat(elapsed(profile)).isCloseTo(200 * 800, within(20L));
        assertThat(profile.provenance().fact(Provenance.ROOTS_ALONE))
                .endsWith("so 1.50 times what counting a call costs is subtracted below it");
    }

    /** Forty calls in each of the root's, which takes 1000 ns, 400 of them in those. */
    private static CallSnapshot sampledHundreds(int hundreds, CallSnapshot.Alone... alone) {
        CallSnapshot.Tree tree = new CallSnapshot.Tree(7, "main", 3);
        set(tree, 1, 0, 100L * hundreds, 100_000L * hundreds, 1_000L * hundreds, 3_000L * hundreds);
        set(tree, 2, 1, 4_000L * hundreds, 40_000L * hundreds);
        return with(snapshot(tree), alone);
    }

    /** Twice the 10 ns for each of the hundred calls: what one of those took is known without. */
    @Test
    void whatCallsCostMoreThanWasFoundIsInWhoMadeThem() {
        CallSnapshot.Tree tree = new CallSnapshot.Tree(0, "main", 3);
        set(tree, 1, 0, 1, 5000, 10, 90);
        set(tree, 2, 1, 100, 3000);

        assertThat(NetTimes.of(tree, COSTS, _ -> 1)).containsExactly(0, 2000, 3000);
        assertThat(NetTimes.of(tree, COSTS, _ -> 2)).containsExactly(0, 1000, 3000);
    }

    /** 10 000 of the 20 000 are left to be taken from a thousand calls, wherever there is any. */
    @Test
    void whatCallsCostMoreThanTheirCallerTookIsInTheCallsThemselves() {
        CallSnapshot.Tree tree = new CallSnapshot.Tree(0, "main", 5);
        set(tree, 1, 0, 100, 50_000, 100, 900);
        set(tree, 2, 1, 750, 30_000);
        set(tree, 3, 1, 250, 10_000, 0, 50);
        set(tree, 4, 3, 50, 9_000);

        assertThat(NetTimes.of(tree, COSTS, _ -> 1))
                .containsExactly(0, 10_000, 30_000, 1_000, 9_000);
        assertThat(NetTimes.of(tree, COSTS, _ -> 3)).containsExactly(0, 0, 22_500, 0, 6_500);
    }

    /** The hooks may hide 4 ns in each of 100 calls, of which 2 are too much here. */
    @Test
    void shortCallsTakeNoMoreThanWhoMadeThem() {
        CallSnapshot.Tree tree = new CallSnapshot.Tree(0, "main", 4);
        set(tree, 1, 0, 1, 1000, 10, 90);
        set(tree, 2, 1, 75, 900);
        set(tree, 3, 1, 25, 300);

        assertThat(NetTimes.of(tree, COSTS)).containsExactly(0, 0, 750, 250);
    }

    /** That is more than hooks can hide: a call of the caller has not ended. */
    @Test
    void aCallThatGoesOnTakesNothingFromWhatItCalled() {
        CallSnapshot.Tree tree = new CallSnapshot.Tree(0, "main", 3);
        set(tree, 1, 0, 2, 1000, 10, 10);
        set(tree, 2, 1, 100, 5000);

        assertThat(NetTimes.of(tree, COSTS)).containsExactly(0, 0, 5000);
    }

    /**
     * Of 5 ns for each of 100 calls, 4 are the hooks' alone: 3 * (5 - 4), the rest its caller's.
     */
    @Test
    void whatIsEstimatedForCallsThatDoLittleIsCorrectedLikeWhatIsMeasured() {
        CallSnapshot.Tree tree = new CallSnapshot.Tree(0, "main", 3);
        set(tree, 1, 0, 1, 5000, 10, 90);
        set(tree, 2, 1, 100, 500);

        assertThat(NetTimes.of(tree, COSTS)).containsExactly(0, 4700, 300);
    }

    /** 24 ns is what nothing seems to take, 26 ns or more had something to do meanwhile. */
    @Test
    void whatDoesNothingIsNotSaidToTakeWhatTheHooksTakeAlone() {
        for (long[] measuredAndNet : new long[][] {{22, 0}, {24, 0}, {25, 3}, {26, 6}, {50, 30}}) {
            CallSnapshot.Tree tree = new CallSnapshot.Tree(0, "main", 2);
            tree.set(1, 0, 0, 10, 10 * measuredAndNet[0], CallSnapshot.Tree.EVERY_CALL);
            assertThat(NetTimes.of(tree, COSTS)).containsExactly(0, 10.0 * measuredAndNet[1]);
        }
    }

    @Test
    void whatTakesLessThanMeasuringItTakesNothing() {
        CallSnapshot.Tree tree = new CallSnapshot.Tree(0, "main", 2);
        tree.set(1, 0, 0, 100, 1900, CallSnapshot.Tree.EVERY_CALL);

        assertThat(CallProfile.of(snapshot(tree)).column("elapsed")).isEmpty();
        assertThat(CallProfile.of(snapshot(tree)).column("measured").orElseThrow().total())
                .isEqualTo(1900);
    }

    /** 100 calls of 2000 each, then 50 of 200: as if all had taken 200, hooks not counted. */
    @Test
    void callsBeforeCodeWasCompiledCountAsMuchAsThoseAfter() {
        CallSnapshot.Tree before = new CallSnapshot.Tree(7, "main", 3);
        before.set(1, 0, 0, 100, 100 * (2000 + 20), CallSnapshot.Tree.EVERY_CALL);
        before.set(2, 1, 1, 1, 500, CallSnapshot.Tree.EVERY_CALL);
        CallSnapshot.Tree now = new CallSnapshot.Tree(7, "main", 4);
        now.set(1, 2, 0, 1, 70, CallSnapshot.Tree.EVERY_CALL);
        now.set(2, 0, 0, 150, 100 * 2020 + 50 * 220, CallSnapshot.Tree.EVERY_CALL);
        now.set(3, 1, 2, 1, 500, CallSnapshot.Tree.EVERY_CALL);
        Profile profile = CallProfile.of(snapshot(now), Optional.of(snapshot(before)));

        assertThat(profile.column(Resource.CALLS.name()).orElseThrow().total()).isEqualTo(152);
        // Those that were not called again are all that is known, and what is new is new.
        assertThat(profile.column("elapsed").orElseThrow().total())
                .isEqualTo(150 * 200 + (500 - 20) + (70 - 20));
        assertThat(profile.column("measured").orElseThrow().total())
                .isEqualTo(100 * 2020 + 50 * 220 + 500 + 70);
        assertThat(CallProfile.of(snapshot(now)).column("elapsed").orElseThrow().total())
                .isGreaterThan(200_000);

        CallSnapshot.Tree another = new CallSnapshot.Tree(8, "main", 3);
        Profile whole = CallProfile.of(snapshot(now), Optional.of(snapshot(another)));
        assertThat(whole).isEqualTo(CallProfile.of(snapshot(now)));
    }

    /**
     * One slow call of few tells nothing of all the others, and nothing takes longer than it did.
     */
    @Test
    void aRareCallDoesNotStandForAllOthers() {
        for (int after : new int[] {1, 9, 99, 250}) {
            CallSnapshot.Tree before = new CallSnapshot.Tree(7, "main", 2);
            before.set(1, 0, 0, 1_000, 1_000 * 120, CallSnapshot.Tree.EVERY_CALL);
            CallSnapshot.Tree now = new CallSnapshot.Tree(7, "main", 2);
            now.set(1, 0, 0, 1_000 + after, 1_000 * 120 + 50_000_000, CallSnapshot.Tree.EVERY_CALL);

            Profile settled = CallProfile.of(snapshot(now), Optional.of(snapshot(before)));
            assertThat(settled.column("elapsed").orElseThrow().total())
                    .as(after + " calls after it")
                    .isEqualTo(1_000 * 120 + 50_000_000 - 20 * (1_000 + after));
        }
    }

    /** 5 net that take 3 alone: what hooks seem to hide is judged by the calls that count. */
    @Test
    void shortCallsAreCorrectedByThoseThatCount() {
        CallSnapshot.Tree before = new CallSnapshot.Tree(7, "main", 2);
        before.set(1, 0, 0, 1_000, 1_000 * 2_020, CallSnapshot.Tree.EVERY_CALL);
        CallSnapshot.Tree now = new CallSnapshot.Tree(7, "main", 2);
        now.set(1, 0, 0, 10_000, 1_000 * 2_020 + 9_000 * 25, CallSnapshot.Tree.EVERY_CALL);

        // 5 ns are between 4, which is nothing, and 6, which is all: 3 of them.
        assertThat(
                        CallProfile.of(snapshot(now), Optional.of(snapshot(before)))
                                .column("elapsed")
                                .orElseThrow()
                                .total())
                .isEqualTo(10_000 * 3);
    }
}
