package dev.heatline.collector.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.CallChain;
import dev.heatline.model.Consumer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** Call chains share their frames, and those that are forgotten are never another's. */
class TraceNamesTest {
    private static final int METHODS = 5;
    private static final int DEEPEST = 128;

    /** So that some are forgotten now and then. */
    private static final int FEW_FRAMES = 60;

    private static final int MOST_IDS = 40;

    private static final CallChain UNKNOWN =
            CallChain.of(List.of(Consumer.method("", "[unknown]", "")));

    private TraceNames names = new TraceNames();

    enum Act {
        DESCRIBE,
        ASK,
        LOOKED,
        MEMORY_IS_FULL
    }

    /**
     * Something done with names.
     *
     * @param frames of a chain; each is method and line at once
     */
    record Deed(Act act, long id, List<Integer> frames, boolean cutOff) {}

    @Provide
    Arbitrary<List<Deed>> lives() {
        return Combinators.combine(
                        Arbitraries.frequency(
                                Tuple.of(50, Act.DESCRIBE),
                                Tuple.of(50, Act.ASK),
                                Tuple.of(5, Act.LOOKED),
                                Tuple.of(1, Act.MEMORY_IS_FULL)),
                        Arbitraries.longs().between(1, MOST_IDS),
                        Arbitraries.integers().between(0, METHODS * 3).list().ofMaxSize(12),
                        Arbitraries.of(true, false))
                .as(Deed::new)
                .list()
                .ofMaxSize(300);
    }

    @Property(tries = 500)
    void whatIsLookedUpIsWhatWasDescribedLastOrUnknown(@ForAll("lives") List<Deed> life) {
        names = new TraceNames(FEW_FRAMES);
        describeMethods(METHODS);
        Map<Long, CallChain> described = new HashMap<>();
        for (Deed deed : life) {
            switch (deed.act) {
                case DESCRIBE -> {
                    described.put(deed.id, describe(deed));
                    assertThat(names.chainOf(deed.id)).isEqualTo(described.get(deed.id));
                }
                case ASK ->
                        assertThat(names.chainOf(deed.id))
                                .isIn(described.getOrDefault(deed.id, UNKNOWN), UNKNOWN);
                case LOOKED -> names.forgetOld();
                case MEMORY_IS_FULL -> names.forgetChains();
            }
        }
        for (long id = 1; id <= MOST_IDS; id++) {
            assertThat(names.chainOf(id)).isIn(described.getOrDefault(id, UNKNOWN), UNKNOWN);
        }
    }

    private CallChain describe(Deed deed) {
        List<Long> ids = new ArrayList<>();
        List<Consumer> methods = new ArrayList<>();
        List<Integer> lines = new ArrayList<>();
        for (int frame : deed.frames) {
            int method = 1 + frame % METHODS;
            ids.add((long) method);
            methods.add(method(method));
            lines.add(frame / METHODS);
        }
        names.chain(deed.id, ids, lines, deed.cutOff);
        if (deed.cutOff) {
            methods.add(Consumer.method("", "[calls further out]", ""));
            lines.add(0);
        }
        return new CallChain(methods, lines);
    }

    private void describeMethods(int count) {
        names.className(1, "shop.Stock");
        for (int method = 1; method <= count; method++) {
            names.method(method, 1, "m" + method, "()V");
        }
    }

    private static Consumer method(long id) {
        return Consumer.method("shop.Stock", "m" + id, "()V");
    }

    @Example
    void chainsShareTheFramesThatTheyHaveInCommon() {
        int chains = 10_000;
        describeMethods(DEEPEST);
        for (int i = 1; i <= chains; i++) {
            names.chain(i, downTo(1, DEEPEST), lines(i), false);
        }

        assertThat(names.sizeOfChains()).isLessThan(5L * chains + 3 * DEEPEST);
        for (int i = 1; i <= chains; i++) {
            assertThat(names.chainOf(i).lines().getFirst()).isEqualTo(i);
            assertThat(names.chainOf(i).methods()).hasSize(DEEPEST);
        }
    }

