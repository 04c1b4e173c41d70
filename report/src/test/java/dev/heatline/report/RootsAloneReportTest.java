package dev.heatline.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Consumer;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import org.junit.jupiter.api.Test;

/** What the head says of roots that were timed alone, of one measurement and of many. */
class RootsAloneReportTest {
    private static String head(Resource resource, int measurements) {
        ProfileBuilder builder = new ProfileBuilder();
        int thread = builder.consumer(Consumer.thread("", "worker"));
        int find =
                builder.child(Profile.ROOT, builder.consumer(Consumer.method("find")), Site.NONE);
        builder.column(Resource.CALLS).add(find, thread, 2);
        builder.column(Resource.ELAPSED).add(find, thread, 3_000_000_000L);
        builder.column(Resource.SAMPLES).add(find, thread, 7);
        builder.column(Resource.CPU).add(find, thread, 70_000_000);
        Provenance known = Provenance.NONE;
        for (int i = 1; i <= measurements; i++) {
            known = known.withFact(Provenance.ROOTS_ALONE, "find runs for " + i + " µs alone");
        }
        ReportOptions options = ReportOptions.builder().resource(resource.name()).build();
        return Written.as(Form.TEXT, View.XPROF.of(builder.build(known), options));
    }

    @Test
    void aFewAreShown() {
        assertThat(head(Resource.ELAPSED, 3))
                .contains("for 1 µs", "for 2 µs", "for 3 µs")
                .doesNotContain("more such");
        assertThat(head(Resource.CALLS, 5))
                .contains("for 3 µs", "and 2 more such times of roots alone")
                .doesNotContain("for 4 µs");
        assertThat(head(Resource.ELAPSED, 100))
                .contains("and at least 17 more such times of roots alone");
    }

    @Test
    void theySayNothingOfSamples() {
        assertThat(head(Resource.CPU, 5)).doesNotContain("alone");
        assertThat(head(Resource.SAMPLES, 5)).doesNotContain("alone");
    }
}
