package dev.heatline.collector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.wire.ProcessKey;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/**
 * A measurement from second 100 to second 130, and what was sampled before, meanwhile and after.
 */
class CallTimesTest {
    private static final ProcessKey SHOP = new ProcessKey(1, "10");
    private static final ProcessKey OTHER = new ProcessKey(2, "10");

    private final CallTimes times = new CallTimes();

    private static Instant at(long seconds) {
        return Instant.ofEpochSecond(seconds);
    }

    private long seconds(long from, long until) {
        return times.seconds(SHOP, at(from), at(until));
    }

    @Test
    void onlyTheTimeThatWasMeasuredCounts() {
        times.begin(SHOP, at(100));
        assertThat(seconds(90, 110)).as("while it goes on").isEqualTo(10);
        times.end(SHOP, at(130));
        assertThat(seconds(0, 100)).isZero();
        assertThat(seconds(90, 110)).isEqualTo(10);
        assertThat(seconds(105, 106)).isEqualTo(1);
        assertThat(seconds(90, 200)).isEqualTo(30);
        assertThat(seconds(130, 200)).isZero();
        assertThat(times.seconds(OTHER, at(90), at(200))).isZero();
    }

    @Test
    void severalAddUpAndAPartOfASecondIsOne() {
        times.begin(SHOP, at(100));
        times.end(SHOP, at(110));
        times.begin(SHOP, at(120));
        times.end(SHOP, Instant.ofEpochMilli(120_200));
        assertThat(seconds(0, 500)).isEqualTo(11);
    }

    @Test
    void whatWasLongAgoIsForgotten() {
        times.begin(SHOP, at(100));
        times.end(SHOP, at(110));
        times.begin(OTHER, at(10_000));
        assertThat(seconds(0, 500)).isZero();
    }
}
