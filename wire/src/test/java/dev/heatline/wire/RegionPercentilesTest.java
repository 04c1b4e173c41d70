package dev.heatline.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.wire.RegionSnapshot.Bucket;
import dev.heatline.wire.RegionSnapshot.Region;
import dev.heatline.wire.RegionSnapshot.SlowCall;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Percentiles of a hundred calls, worked out by hand. */
class RegionPercentilesTest {
    private static final Region REGION =
            new Region(
                    new CallSnapshot.Method("shop.Cart", "total", "()I"),
                    100,
                    12_000,
                    List.of(
                            new Bucket(100, 104, 80),
                            new Bucket(200, 208, 19),
                            new Bucket(4096, 4352, 1)),
                    List.of(),
                    List.of(new SlowCall(4100, 0, "main", List.of(), List.of())));

    @Test
    void aPercentileLiesInItsBucketInProportion() {
        assertThat(REGION.percentileNanos(40)).isEqualTo(102);
        assertThat(REGION.percentileNanos(80)).isEqualTo(104);
        assertThat(REGION.percentileNanos(99)).isEqualTo(208);
    }

    @Test
    void nothingIsSlowerThanTheSlowest() {
        assertThat(REGION.percentileNanos(99.9)).isEqualTo(4100);
    }
}
