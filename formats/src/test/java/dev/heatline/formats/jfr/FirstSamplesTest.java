package dev.heatline.formats.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is left of the first weight of a thread. */
class FirstSamplesTest {
    private static final long STACK = 5;
    private static final long THREAD = 7;
    private static final long OTHER = 8;

    private final FirstSamples firsts = new FirstSamples(Tally.FIRST_SUM);
    private final Tally tally = new Tally(1);

    private void sample(long thread, long weight) {
        long[] slots = {STACK, thread, 0, weight};
        tally.add(slots);
        firsts.add(thread, tally, slots);
    }

    private static AllocatedBefore before(long... threadsAndBytes) {
        AllocatedBefore before = new AllocatedBefore();
        for (int i = 0; i < threadsAndBytes.length; i += 2) {
            before.add(threadsAndBytes[i], 10, threadsAndBytes[i + 1]);
        }
        return before;
    }

    /** What is in the sums, which are then forgotten. */
    private long flushed(AllocatedBefore allocatedBefore) {
        firsts.leaveOut(allocatedBefore);
        long bytes = 0;
        for (int row = 0; row < tally.capacity(); row++) {
            bytes += tally.cell(row, Tally.FIRST_SUM);
        }
        tally.clear();
        firsts.clearPending();
        return bytes;
    }

    @Test
    void historyIsLeftOutOfTheFirstWeight() {
        assertThat(FirstSamples.part(1_100, 1_000)).isEqualTo(1_000);
        assertThat(FirstSamples.part(1_000, 1_000)).isEqualTo(1_000);
        assertThat(FirstSamples.part(500, 0)).isZero();
        assertThat(FirstSamples.part(Long.MAX_VALUE, Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aSampleShortlyBeforeTheJvmSaidItIsHistoryAsAWhole() {
        assertThat(FirstSamples.part(990, 1_000)).isEqualTo(990);
    }

    @Test
    void aWeightFarBelowTheHistoryHasNoneOfIt() {
        assertThat(FirstSamples.part(100, 1_000)).isZero();
        assertThat(FirstSamples.part(0, 1_000)).isZero();
        assertThat(FirstSamples.part(-1, 0)).as("damage").isZero();
        assertThat(FirstSamples.part(1, -1)).as("damage").isZero();
    }

    @Test
    void onlyTheFirstSampleOfAThreadIsChanged() {
        sample(THREAD, 1_100);
        sample(THREAD, 1_200);
        sample(OTHER, 1_300);
        assertThat(flushed(before(THREAD, 1_000))).isEqualTo(100 + 1_200 + 1_300);
    }

    @Test
    void manyRowsMoveAndTheFirstIsStillFound() {
        sample(THREAD, 1_100);
        for (long thread = 100; thread < 1_000; thread++) {
            sample(thread, 1);
        }
        assertThat(flushed(before(THREAD, 1_000))).isEqualTo(100 + 900);
    }

    @Test
    void laterFlushesOfTheChunkAreLeftAlone() {
        sample(THREAD, 1_100);
        assertThat(flushed(before(THREAD, 1_000))).isEqualTo(100);
        sample(THREAD, 1_200);
        assertThat(flushed(before(THREAD, 1_000))).isEqualTo(1_200);
        sample(OTHER, 1_300);
        assertThat(flushed(before(THREAD, 1_000, OTHER, 1_000))).isEqualTo(300);
    }

    @Test
    void whatAnEarlierReaderSawIsNotFirst() {
        firsts.pass(THREAD);
        sample(THREAD, 1_200);
        assertThat(flushed(before(THREAD, 1_000))).isEqualTo(1_200);
        firsts.clear();
        sample(THREAD, 1_200);
        assertThat(flushed(before(THREAD, 1_000))).as("of the next chunk").isEqualTo(200);
    }

    @Test
    void whatTheJvmSaysWhenTheChunkEndsIsOfNoUse() {
        AllocatedBefore before = before(THREAD, 1_000);
        before.add(THREAD, 99, 3_000);
        before.add(OTHER, 99, 2_000);
        assertThat(before.bytes(THREAD)).isEqualTo(1_000);
        assertThat(before.bytes(OTHER)).as("started in between").isZero();
        assertThat(before.bytes(9)).isZero();
    }

    @Test
    void whatTheJvmSaysLastMayComeFirst() {
        AllocatedBefore before = new AllocatedBefore();
        before.add(OTHER, 99, 2_000);
        before.add(THREAD, 98, 3_000);
        before.add(THREAD, 10, 1_000);
        assertThat(before.bytes(THREAD)).isEqualTo(1_000);
        assertThat(before.bytes(OTHER)).as("started in between").isZero();
    }
}
