package dev.heatline.formats.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CursorTest {

    private static byte[] written(long[] values) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (long value : values) {
            long rest = value;
            for (int i = 0; i < 8 && (rest & ~0x7FL) != 0; i++) {
                out.write((int) (rest & 0x7F) | 0x80);
                rest >>>= 7;
            }
            out.write((int) rest);
        }
        return Arrays.copyOf(out.toByteArray(), out.size() + Cursor.PADDING);
    }

    @Test
    void integersOfAnyLengthAreReadAndSkippedAlike() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 2000; round++) {
            long[] values = new long[1 + random.nextInt(40)];
            for (int i = 0; i < values.length; i++) {
                values[i] = random.nextLong() >> random.nextInt(64);
            }
            byte[] bytes = written(values);
            Cursor reading = new Cursor(bytes, true);
            for (int i = 0; i < values.length; i++) {
                assertThat(reading.varint()).as("seed %d", seed).isEqualTo(values[i]);
                Cursor skipping = new Cursor(bytes, true);
                skipping.skipVarints(i + 1);
                assertThat(skipping.at).as("seed %d", seed).isEqualTo(reading.at);
            }
        }
    }
}
