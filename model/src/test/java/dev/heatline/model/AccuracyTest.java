package dev.heatline.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class AccuracyTest {
    private static final String SAMPLES = "samples";

    @Provide
    Arbitrary<Profile> profiles() {
        return Trees.profiles().filter(profile -> edgeWeight(profile) > 0);
    }

    /** What the root uses itself belongs to no edge. */
    private static long edgeWeight(Profile profile) {
        return Operations.focus(profile, c -> c.isMethod())
                .column(SAMPLES)
                .map(Column::total)
                .orElse(0L);
    }

    @Test
    void overlapAddsTheSmallerRelativeWeights() {
        Profile a = Trees.of("ab 2", "ac 2");
        Profile b = Trees.of("ab 1", "ad 3");
        assertThat(Accuracy.overlap(a, b, SAMPLES)).isEqualTo(0.25);
    }

    @Test
    void sameMethodsUnderOtherParentsAreOtherEdges() {
        assertThat(Accuracy.overlap(Trees.of("ab 1"), Trees.of("cb 1"), SAMPLES)).isZero();
    }

    @Test
    void hotEdgeCoverageIsRelativeToTheHottestEdge() {
        Profile a = Trees.of("ab 100", "ac 10", "ad 9");
        Profile b = Trees.of("ab 10", "ac 10", "ad 10", "ae 1");

        assertThat(Accuracy.hotEdgeCoverage(a, b, SAMPLES, 0.1))
                .as("of b's four hot edges a has ab and ac")
                .isEqualTo(0.5);
        assertThat(Accuracy.hotEdgeCoverage(b, a, SAMPLES, 0.1)).as("not commutative").isEqualTo(1);
        assertThat(Accuracy.hotEdgeCoverage(a, b, SAMPLES, 0.6)).isEqualTo(1.0 / 3);
    }

    @Property
    void overlapIsCommutativeAndOneForEquals(
            @ForAll("profiles") Profile a, @ForAll("profiles") Profile b) {
        double overlap = Accuracy.overlap(a, b, SAMPLES);
        assertThat(overlap).isBetween(0.0, 1.0);
        assertThat(overlap).isEqualTo(Accuracy.overlap(b, a, SAMPLES));
        assertThat(Accuracy.overlap(a, Operations.scale(a, 3), SAMPLES)).isCloseTo(1, within(1e-9));
    }

    @Test
    void anAverageHasAllEdgesWithTheMeanOfTheirRelativeWeights() {
        Profile average =
                Accuracy.average(List.of(Trees.of("ab 1", "ac 1"), Trees.of("ab 30")), SAMPLES);
        Column share = average.column("share").orElseThrow();
        long[] weight = share.self(average.nodeCount());

        assertThat(share.resource().inUnits(weight[Trees.node(average, "ab")])).isEqualTo(0.75);
        assertThat(share.resource().inUnits(weight[Trees.node(average, "ac")])).isEqualTo(0.25);
    }

    @Test
    void aSetOfLikeProfilesIsConsistentAndAgreesWithItself() {
        List<Profile> set = List.of(Trees.of("ab 10", "ac 10"), Trees.of("ab 11", "ac 9"));
        Accuracy.Consistency consistency = Accuracy.consistency(set, SAMPLES, 0.1);

        assertThat(consistency.medianOverlap()).isCloseTo(0.975, within(1e-9));
        assertThat(consistency.medianCoverage()).isEqualTo(1);
        Accuracy.Agreement agreement =
                Accuracy.agreement(List.of(set, List.of(Trees.of("ad 1"))), SAMPLES, 0.1);
        assertThat(agreement.overlap().get(0).get(0)).isCloseTo(1, within(1e-9));
        assertThat(agreement.overlap().get(0).get(1)).isZero();
    }

    @Test
    void generatedNamesOfEqualCodeAreEqual() {
        List<String> lambdas =
                List.of(
                        "shop.Cart$$Lambda$14/0x0000000800c03000",
                        "shop.Cart$$Lambda/0x00007f1234567890",
                        "shop.Cart$$Lambda+0x00007f12345678/90",
                        "shop.Cart$$Lambda.0x00007f12",
                        "shop.Cart$$Lambda$7/1234567",
                        "shop.Cart$$Lambda$107.802600647");
        assertThat(lambdas)
                .extracting(GeneratedNames::normaliseClass)
                .containsOnly("shop.Cart$$Lambda");
        assertThat(GeneratedNames.normaliseClass("jdk.proxy2.$Proxy12"))
                .isEqualTo(GeneratedNames.normaliseClass("jdk.proxy3.$Proxy7"));
        assertThat(GeneratedNames.normaliseClass("jdk.internal.reflect.GeneratedMethodAccessor7"))
                .isEqualTo("jdk.internal.reflect.GeneratedMethodAccessor");
        assertThat(GeneratedNames.normaliseClass("java.lang.invoke.LambdaForm$MH/0x0000000800"))
                .isEqualTo("java.lang.invoke.LambdaForm$MH");
        assertThat(GeneratedNames.normaliseClass("shop.Cart$Item1")).isEqualTo("shop.Cart$Item1");
    }

    @Test
    void parametersCountOnlyWhereBothProfilesTellThem() {
        Profile described = one(Consumer.method("C", "m", "(I)V"));
        assertThat(Accuracy.overlap(described, one(Consumer.method("C.m")), SAMPLES)).isEqualTo(1);
        assertThat(Accuracy.overlap(described, one(Consumer.method("C.m(int)")), SAMPLES))
                .isEqualTo(1);
        assertThat(Accuracy.overlap(described, one(Consumer.method("C.m(long)")), SAMPLES))
                .isZero();
    }

    private static Profile one(Consumer method) {
        ProfileBuilder builder = new ProfileBuilder();
        int node = builder.child(Profile.ROOT, builder.consumer(method), Site.NONE);
        builder.column(Resource.SAMPLES).add(node, Column.NO_THREAD, 1);
        return builder.build(Provenance.NONE);
    }

    @Test
    void aProfileWithoutTheResourceCannotBeCompared() {
        assertThatThrownBy(() -> Accuracy.overlap(Trees.of("a 1"), Trees.of(), SAMPLES))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("no values of resource samples");
    }
}
