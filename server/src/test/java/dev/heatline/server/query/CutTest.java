package dev.heatline.server.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.ConsumerType;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import java.util.List;
import org.junit.jupiter.api.Test;

class CutTest {
    private static final Cut.Bounds ALL = new Cut.Bounds(200_000, 100, Long.MAX_VALUE);

    @Test
    void threadsOfManyContextsAreNotToldApart() {
        Profile profile = profile(2_000, 600);
        Cut cut = Cut.of(profile, weights(profile), List.of(), ALL);
        assertThat(cut.threads()).isFalse();
        Column samples = cut.profile().requireColumn("samples");
        assertThat(samples.rows()).isEqualTo(2_000);
        assertThat(samples.total()).isEqualTo(1_200_000);
        assertThat(cut.shown()).isEqualTo(2_001);
    }

    @Test
    void threadsOfFewContextsAre() {
        Profile profile = profile(20, 30);
        Cut cut = Cut.of(profile, weights(profile), List.of(), ALL);
        assertThat(cut.threads()).isTrue();
        assertThat(cut.profile().requireColumn("samples").rows()).isEqualTo(600);
    }

    private static long[] weights(Profile profile) {
        return TreeAnswers.weights(profile, "samples");
    }

    private static Profile profile(int methods, int threads) {
        ProfileBuilder builder = new ProfileBuilder();
        for (int method = 0; method < methods; method++) {
            int consumer = builder.consumer(consumer(ConsumerType.METHOD, "m" + method));
            int node = builder.child(Profile.ROOT, consumer, Site.NONE);
            for (int thread = 0; thread < threads; thread++) {
                int on = builder.consumer(consumer(ConsumerType.THREAD, "t" + thread));
                builder.column(Resource.SAMPLES).add(node, on, 1);
            }
        }
        return builder.build(Provenance.NONE);
    }

    private static Consumer consumer(ConsumerType type, String name) {
        return new Consumer(type, "", name, "");
    }
}
