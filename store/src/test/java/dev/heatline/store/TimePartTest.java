package dev.heatline.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TimePartTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void whatIsSaidToBeFarFromTheProfileIsAtItsNearerEnd() {
        TimePart first = new TimePart(0, 60 * SECOND, 0, 30 * SECOND);
        TimePart last = new TimePart(0, 60 * SECOND, 30 * SECOND, 60 * SECOND);
        long before = Long.MIN_VALUE / SECOND - 1;
        long after = Long.MAX_VALUE / SECOND + 1;

        assertThat(first.includes(before)).isTrue();
        assertThat(last.includes(before)).isFalse();
        assertThat(first.includes(after)).isFalse();
        assertThat(last.includes(after)).isTrue();
        assertThat(last.before(last.from(), before, 5, 0)).isEqualTo(5);
        assertThat(last.before(last.from(), after, 5, 0)).isZero();
    }
}
