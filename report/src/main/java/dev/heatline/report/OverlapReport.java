package dev.heatline.report;

import dev.heatline.model.Accuracy;
import dev.heatline.model.Profile;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.OptionalInt;

/**
 * How much alike two Profiles are (001 §3.4.2).
 *
 * @param resource what was compared
 * @param overlap the degree of overlap, 0 to 1
 * @param threshold an edge is hot from this share of the hottest edge on
 * @param aCoversB the proportion of b's hot edges that are hot in a too
 * @param bCoversA the proportion of a's hot edges that are hot in b too
 */
public record OverlapReport(
        String resource, double overlap, double threshold, double aCoversB, double bCoversA)
        implements Report {

    private static final List<Field<Line>> FIELDS = List.of(new Field.Percent<>("", Line::share));

    /**
     * Compares the resource that was asked for, or else the main one of {@code b}.
     *
     * @throws ReportException if one of them has no values of it
     */
    public static OverlapReport of(Profile a, Profile b, double threshold, ReportOptions options) {
        String resource = commonResource(a, b, options);
        return new OverlapReport(
                resource,
                rounded(Accuracy.overlap(a, b, resource)),
                threshold,
                Accuracy.hotEdgeCoverage(a, b, resource, threshold),
                Accuracy.hotEdgeCoverage(b, a, resource, threshold));
    }

    /** Without the last digits, in which a sum of shares of equal profiles may differ from 1. */
    private static double rounded(double overlap) {
        return Math.rint(overlap * 1e12) / 1e12;
    }

    /** The resource to compare two Profiles by. */
    static String commonResource(Profile a, Profile b, ReportOptions options) {
        String resource =
                options.resource()
                        .or(() -> b.mainColumn().map(column -> column.resource().name()))
                        .orElseThrow(() -> new ReportException("nothing to compare: no values"));
        a.requireColumn(resource);
        return b.requireColumn(resource).resource().name();
    }

    /** One line of the report. */
    private record Line(String what, double share) {}

    private List<Line> lines() {
        return List.of(
                new Line("degree of overlap", overlap),
                new Line("of the second's hot edges are hot in the first", aCoversB),
                new Line("of the first's hot edges are hot in the second", bCoversA));
    }

    private String hotEdges() {
        return "an edge is hot from "
                + Field.percent(threshold)
                + " % of what the hottest edge has on";
    }

    @Override
    public void text(Writer out) throws IOException {
        out.append("overlap: how much alike two profiles are; ");
        out.append(VisibleText.of(resource)).append('\n');
        out.append(hotEdges()).append("\n\n");
        TextTable<Line> table =
                new TextTable<Line>(FIELDS, "", Line::what, _ -> "", OptionalInt.empty())
                        .measure(lines());
        table.heading(out);
        table.rows(out, lines());
        out.flush();
    }

    @Override
    public void json(Writer out) throws IOException {
        Json.object(
                out,
                json -> {
                    json.writeStringProperty("resource", resource);
                    json.writeNumberProperty("overlap", overlap);
                    json.writeName("hotEdgeCoverage").writeStartObject();
                    json.writeNumberProperty("threshold", threshold);
                    json.writeNumberProperty("aCoversB", aCoversB);
                    json.writeNumberProperty("bCoversA", bCoversA);
                    json.writeEndObject();
                });
    }

    @Override
    public void html(Writer out) throws IOException {
        HtmlPage page = HtmlPage.start(out, "overlap", resource);
        HtmlTable.write(
                page,
                new TableReport.Layout<>("line", FIELDS, "", Line::what, _ -> false, (_, _) -> {}),
                lines());
        page.note(hotEdges());
        page.end();
    }
}