    /**
     * Each other chain begins in another place: nothing is shared, and each is as long as can be.
     */
    @Example
    void chainsThatShareNothingAreForgottenAndThoseInUseAreNot() {
        int chains = 64 * 1024;
        long inUse = 1;
        describeMethods(DEEPEST);
        names.chain(inUse, downTo(1, DEEPEST), lines(0), false);
        CallChain used = names.chainOf(inUse);
        int unknown = 0;
        for (int i = 2; i <= chains; i++) {
            List<Integer> lines = new ArrayList<>(lines(1));
            lines.set(DEEPEST - 1, i);
            names.chain(i, downTo(1, DEEPEST), lines, false);
            assertThat(names.sizeOfChains()).isLessThan(2 * TraceNames.MOST_FRAMES);
            assertThat(names.chainOf(i).lines()).isEqualTo(lines);
            assertThat(names.chainOf(inUse)).isEqualTo(used);
            CallChain before = names.chainOf(Math.max(2, i - 1_500));
            unknown += before.equals(UNKNOWN) ? 1 : 0;
            assertThat(before.equals(UNKNOWN) || before.lines().getLast() == Math.max(2, i - 1_500))
                    .isTrue();
        }
        assertThat(unknown).isPositive();
        assertThat(names.chainOf(2)).isEqualTo(UNKNOWN);
    }

    /** Innermost first, of methods with these numbers. */
    private static List<Long> downTo(int first, int last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
    }

    private static List<Integer> lines(int innermost) {
        List<Integer> lines = new ArrayList<>(List.of(innermost));
        for (int i = 1; i < DEEPEST; i++) {
            lines.add(7);
        }
        return lines;
    }

    @Example
    void whereMemoryIsFullHalfOfManyFramesAreForgottenAndFewAreKept() {
        describeMethods(DEEPEST);
        int chains = 50_000;
        for (int i = 1; i <= chains; i++) {
            names.chain(i, downTo(1, 2), List.of(i, 1), false);
        }
        long before = names.sizeOfChains();
        names.forgetChains();
        assertThat(names.sizeOfChains()).isBetween(before * 45 / 100, before * 55 / 100);
        assertThat(names.chainOf(chains).lines()).containsExactly(chains, 1);
        assertThat(names.chainOf(1)).isEqualTo(UNKNOWN);

        for (int i = 0; i < 10; i++) {
            names.forgetChains();
        }
        assertThat(names.sizeOfChains()).isGreaterThan(TraceNames.LEAST_FRAMES / 2);
        assertThat(names.chainOf(chains).lines()).containsExactly(chains, 1);
    }

    /** Whatever a trace says. */
    @Example
    void forgedNumbersAreAnythingButAnotherChain() {
        names.chain(Long.MAX_VALUE, List.of(-1L, Long.MIN_VALUE), List.of(1, 2), true);
        names.chain(Long.MIN_VALUE, List.of(), List.of(), false);
        names.chain(-1, List.of(0L), List.of(Integer.MAX_VALUE), false);
        names.chain(0, List.of(3L), List.of(3), false);
        names.chain(1L << 32 | 5, List.of(5L), List.of(5), false);

        assertThat(names.chainOf(Long.MAX_VALUE).methods())
                .extracting(Consumer::name)
                .containsExactly("method -1", "method " + Long.MIN_VALUE, "[calls further out]");
        assertThat(names.chainOf(Long.MIN_VALUE)).isEqualTo(CallChain.NONE);
        assertThat(names.chainOf(-1).lines()).as("no line of any class file").containsExactly(0);
        assertThat(names.chainOf(0)).isEqualTo(CallChain.NONE);
        assertThat(names.chainOf(5)).isEqualTo(UNKNOWN);
        assertThat(names.chainOf(-2)).isEqualTo(UNKNOWN);
    }

    @Example
    void aChainKeepsTheNamesItWasDescribedWith() {
        describeMethods(1);
        names.chain(1, List.of(1L), List.of(1), false);
        names.method(1, 1, "other", "()V");
        names.chain(2, List.of(1L), List.of(1), false);

        assertThat(names.chainOf(1).methods()).containsExactly(method(1));
        assertThat(names.chainOf(2).methods()).extracting(Consumer::name).containsExactly("other");
    }
}
