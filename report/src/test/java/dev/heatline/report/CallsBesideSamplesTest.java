package dev.heatline.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Consumer;
import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ten samples of a search in a thread, beside its four calls, from where measuring began. */
class CallsBesideSamplesTest {

    private static Profile sampled() {
        ProfileBuilder builder = new ProfileBuilder();
        int thread = builder.consumer(Consumer.thread("", "worker"));
        int run = node(builder, Profile.ROOT, "run");
        int find = node(builder, run, "find");
        int score = node(builder, find, "score");
        builder.column(Resource.SAMPLES).add(find, thread, 2);
        builder.column(Resource.SAMPLES).add(score, thread, 8);
        builder.column(Resource.CPU).add(find, thread, 20_000_000);
        builder.column(Resource.CPU).add(score, thread, 80_000_000);
        return builder.build(Provenance.NONE);
    }

    private static Profile measured() {
        ProfileBuilder builder = new ProfileBuilder();
        int thread = builder.consumer(Consumer.thread("", "worker"));
        int find = node(builder, Profile.ROOT, "find");
        int score = node(builder, find, "score");
        int id = node(builder, find, "id");
        builder.column(Resource.CALLS).add(find, thread, 4);
        builder.column(Resource.CALLS).add(score, thread, 8_000);
        builder.column(Resource.CALLS).add(id, thread, 100);
        builder.column(Resource.COUNTED_ONLY).add(score, thread, 4_000);
        builder.column(Resource.ELAPSED).add(find, thread, 20_000_000);
        builder.column(Resource.ELAPSED).add(score, thread, 80_000_000);
        return builder.build(Provenance.NONE);
    }

    private static int node(ProfileBuilder builder, int parent, String name) {
        return builder.child(parent, builder.consumer(Consumer.method(name)), Site.NONE);
    }

    private static String text(Profile profile, String resource) {
        ReportOptions options = ReportOptions.builder().resource(resource).build();
        return Written.as(Form.TEXT, View.XPROF.of(profile, options));
    }

    @Test
    void callsForEachSampleAndTheTimeOfACallAreBesideBoth() {
        Profile both = Operations.merge(List.of(sampled(), measured()));
        assertThat(text(both, "cpu"))
                .containsPattern("samples .* calls +calls/sample +time/call")
                .containsPattern(" 8 .* 8000 +1000 +20\\.0 µs +score")
                .containsPattern(" 2 .* 4 +0\\.40 +25\\.0 ms +find")
                .containsPattern(" 0 +– +– +run");
        assertThat(text(both, "elapsed"))
                .containsPattern("calls .* samples +calls/sample +time/call")
                .containsPattern(" 8000 .* 8 +1000 +20\\.0 µs +score")
                .containsPattern(" 100 .* 0 +– +– +id");
        ReportOptions options = ReportOptions.builder().resource("cpu").build();
        assertThat(Written.as(Form.JSON, View.XPROF.of(both, options)))
                .contains("\"beside\":{\"calls\":8000,\"samples\":8,\"callsPerSample\":1000.0,")
                .contains("\"timePerCall\":2.0E-5");
    }

    @Test
    void oneAloneHasNothingBeside() {
        assertThat(text(sampled(), "cpu")).doesNotContain("calls");
        assertThat(text(measured(), "elapsed")).doesNotContain("sample", "time/call");
    }
}
