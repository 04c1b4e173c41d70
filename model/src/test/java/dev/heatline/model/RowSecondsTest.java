package dev.heatline.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class RowSecondsTest {
    private static final long NEW_YEAR = 1_767_225_600;

    /** Samples of a method on a thread in a second. */
    record Seen(String method, int thread, long second, long samples) {}

    @Provide
    Arbitrary<List<Seen>> samples() {
        return Combinators.combine(
                        Arbitraries.of("a", "ab", "ac", "d"),
                        Arbitraries.integers().between(0, 2),
                        Arbitraries.longs().between(-3, 5).map(second -> NEW_YEAR + second),
                        Arbitraries.longs().between(0, 5))
                .as(Seen::new)
                .list()
                .ofMaxSize(40);
    }

    private static ProfileBuilder builder(List<Seen> samples) {
        ProfileBuilder builder = new ProfileBuilder();
        for (Seen seen : samples) {
            builder.column(Resource.SAMPLES)
                    .add(
                            node(builder, seen.method),
                            builder.consumer(Consumer.thread("", "t" + seen.thread)),
                            seen.samples,
                            seen.second);
        }
        return builder;
    }

    private static int node(ProfileBuilder builder, String path) {
        int node = Profile.ROOT;
        for (int i = 0; i < path.length(); i++) {
            int consumer = builder.consumer(Consumer.method(path.substring(i, i + 1)));
            node = builder.child(node, consumer, Site.NONE);
        }
        return node;
    }

    private static Profile profile(List<Seen> samples) {
        return builder(samples).build(Provenance.NONE);
    }

    /** What a profile says was seen, as text. */
    private static Map<String, Long> said(Profile profile) {
        Map<String, Long> said = new TreeMap<>();
        for (Column column : profile.columns()) {
            RowSeconds seconds = column.seconds();
            for (int row = 0; row < column.rows(); row++) {
                for (int part = seconds.start(row); part < seconds.end(row); part++) {
                    said.put(
                            profile.path(column.node(row)).getLast().name()
                                    + profile.path(column.node(row)).size()
                                    + profile.consumerAt(column.thread(row)).name()
                                    + seconds.second(part),
                            seconds.amount(part));
                }
            }
        }
        return said;
    }

    @Property
    void everySampleIsInItsSecond(@ForAll("samples") List<Seen> samples) {
        Map<String, Long> expected = new TreeMap<>();
        for (Seen seen : samples) {
            if (seen.samples > 0) {
                String method = seen.method.substring(seen.method.length() - 1);
                expected.merge(
                        method + seen.method.length() + "t" + seen.thread + seen.second,
                        seen.samples,
                        Long::sum);
            }
        }
        assertThat(said(profile(samples))).isEqualTo(expected);
    }

    @Property
    void orderAndGroupingDoNotMatter(@ForAll("samples") List<Seen> samples, @ForAll Random random) {
        List<Seen> shuffled = new ArrayList<>(samples);
        Collections.shuffle(shuffled, random);
        int half = shuffled.size() / 2;
        ProfileBuilder parts = builder(shuffled.subList(half, shuffled.size()));
        parts.addAll(builder(shuffled.subList(0, half)));

        assertThat(parts.build(Provenance.NONE)).isEqualTo(profile(samples));
    }

    @Example
    void aRowThatIsNotWhollyKnownIsNotKnown() {
        ProfileBuilder builder = builder(List.of(new Seen("a", 0, NEW_YEAR, 2)));
        builder.addAll(builder(List.of(new Seen("d", 0, NEW_YEAR, 3))));
        int thread = builder.consumer(Consumer.thread("", "t0"));
        builder.column(Resource.SAMPLES).add(node(builder, "a"), thread, 1);

        assertThat(said(builder.build(Provenance.NONE)))
                .containsExactly(Map.entry("d1t0" + NEW_YEAR, 3L));
    }

    @Property
    void mergingKeepsSecondsInAnyOrder(
            @ForAll("samples") List<Seen> a,
            @ForAll("samples") List<Seen> b,
            @ForAll("samples") List<Seen> c) {
        Profile all = profile(Stream.of(a, b, c).flatMap(List::stream).toList());
        Profile left = Operations.merge(List.of(profile(a), profile(b)));

        assertThat(Operations.merge(List.of(left, profile(c)))).isEqualTo(all);
        assertThat(Operations.merge(List.of(profile(c), left))).isEqualTo(all);
    }

    @Example
    void inARowOfManySecondsNoneIsKnown() {
        ProfileBuilder builder = new ProfileBuilder();
        int node = node(builder, "a");
        int other = node(builder, "d");
        for (int second = 0; second <= RowSeconds.MOST_PER_ROW; second++) {
            builder.column(Resource.SAMPLES).add(node, Column.NO_THREAD, 1, second);
        }
        builder.column(Resource.SAMPLES).add(other, Column.NO_THREAD, 1, 7);
        Column column = builder.build(Provenance.NONE).column("samples").orElseThrow();

        assertThat(column.total()).isEqualTo(RowSeconds.MOST_PER_ROW + 2);
        assertThat(column.seconds().parts()).isEqualTo(1);
    }

    @Example
    void impossibleSecondsAreNotKnownWhicheverComesFirst() {
        for (long second : List.of(Long.MIN_VALUE, -1L, 1L << 32, Long.MAX_VALUE)) {
            List<Seen> seen = List.of(new Seen("a", 0, NEW_YEAR, 1), new Seen("a", 1, second, 1));
            assertThat(said(profile(seen))).containsOnlyKeys("a1t0" + NEW_YEAR);
            assertThat(profile(seen.reversed())).isEqualTo(profile(seen));
        }
    }

    @Example
    void secondsMayBeFarApart() {
        List<Seen> seen = List.of(new Seen("a", 0, 0, 1), new Seen("d", 0, RowSeconds.LAST, 2));

        assertThat(said(profile(seen)))
                .isEqualTo(Map.of("a1t00", 1L, "d1t0" + RowSeconds.LAST, 2L));
        assertThat(profile(seen.reversed())).isEqualTo(profile(seen));
    }

    @Example
    void aFinerUnitKeepsTheSeconds() {
        Resource coarse = Resource.seconds("blocked", "contentions").withPerUnit(1000);
        ProfileBuilder one = new ProfileBuilder();
        one.column(coarse).add(node(one, "a"), one.consumer(Consumer.thread("", "t0")), 3, 7);
        ProfileBuilder other = new ProfileBuilder();
        other.column(coarse.withPerUnit(1_000_000)).add(Profile.ROOT, Column.NO_THREAD, 5);
        Profile first = one.build(Provenance.NONE);
        Profile second = other.build(Provenance.NONE);

        Profile merged = Operations.merge(List.of(first, second));

        assertThat(merged).isEqualTo(Operations.merge(List.of(second, first)));
        assertThat(said(merged)).isEqualTo(Map.of("a1t07", 3000L));
    }

    @Example
    void secondsThatAreNotThoseOfTheRowsAreRefused() {
        Column column =
                profile(List.of(new Seen("a", 0, 0, 5), new Seen("d", 0, 0, 2)))
                        .columns()
                        .getFirst();
        refuse(column, 0, new int[] {0, 1}, new int[] {0}, new long[] {5});
        refuse(column, 0, new int[] {0, 2, 1}, new int[] {0}, new long[] {5});
        refuse(column, 0, new int[] {0, 1, 2}, new int[] {0}, new long[] {5});
        refuse(column, 0, new int[] {0, 1, 1}, new int[] {0}, new long[] {4});
        refuse(column, 0, new int[] {0, 1, 1}, new int[] {1}, new long[] {5});
        refuse(column, 0, new int[] {0, 2, 2}, new int[] {0, 0}, new long[] {2, 3});
        refuse(column, 0, new int[] {0, 2, 2}, new int[] {0, 1}, new long[] {6, -1});
        refuse(column, 1, new int[] {0, 2, 2}, new int[] {0, -1}, new long[] {2, 3});
        for (long first : List.of(Long.MIN_VALUE, -1L, Long.MAX_VALUE)) {
            refuse(column, first, new int[] {0, 1, 1}, new int[] {0}, new long[] {5});
        }
        Column known =
                column.withSeconds(
                        RowSeconds.of(7, new int[] {0, 2, 2}, new int[] {0, 9}, new long[] {2, 3}));
        assertThat(known.seconds().parts()).isEqualTo(2);
    }

    private static void refuse(
            Column column, long first, int[] starts, int[] offsets, long[] amounts) {
        RowSeconds wrong = RowSeconds.of(first, starts, offsets, amounts);
        assertThatThrownBy(() -> column.withSeconds(wrong))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("seconds");
    }
}
