package dev.heatline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What is said of a recording. */
class WhatWasSeenTest {

    @Test
    void samplesThatStandForLittleOfTheCpuTimeAreSaidTo() {
        WhatWasSeen seen = new WhatWasSeen(sampled(40));

        assertThat(seen.unsampled(Duration.ofSeconds(10)))
                .get()
                .asString()
                .startsWith("the samples stand for 0.40 s of 10.0 s of CPU time");
        assertThat(seen.unsampled(Duration.ofMillis(900))).isEmpty();
        assertThat(new WhatWasSeen(sampled(400)).unsampled(Duration.ofSeconds(10))).isEmpty();
    }

    @Test
    void aFileIsToldByWhatIsInIt() {
        assertThat(new WhatWasSeen(sampled(1_836)).writtenTo(Path.of("now.heat")))
                .isEqualTo("wrote now.heat: 1,836 samples in 2.5 s");
        Profile nothing = new ProfileBuilder().build(Provenance.NONE);
        assertThat(new WhatWasSeen(nothing).writtenTo(Path.of("now.heat")))
                .isEqualTo("wrote now.heat: nothing was seen");
    }

    @Test
    void whatTheLockTracerMissedIsTold() {
        Profile profile = sampled(1);
        Provenance counted =
                profile.provenance()
                        .plusCount("lock events lost", 1_200)
                        .plusCount("biased", 7)
                        .withFact("classes not traced", "3")
                        .withFact("classes not restored", "2");
        assertThat(new WhatWasSeen(profile).missing()).isEmpty();
        assertThat(new WhatWasSeen(profile.withProvenance(counted)).missing())
                .containsExactly(
                        "1,200 lock events lost", "3 classes not traced", "2 classes not restored");
    }

    /** Samples every ten milliseconds. */
    private static Profile sampled(int samples) {
        ProfileBuilder builder = new ProfileBuilder();
        int node = builder.child(0, builder.consumer(Consumer.method("A")), Site.NONE);
        builder.column(Resource.SAMPLES).add(node, Column.NO_THREAD, samples);
        builder.column(Resource.CPU).add(node, Column.NO_THREAD, samples * 10_000_000L);
        return builder.build(Provenance.NONE.covering(0, 2_500_000_000L));
    }
}
