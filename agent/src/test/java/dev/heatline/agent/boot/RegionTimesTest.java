package dev.heatline.agent.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class RegionTimesTest {
    /** Of all sizes, the edges of powers included. */
    @Test
    void everyTimeIsInABucketThatIsNarrow() {
        Random random = new Random(1);
        for (int bits = 0; bits < 62; bits++) {
            long power = 1L << bits;
            isInItsBucket(power - 1);
            isInItsBucket(power);
            for (int i = 0; i < 100; i++) {
                isInItsBucket(power + (long) (random.nextDouble() * power));
            }
        }
    }

    private static void isInItsBucket(long nanos) {
        int bucket = RegionTimes.bucket(nanos);
        assertThat(bucket).isBetween(0, RegionTimes.BUCKETS - 1);
        assertThat(nanos)
                .isGreaterThanOrEqualTo(RegionTimes.fromNanos(bucket))
                .isLessThan(RegionTimes.fromNanos(bucket + 1));
        double width = RegionTimes.fromNanos(bucket + 1) - RegionTimes.fromNanos(bucket);
        assertThat(width).isLessThanOrEqualTo(Math.max(1, nanos / 16.0));
    }
}
