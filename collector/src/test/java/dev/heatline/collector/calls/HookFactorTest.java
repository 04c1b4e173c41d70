package dev.heatline.collector.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.heatline.wire.CallSnapshot;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

/** What is left of all times when the hooks are said to have taken more or less. */
class HookFactorTest {
    private static final CallSnapshot.Costs COSTS = new CallSnapshot.Costs(20, 25, 8, 9, 8, 4);
    private static final int METHODS = 4;

    private record Context(int method, int parent, long calls, long untimed, double nanosEach) {}

    @Provide
    Arbitrary<CallSnapshot.Tree> trees() {
        Arbitrary<Context> context =
                Combinators.combine(
                                Arbitraries.integers().between(0, METHODS - 1),
                                Arbitraries.integers().between(0, 1000),
                                Arbitraries.longs().between(0, 100_000),
                                Arbitraries.longs().between(0, 100_000),
                                Arbitraries.doubles().between(0, 500))
                        .as(Context::new);
        return Combinators.combine(
                        context.list().ofMinSize(1).ofMaxSize(20), Arbitraries.of(true, false))
                .as(HookFactorTest::tree);
    }

    private static CallSnapshot.Tree tree(List<Context> contexts, boolean sampled) {
        CallSnapshot.Tree tree = new CallSnapshot.Tree(1, "main", contexts.size() + 1);
        for (int i = 0; i < contexts.size(); i++) {
            Context each = contexts.get(i);
            long nanos = Math.round(each.calls * each.nanosEach);
            tree.set(
                    i + 1,
                    each.method,
                    each.parent % (i + 1),
                    each.calls,
                    nanos,
                    sampled ? 2 * nanos : CallSnapshot.Tree.EVERY_CALL);
            tree.setInside(i + 1, each.untimed / 100, each.untimed);
            tree.setUntimed(i + 1, Math.min(each.untimed, each.calls));
        }
        return tree;
    }

    private static double sum(CallSnapshot.Tree tree, double factor) {
        return DoubleStream.of(NetTimes.of(tree, COSTS, _ -> factor)).sum();
    }

    @Property
    void nothingIsNegative(
            @ForAll("trees") CallSnapshot.Tree tree,
            @ForAll @DoubleRange(max = HookFactor.MOST) double factor) {
        double[] net = NetTimes.of(tree, COSTS, _ -> factor);
        assertThat(DoubleStream.of(net).min().orElseThrow()).isNotNegative();
    }

    @Property
    void thatManyCostsLeaveNoMoreThanFewer(
            @ForAll("trees") CallSnapshot.Tree tree,
            @ForAll @DoubleRange(max = HookFactor.MOST) double one,
            @ForAll @DoubleRange(max = HookFactor.MOST) double other) {
        double[] less = NetTimes.of(tree, COSTS, _ -> Math.max(one, other));
        double[] more = NetTimes.of(tree, COSTS, _ -> Math.min(one, other));
        for (int node = 0; node < less.length; node++) {
            assertThat(less[node]).isLessThanOrEqualTo(more[node] + 1e-6);
        }
    }

    @Property
    void calibratedCostsAreOneTimeThese(@ForAll("trees") CallSnapshot.Tree tree) {
        assertThat(NetTimes.of(tree, COSTS, _ -> 1)).isEqualTo(NetTimes.of(tree, COSTS));
    }

    @Property
    void whatIsLeftIsWhatIsAimedAt(
            @ForAll("trees") CallSnapshot.Tree tree,
            @ForAll @DoubleRange(min = HookFactor.LEAST, max = HookFactor.MOST) double factor) {
        double aim = sum(tree, factor);
        double found = HookFactor.of(it -> sum(tree, it), aim).orElseThrow();
        assertThat(sum(tree, found)).isCloseTo(aim, within(1e-4 * sum(tree, 0) + 1));
    }

    @Property
    void whatCannotBeLeftIsNotAimedAt(@ForAll("trees") CallSnapshot.Tree tree) {
        assertThat(HookFactor.of(it -> sum(tree, it), sum(tree, 0) + 1))
                .isEqualTo(OptionalDouble.empty());
    }

    @Test
    void aFactorBeyondTheBoundsIsNone() {
        double cost = 1;
        double all = 2 * HookFactor.MOST * cost;
        assertThat(HookFactor.of(factor -> all - factor * cost, all / 4))
                .isEqualTo(OptionalDouble.empty());
        assertThat(HookFactor.of(factor -> all - factor * cost, all - cost * HookFactor.LEAST / 2))
                .isEqualTo(OptionalDouble.empty());
    }

    /** Other roots keep their own factor. */
    @Property
    void onlyCallsBelowTheRootAreConcerned(@ForAll("trees") CallSnapshot.Tree tree) {
        double[] plain = NetTimes.of(tree, COSTS);
        double[] others = NetTimes.of(tree, COSTS, method -> method == 0 ? 2 : 1);
        for (int node = 1; node < plain.length; node++) {
            int root = node;
            while (tree.parent(root) != 0) {
                root = tree.parent(root);
            }
            if (tree.method(root) != 0) {
                assertThat(others[node]).isEqualTo(plain[node]);
            }
        }
    }
}
