package dev.heatline.model;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class SubsumingMethodsTest {

    @Provide
    Arbitrary<Profile> profiles() {
        return Trees.profiles();
    }

    private static SubsumingMethods of(Profile profile, int height, int distance) {
        return SubsumingMethods.of(profile, Trees.samples(profile), height, distance);
    }

    /** s is called by a, b and c: no one method is always above it, and two levels are below. */
    @Test
    void costsBelowASubsumingMethodAreInducedByIt() {
        Profile profile = Trees.of("mas 1", "masxy 4", "mbsxy 4", "mcsx 2", "ma 3");
        SubsumingMethods methods = of(profile, 1, 1);

        int s = Trees.method(profile, "s");
        assertThat(methods.isSubsuming(s)).isTrue();
        assertThat(methods.induced(s)).isEqualTo(11);
        assertThat(methods.isSubsuming(Trees.method(profile, "x"))).as("always below s").isFalse();
        assertThat(methods.isSubsuming(Trees.method(profile, "y"))).as("a leaf").isFalse();
        assertThat(methods.height(s)).isEqualTo(2);
    }

    @Test
    void aMethodAlwaysCalledFromCloseByTheSameOneIsSubsumed() {
        Profile profile = Trees.of("pmaqsxy 1", "pmbqsxy 1");
        int s = Trees.method(profile, "s");
        assertThat(of(profile, 1, 1).isSubsuming(s)).as("q is one level above").isFalse();
        Profile farther = Trees.of("maqsxy 1", "mbrsxy 1");
        s = Trees.method(farther, "s");
        assertThat(of(farther, 1, 1).isSubsuming(s)).isTrue();
        assertThat(of(farther, 1, 3).isSubsuming(s)).as("m is three levels above").isFalse();
    }

    @Test
    void boundsThatMeanNothingAreRefused() {
        Profile profile = Trees.of("ab 1");
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> of(profile, 4, 900_000_000))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("0 to 1000");
    }

    @Property
    void inducedCostsAddUpToTheTotal(@ForAll("profiles") Profile profile) {
        if (profile.columns().isEmpty()) {
            return;
        }
        SubsumingMethods methods = of(profile, 2, 2);
        long sum = 0;
        for (int id = 0; id < profile.consumerCount(); id++) {
            sum += methods.induced(id);
        }
        assertThat(sum).isEqualTo(Trees.samples(profile).total());
    }
}
