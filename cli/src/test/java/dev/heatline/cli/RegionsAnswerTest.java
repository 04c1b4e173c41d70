package dev.heatline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.wire.CallSnapshot;
import dev.heatline.wire.RegionSnapshot.Bucket;
import dev.heatline.wire.RegionSnapshot.Region;
import dev.heatline.wire.RegionSnapshot.SlowCall;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Percentiles of a hundred calls, worked out by hand. */
class RegionsAnswerTest {
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
        assertThat(RegionsAnswer.percentile(REGION, 40)).isEqualTo(102);
        assertThat(RegionsAnswer.percentile(REGION, 80)).isEqualTo(104);
        assertThat(RegionsAnswer.percentile(REGION, 99)).isEqualTo(208);
    }

    @Test
    void nothingIsSlowerThanTheSlowest() {
        assertThat(RegionsAnswer.percentile(REGION, 99.9)).isEqualTo(4100);
    }
}
