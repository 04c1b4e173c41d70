package dev.heatline.formats.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes wrong in any thread is told, and no buffer grows beyond what an array can hold. */
class WorkersTest {

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsThrownInAnotherThreadIsThrownToTheCaller(boolean error) {
        CountDownLatch thrown = new CountDownLatch(1);
        Thread caller = Thread.currentThread();
        LongConsumer progress =
                _ -> {
                    if (Thread.currentThread().equals(caller)) {
                        awaited(thrown);
                        return;
                    }
                    thrown.countDown();
                    if (error) {
                        throw new AssertionError("in a worker");
                    }
                    throw new IllegalStateException("in a worker");
                };
        byte[] chunk = HandmadeChunkTest.chunk(true);
        ByteBuffer chunks = ByteBuffer.allocate(chunk.length * 10);
        while (chunks.hasRemaining()) {
            chunks.put(chunk);
        }
        try (Source source = Source.of("hand.jfr", chunks.array())) {
            Recording recording = new Recording(source, new ReadOptions(List.of(), progress), 2);
            assertThatThrownBy(recording::read)
                    .isInstanceOf(error ? AssertionError.class : IllegalStateException.class)
                    .hasMessage("in a worker");
        }
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anEventThatNoArrayHoldsIsDamage() {
        Cursor.checkHolds(Cursor.MAX_ARRAY - Cursor.PADDING);
        assertThatThrownBy(() -> Cursor.checkHolds(Integer.MAX_VALUE - 20L))
                .isInstanceOf(Damage.class);
    }

    @Test
    void constantsGrowByStepsThatLeaveRoomForMore() {
        assertThat(ConstantPools.grown(1000, 1001)).isEqualTo(2000);
        assertThat(ConstantPools.grown(1 << 29, (1 << 29) + 1)).isEqualTo((1 << 29) + (1 << 27));
        assertThat(ConstantPools.grown(Cursor.MAX_ARRAY - 5, Cursor.MAX_ARRAY - 1))
                .isEqualTo(Cursor.MAX_ARRAY);
        assertThat(ConstantPools.grown(10, 5000)).isEqualTo(5000);
    }
}
