package dev.heatline.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Column;
import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.zip.Inflater;
import java.util.zip.InflaterOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FlameGraphReportTest {
    private static final String TEMPLATE =
            "<title><!--title--></title><script type=j>/*head*/</script>"
                    + "<script type=d>/*columns*/</script><script>/*script*/</script>";

    @Test
    void thePageHoldsEveryNodeAndValue() {
        Profile profile = ArcflowExample.profile();
        String page = page(profile, ReportOptions.DEFAULTS);
        List<Long> expected = new ArrayList<>();
        expected.add((long) profile.nodeCount());
        for (int depth : FlameColumns.depths(profile)) {
            expected.add((long) depth);
        }
        for (int node = 0; node < profile.nodeCount(); node++) {
            expected.add((long) profile.consumer(node));
        }
        for (int node = 0; node < profile.nodeCount(); node++) {
            int site = profile.site(node);
            expected.add(Site.line(site) * 8L + Site.kind(site).code());
        }
        expected.add((long) profile.columns().size());
        for (Column column : profile.columns()) {
            addRows(expected, column);
        }
        assertThat(varints(between(page, "<script type=d>", "</script>"))).isEqualTo(expected);
    }

    private static void addRows(List<Long> expected, Column column) {
        expected.add((long) column.rows());
        for (int row = 0; row < column.rows(); row++) {
            expected.add((long) column.node(row) - (row == 0 ? 0 : column.node(row - 1)));
        }
        for (int row = 0; row < column.rows(); row++) {
            expected.add(1L);
        }
        for (int row = 0; row < column.rows(); row++) {
            expected.add(column.value(row));
        }
    }

    @Test
    void theHeadNamesWhatTheNumbersMean() {
        Map<String, @Nullable Object> head =
                ParsedJson.of(
                        between(
                                page(ArcflowExample.profile(), ReportOptions.DEFAULTS),
                                "<script type=j>",
                                "</script>"));
        assertThat(head)
                .containsEntry("version", 1L)
                .containsEntry("consumer", "method")
                .containsEntry("initialColumn", 1L)
                .containsEntry("consumerTypes", "rnnnnnnnnt")
                .containsEntry("folded", 0L)
                .doesNotContainKey("compare");
        assertThat(String.valueOf(head.get("consumers")))
                .isEqualTo("[AC_test_pidtid, A, B, C, E, F, G, Main, X, AC_test_pidtid]");
        assertThat(String.valueOf(head.get("columns")))
                .contains("{name=cpu, unit=s, kind=time, perUnit=1000000000, subtitle=12 of 12");
    }

    @Test
    void everyResourceSaysHowItWasTaken() {
        ProfileBuilder builder = new ProfileBuilder();
        builder.column(Resource.SAMPLES).add(Profile.ROOT, Column.NO_THREAD, 90);
        builder.column(Resource.count("allocations")).add(Profile.ROOT, Column.NO_THREAD, 7);
        Profile whole = builder.build(Provenance.NONE.withFact(Provenance.INTERVAL, "10ms"));
        ReportOptions options = ReportOptions.builder().recorded(whole).build();
        Profile part = Operations.scale(whole, 0.5);
        assertThat(page(part, options))
                .contains("\"subtitle\":\"45 of 90 samples, one every 10ms, threads not")
                .contains("\"subtitle\":\"4 of 7 allocations, threads not recorded\"}");
    }

    @Test
    void aComparisonNamesBothSides() {
        Profile both = Operations.compare(ArcflowExample.profile(), ArcflowExample.profile());
        String page = page(both, ReportOptions.DEFAULTS);
        assertThat(page).contains("\"compare\":{\"baseline\":3,\"current\":2}");
    }

    @Test
    void theSubtitleOfAComparisonTellsBothSidesAlike() {
        Profile profile = ArcflowExample.profile();
        Profile both = Operations.compare(Operations.scale(profile, 2), profile);
        assertThat(page(both, ReportOptions.DEFAULTS))
                .contains("baseline: 20.000 s in 24 calls · current: 10.000 s in 12 calls");
    }

    @Test
    void whatIsTrueOfBothSidesOfAComparisonIsToldOnce() {
        ProfileBuilder builder = new ProfileBuilder();
        builder.column(Resource.SAMPLES).add(Profile.ROOT, Column.NO_THREAD, 90);
        Provenance taken =
                Provenance.NONE.withFact(Provenance.INTERVAL, "10ms").plusCount(Provenance.LOST, 3);
        Profile profile = builder.build(taken);
        assertThat(page(Operations.compare(profile, profile), ReportOptions.DEFAULTS))
                .contains(
                        "baseline: 90 samples · current: 90 samples · both: one every 10ms, 6 lost");
    }

    @Test
    void codeThatVanishedStaysInAComparison() {
        Profile before = ArcflowExample.profile();
        Profile after = Operations.focus(before, it -> it.name().equals("X"));
        Profile both = Operations.compare(before, after);
        ReportOptions pruned = ReportOptions.builder().prune(0.25).build();
        assertThat(page(both, pruned)).contains("\"Main\"");
        assertThat(Written.as(Form.JSON, FlameGraphReport.of(both, pruned)))
                .contains("\"depth\":[0,1,2,3,");
        ReportOptions few = ReportOptions.builder().limit(10).build();
        assertThat(Written.as(Form.JSON, FlameGraphReport.of(both, few)))
                .contains("\"depth\":[0,1,2,3,");
    }

    @Test
    void whatIsPrunedIsCounted() {
        ReportOptions options = ReportOptions.builder().prune(0.25).build();
        assertThat(page(ArcflowExample.profile(), options)).contains("\"folded\":");
        assertThat(Written.as(Form.JSON, FlameGraphReport.of(ArcflowExample.profile(), options)))
                .contains("[pruned]");
    }

    @Test
    void contextsBeyondTheLimitAreSummedUpByTheirMethods() {
        ReportOptions options = ReportOptions.builder().limit(6).build();
        Map<String, @Nullable Object> json =
                ParsedJson.of(
                        Written.as(
                                Form.JSON, FlameGraphReport.of(ArcflowExample.profile(), options)));
        assertThat(String.valueOf(json.get("graph"))).doesNotContain("folded=0");
        // Main, A and B with A; below each of the two As a node for the rest, by method.
        assertThat(String.valueOf(json.get("nodes")))
                .contains("depth=[0, 1, 2, 3, 4, 4, 2, 3, 4, 5, 5, 5, 5, 5]");
    }

    @Test
    void hostileNamesCannotLeaveTheDataBlock() {
        String page = page(HostileNamesTest.profile(), ReportOptions.DEFAULTS);
        assertThat(between(page, "<script type=j>", "</script>")).doesNotContain("<", "\u2028");
        assertThat(page.split("</script>", -1)).hasSize(4);
        assertThat(
                        String.valueOf(
                                ParsedJson.of(between(page, "<script type=j>", "</script>"))
                                        .get("consumers")))
                .contains("<!--title-->/*script*/");
    }

    private static String page(Profile profile, ReportOptions options) {
        StringWriter out = new StringWriter();
        try {
            FlameGraphReport.of(profile, options).html(out, TEMPLATE, "run()");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString();
    }

    private static String between(String text, String start, String end) {
        int from = text.indexOf(start) + start.length();
        return text.substring(from, text.indexOf(end, from));
    }

    private static List<Long> varints(String base64) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (InflaterOutputStream inflate = new InflaterOutputStream(bytes, new Inflater(true))) {
            inflate.write(Base64.getDecoder().decode(base64));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<Long> values = new ArrayList<>();
        long value = 0;
        int shift = 0;
        for (byte b : bytes.toByteArray()) {
            value |= (b & 0x7fL) << shift;
            shift += 7;
            if (b >= 0) {
                values.add(value);
                value = 0;
                shift = 0;
            }
        }
        return values;
    }
}
