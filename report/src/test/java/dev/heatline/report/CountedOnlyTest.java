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
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls that were counted and not timed: a root calls one method often and one now and then. */
class CountedOnlyTest {
    private static final Resource ELAPSED = Resource.seconds("elapsed", Resource.CALLS.name());

    private static Profile measured() {
        ProfileBuilder builder = new ProfileBuilder();
        int thread = builder.consumer(Consumer.thread("", "worker"));
        int find = node(builder, Profile.ROOT, "find");
        int often = node(builder, find, "often");
        int seldom = node(builder, find, "seldom");
        builder.column(Resource.CALLS).add(find, thread, 2);
        builder.column(Resource.CALLS).add(often, thread, 5_000);
        builder.column(Resource.CALLS).add(seldom, thread, 10);
        builder.column(Resource.COUNTED_ONLY).add(often, thread, 5_000);
        builder.column(Resource.COUNTED_ONLY).add(seldom, thread, 6);
        builder.column(ELAPSED).add(find, thread, 3_000_000_000L);
        builder.column(ELAPSED).add(seldom, thread, 1_000_000_000L);
        return builder.build(Provenance.NONE);
    }

    private static int node(ProfileBuilder builder, int parent, String name) {
        return builder.child(parent, builder.consumer(Consumer.method(name)), Site.NONE);
    }

    private static String text(View view, Profile profile) {
        return Written.as(Form.TEXT, view.of(profile, ReportOptions.DEFAULTS));
    }

    @ParameterizedTest
    @EnumSource(
            value = View.class,
            names = {"XPROF", "XARC", "XTREE"})
    void whatNobodyTimedHasNoTime(View view) {
        assertThat(text(view, measured()))
                .contains("5,006 calls counted only")
                .containsPattern("5000 +– +– +– +– .*often")
                .containsPattern("10 +>1\\.000 +>25\\.00 +>1\\.000 +>25\\.00 .*seldom")
                .containsPattern(" 2 +3\\.000 +75\\.00 +4\\.000 +100\\.00 .*find");
        assertThat(Written.as(Form.JSON, view.of(measured(), ReportOptions.DEFAULTS)))
                .contains("\"countedOnly\":5000", "\"countedOnly\":6");
        assertThat(Written.as(Form.HTML, view.of(measured(), ReportOptions.DEFAULTS)))
                .contains("<td>–")
                .doesNotContain("--v:–", "--v:>");
    }

    @Test
    void timesThatAreMergedTellOnlyOfCallsThatWereTimed() {
        Profile twice = Operations.merge(List.of(measured(), measured()));
        assertThat(text(View.XPROF, twice))
                .containsPattern("10000 +– +– +– +– .*often")
                .containsPattern("20 +>2\\.000 ");
    }

    @Test
    void otherResourcesLackNothing() {
        ReportOptions calls = ReportOptions.builder().resource("calls").build();
        assertThat(Written.as(Form.TEXT, View.XPROF.of(measured(), calls)))
                .doesNotContain("counted only", "–", ">");
    }

    @Test
    void theyAreNotWhatAProfileIsAbout() {
        ProfileBuilder builder = new ProfileBuilder();
        int often = node(builder, Profile.ROOT, "often");
        int thread = builder.consumer(Consumer.thread("", "worker"));
        builder.column(Resource.CALLS).add(often, thread, 9);
        builder.column(Resource.COUNTED_ONLY).add(often, thread, 9);
        assertThat(builder.build(Provenance.NONE).mainColumn().map(it -> it.resource().name()))
                .isEqualTo(Optional.of("calls"));
    }
}
