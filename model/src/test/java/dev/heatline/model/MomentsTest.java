package dev.heatline.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

class MomentsTest {
    private static final long NEW_YEAR = 1_767_225_600;

    record Seen(long second, long count) {}

    /** Now and then far away from the others, as a clock that was set may make it. */
    @Provide
    Arbitrary<List<Seen>> observations() {
        Arbitrary<Long> near = Arbitraries.longs().between(-2_000, 2_000);
        Arbitrary<Long> seconds =
                Arbitraries.frequencyOf(
                        Tuple.of(8, near.map(second -> NEW_YEAR + second)),
                        Tuple.of(1, near),
                        Tuple.of(1, Arbitraries.longs()));
        return Combinators.combine(seconds, Arbitraries.longs().between(0, 1_000_000))
                .as(Seen::new)
                .list()
                .ofMaxSize(40);
    }

    private static Moments of(List<Seen> observations) {
        Moments.Builder builder = new Moments.Builder();
        observations.forEach(seen -> builder.add(seen.second, seen.count));
        return builder.build();
    }

    @Property
    void orderAndGroupingDoNotMatter(
            @ForAll("observations") List<Seen> a,
            @ForAll("observations") List<Seen> b,
            @ForAll("observations") List<Seen> c) {
        Moments left = of(a).plus(of(b)).plus(of(c));

        assertThat(left).isEqualTo(of(c).plus(of(b)).plus(of(a)));
        assertThat(left).isEqualTo(of(a).plus(of(b).plus(of(c))));
        assertThat(of(a).plus(Moments.NONE)).isEqualTo(of(a));
    }

    @Property
    void nothingIsLostAndThereAreNeverTooMany(@ForAll("observations") List<Seen> seen) {
        Moments moments = of(seen);

        assertThat(moments.total()).isEqualTo(seen.stream().mapToLong(Seen::count).sum());
        assertThat(moments.size()).isLessThanOrEqualTo(Moments.MOST);
    }

    @Property
    void eachObservationIsInItsStretch(@ForAll("observations") List<Seen> seen) {
        Moments moments = of(seen);
        long[] expected = new long[moments.size()];
        for (Seen one : seen) {
            long limit = Long.MAX_VALUE / Resource.NANOS_PER_SECOND;
            long second = Math.clamp(one.second, -limit, limit);
            if (one.count > 0) {
                long stretch = Math.floorDiv(second, moments.seconds());
                expected[(int) (stretch - moments.first())] += one.count;
            }
        }
        for (int i = 0; i < expected.length; i++) {
            assertThat(moments.amount(i)).isEqualTo(expected[i]);
        }
    }

    @Property
    void whatIsWrittenDownIsReadAgain(@ForAll("observations") List<Seen> seen) {
        Moments moments = of(seen);
        long[] counts = new long[moments.size()];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = moments.amount(i);
        }

        assertThat(Moments.of(moments.seconds(), moments.first(), counts)).isEqualTo(moments);
    }

    @Example
    void aMinuteIsInSecondsAndAnHourInTensOfSeconds() {
        Moments.Builder builder = new Moments.Builder();
        for (int second = 0; second < 60; second++) {
            builder.add(NEW_YEAR + second, second % 10);
        }
        assertThat(builder.build().seconds()).isEqualTo(1);
        assertThat(builder.build().size()).isEqualTo(59);

        builder.add(NEW_YEAR + 3_599, 7);

        Moments hour = builder.build();
        assertThat(hour.seconds()).isEqualTo(10);
        assertThat(hour.size()).isEqualTo(360);
        assertThat(hour.first() * 10).isEqualTo(NEW_YEAR);
        assertThat(hour.amount(5)).isEqualTo(45);
        assertThat(hour.amount(359)).isEqualTo(7);
    }

    @Example
    void whatCannotBeIsRefused() {
        assertThatThrownBy(() -> Moments.of(7, 0, new long[] {1}))
                .hasMessage("moments: no stretch is 7 s long");
        assertThatThrownBy(() -> Moments.of(1, 0, new long[Moments.MOST + 1]))
                .hasMessage("moments: 601 stretches are too many");
        assertThatThrownBy(() -> Moments.of(60, Long.MAX_VALUE / 60, new long[] {1}))
                .hasMessage("moments: the time is out of range");
        assertThatThrownBy(() -> Moments.of(1, 5, new long[] {1, -1}))
                .hasMessage("moments: -1 is no amount");
    }

    @Example
    void whatIsTooMuchStaysAnAmount() {
        Moments most = Moments.of(1, NEW_YEAR, new long[] {Long.MAX_VALUE, 1});
        Moments twice = most.plus(most);

        assertThat(twice.amount(0)).isEqualTo(Long.MAX_VALUE);
        assertThat(twice.amount(1)).isEqualTo(2);
        assertThat(twice.total()).isEqualTo(Long.MAX_VALUE);
    }
}
