package dev.heatline.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is kept of many profiles that are one. */
class ProvenanceTest {
    private static Provenance measured(int first, int last) {
        Provenance all = Provenance.NONE;
        for (int i = first; i < last; i++) {
            String name = String.format("Cart.m%03d", i);
            all = all.withFact(Provenance.ROOTS_ALONE, name).withFact(Provenance.INSTANCE, name);
        }
        return all;
    }

    @Test
    void someOfTheTimesOfRootsAloneAreKeptWhateverIsMergedFirst() {
        Provenance all = measured(0, 30).merge(measured(30, 60)).merge(measured(60, 90));
        assertThat(all.facts().get(Provenance.ROOTS_ALONE))
                .hasSize(Provenance.MOST_ROOTS_ALONE)
                .contains("Cart.m000", "Cart.m019");
        assertThat(measured(60, 90).merge(measured(30, 60).merge(measured(0, 30)))).isEqualTo(all);
        assertThat(all.merge(Provenance.NONE)).isEqualTo(all);
    }

    @Test
    void otherFactsAreAllKept() {
        assertThat(measured(0, 90).facts().get(Provenance.INSTANCE)).hasSize(90);
    }
}
