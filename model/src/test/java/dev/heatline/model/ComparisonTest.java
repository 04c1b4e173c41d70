package dev.heatline.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComparisonTest {

    private static Comparison.MethodChange change(Comparison comparison, String method) {
        return comparison.methods().stream()
                .filter(row -> row.method().name().equals(method))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void sharesAreComparedNotAbsoluteValues() {
        Comparison comparison =
                Comparison.of(Trees.of("ab 100", "ac 100"), Trees.of("ab 600", "ac 200"), "cpu");
        Comparison.Change b = change(comparison, "b").cum();

        assertThat(b.baseline().share()).isEqualTo(0.5);
        assertThat(b.current().share()).isEqualTo(0.75);
        assertThat(b.difference()).isEqualTo(0.25);
        assertThat(b.ratio()).isEqualTo(1.5);
        assertThat(b.noise()).isLessThan(1e-9);
        assertThat(change(comparison, "a").cum().noise()).isEqualTo(1);
    }

    @Test
    void newAndRemovedMethodsAreThere() {
        Comparison comparison = Comparison.of(Trees.of("ab 9"), Trees.of("ac 9"), "samples");
        assertThat(change(comparison, "c").cum().ratio()).isInfinite();
        assertThat(change(comparison, "b").cum().ratio()).isZero();
    }

    /** {@code h} drifts by more points than the cause {@code r}, whose callers change with it. */
    @Test
    void theCauseStandsOutBeforeItsCallersAndBeforeWhatIsLargeAnyway() {
        Comparison comparison =
                Comparison.of(
                        Trees.of("pqr 20", "p 100", "h 480", "x 200", "y 200"),
                        Trees.of("pqr 100", "p 100", "h 570", "x 115", "y 115"),
                        "samples");
        assertThat(change(comparison, "h").cum().difference())
                .isGreaterThan(change(comparison, "r").cum().difference());
        assertThat(comparison.methods())
                .extracting(row -> row.method().name())
                .startsWith("r")
                .containsSubsequence("r", "q", "p")
                .containsSubsequence("r", "h");
    }

    /** {@code c} is what compilers show under another name in one of the profiles. */
    @Test
    void theCauseStandsOutBeforeWhatIsSmallAndGone() {
        Comparison comparison =
                Comparison.of(
                        Trees.of("r 104", "c 24", "h 872"),
                        Trees.of("r 188", "c 1", "h 811"),
                        "samples");
        assertThat(comparison.methods().getFirst().method().name()).isEqualTo("r");
    }

    /** {@code h} was compiled better in one of the JVMs, and makes room for what grew. */
    @Test
    void theCauseStandsOutBeforeALargeMethodThatShrank() {
        Comparison comparison =
                Comparison.of(
                        Trees.of("h 481", "r 79", "o 440"),
                        Trees.of("h 302", "r 208", "o 490"),
                        "samples");
        assertThat(comparison.methods().getFirst().method().name()).isEqualTo("r");
    }

    @Test
    void prominenceIsTheDifferenceTimesItsStandardErrors() {
        Comparison comparison =
                Comparison.of(Trees.of("a 3", "b 1"), Trees.of("a 1", "c 3"), "samples");
        assertThat(change(comparison, "a").cum().prominence())
                .as("shrunk")
                .isCloseTo(0.5 * 0.5 * 0.5 / Math.sqrt(0.5), within(1e-12));
        assertThat(change(comparison, "b").cum().prominence())
                .as("gone")
                .isCloseTo(0.5 * 0.25 * 0.25 / Math.sqrt(0.125), within(1e-12));
        assertThat(change(comparison, "c").cum().prominence())
                .as("new")
                .isCloseTo(0.75 * 0.75 / Math.sqrt(0.375), within(1e-12));
    }

    @Test
    void pathsAreComparedContextByContext() {
        Comparison comparison =
                Comparison.of(Trees.of("ab 50", "cb 50"), Trees.of("ab 90", "cb 10"), "samples");
        assertThat(change(comparison, "b").cum().difference()).isZero();
        assertThat(comparison.paths(0.01))
                .extracting(row -> row.path().size() + " " + row.cum().difference())
                .containsExactly("1 0.4", "2 0.4", "1 -0.4", "2 -0.4");
    }

    @Test
    void exactCountsHaveNoNoise() {
        Profile before = calls(10, 10);
        Profile after = calls(10, 11);
        Comparison.Change change = change(Comparison.of(before, after, "calls"), "b").cum();
        assertThat(change.noise()).isZero();
    }

    /** One hit in five against 2500 in a million is nothing to go by. */
    @Test
    void aSmallProfileAgainstALargeOneIsJudgedExactly() {
        assertThat(SamplingNoise.probability(1, 5, 2500, 1_000_000))
                .isCloseTo(0.0125, within(0.0005));
    }

    @Test
    void fewHeavySamplesAreNoisierThanManyLightOnes() {
        Profile before = weighted(100, 100, 100, 100);
        assertThat(noiseOfA(before, weighted(1, 200, 100, 100))).isBetween(0.05, 1.0);
        assertThat(noiseOfA(before, weighted(200, 200, 100, 100))).isLessThan(1e-3);
        assertThat(noiseOfA(before, weighted(100, 1000, 100, 100)))
                .as("ten times the bytes in as many samples")
                .isLessThan(1e-3);
    }

    private static double noiseOfA(Profile before, Profile after) {
        return change(Comparison.of(before, after, "allocated"), "a").cum().noise();
    }

    private static Profile weighted(long countA, long bytesA, long countB, long bytesB) {
        ProfileBuilder builder = new ProfileBuilder();
        int a = builder.child(0, builder.consumer(Consumer.method("a")), Site.NONE);
        int b = builder.child(0, builder.consumer(Consumer.method("b")), Site.NONE);
        ColumnBuilder count = builder.column(Resource.count("allocations"));
        ColumnBuilder bytes = builder.column(Resource.bytes("allocated", "allocations"));
        count.add(a, Column.NO_THREAD, countA);
        count.add(b, Column.NO_THREAD, countB);
        bytes.add(a, Column.NO_THREAD, bytesA);
        bytes.add(b, Column.NO_THREAD, bytesB);
        return builder.build(Provenance.NONE);
    }

    @Test
    void differentlyFineUnitsAreComparedInTheFinerOne() {
        Resource tenths = new Resource("work", "items", Resource.Kind.AMOUNT, 10, "calls");
        Resource whole = tenths.withPerUnit(1);
        Comparison comparison = Comparison.of(one(tenths, 15), one(whole, 2), "work");
        assertThat(comparison.baselineTotal()).isEqualTo(15);
        assertThat(comparison.currentTotal()).isEqualTo(20);
        assertThatThrownBy(
                        () ->
                                Comparison.of(
                                        one(Resource.seconds("work", "calls"), 1),
                                        one(whole, 1),
                                        "work"))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("cannot be put together");
    }

    private static Profile one(Resource resource, long value) {
        ProfileBuilder builder = new ProfileBuilder();
        int node = builder.child(0, builder.consumer(Consumer.method("a")), Site.NONE);
        builder.column(resource).add(node, Column.NO_THREAD, value);
        return builder.build(Provenance.NONE);
    }

    private static Profile calls(long ofA, long ofB) {
        ProfileBuilder builder = new ProfileBuilder();
        ColumnBuilder calls = builder.column(Resource.CALLS);
        calls.add(
                builder.child(0, builder.consumer(Consumer.method("a")), Site.NONE),
                Column.NO_THREAD,
                ofA);
        calls.add(
                builder.child(0, builder.consumer(Consumer.method("b")), Site.NONE),
                Column.NO_THREAD,
                ofB);
        return builder.build(Provenance.NONE);
    }

    /** Fisher's tea-tasting lady, and tables computed by hand from binomial coefficients. */
    @ParameterizedTest
    @CsvSource({
        "3, 4, 1, 4, 0.4857142857",
        "4, 4, 0, 4, 0.0285714286",
        "0, 5, 0, 9, 1",
        "1, 1, 1, 1, 1"
    })
    void exactProbabilitiesAgreeWithHandComputedTables(
            long hitsA, long samplesA, long hitsB, long samplesB, double expected) {
        assertThat(SamplingNoise.probability(hitsA, samplesA, hitsB, samplesB))
                .isCloseTo(expected, within(1e-9));
    }

    /** Φ: two-sided p of z = 1.959964 is 0.05, of z = 5 is 5.733e-7. */
    @Test
    void manySamplesUseTheNormalDistribution() {
        long n = 1_000_000;
        double deviation = Math.sqrt(0.25 * 2 / n);
        long shift = Math.round(1.959964 * deviation * n / 2);
        assertThat(SamplingNoise.probability(n / 2 - shift, n, n / 2 + shift, n))
                .isCloseTo(0.05, within(1e-3));
        shift = Math.round(5 * deviation * n / 2);
        assertThat(SamplingNoise.probability(n / 2 - shift, n, n / 2 + shift, n))
                .isCloseTo(5.733e-7, within(2e-8));
    }

    /** Without a change, a probability below p comes up in a proportion p of all cases, or less. */
    @Test
    void theProbabilityIsHonestWhenNothingChanged() {
        Random random = new Random(42);
        int rounds = 4000;
        int below = 0;
        for (int i = 0; i < rounds; i++) {
            long a = hits(random, 2000, 0.1);
            long b = hits(random, 3000, 0.1);
            if (SamplingNoise.probability(a, 2000, b, 3000) < 0.05) {
                below++;
            }
        }
        assertThat((double) below / rounds).isBetween(0.03, 0.06);
    }

    private static long hits(Random random, int samples, double share) {
        long hits = 0;
        for (int i = 0; i < samples; i++) {
            hits += random.nextDouble() < share ? 1 : 0;
        }
        return hits;
    }

    /** 000 table 3.2. */
    @ParameterizedTest
    @CsvSource({
        "0.05, 90, 0, 255, 0",
        "0.067, 44, 0, 125, 130",
        "0.083, 18, 0, 51, 204",
        "0.1, 0, 0, 0, 255",
        "0.133, -29, 82, 0, 173",
        "0.167, -60, 170, 0, 85",
        "0.2, -90, 255, 0, 0"
    })
    void arrowsAreThoseOfTable32(double time, double angle, int red, int green, int blue) {
        ChangeArrow arrow = ChangeArrow.of(0.1, time);
        assertThat(arrow.angle()).isCloseTo(angle, within(1.0));
        assertThat(arrow.red()).isCloseTo(red, within(2));
        assertThat(arrow.green()).isCloseTo(green, within(2));
        assertThat(arrow.blue()).isCloseTo(blue, within(2));
    }

    @Test
    void whatAppearsOrVanishesPointsHalfway() {
        assertThat(ChangeArrow.of(0, 0.1).angle()).isEqualTo(-45);
        assertThat(ChangeArrow.of(0.1, 0).angle()).isEqualTo(45);
        assertThat(ChangeArrow.of(0, 0).angle()).isZero();
    }
}
