package dev.heatline.server.query;

import dev.heatline.model.Column;
import dev.heatline.model.Resource;
import dev.heatline.report.DiffReport;
import dev.heatline.report.View;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Other views of a selection: {@code /resources}, {@code /threads} and {@code /compare}. */
final class ReportAnswers {
    private static final int USUAL_ROWS = 100;
    private static final int MOST_ROWS = 10_000;

    private final Questions questions;

    ReportAnswers(Questions questions) {
        this.questions = questions;
    }

    /** Which resources were recorded, and how much of each. */
    byte[] resources(Params params) {
        Chosen chosen = questions.chosen(params);
        Optional<Resource> main = chosen.profile().mainColumn().map(Column::resource);
        return Json.object(
                json -> {
                    Json.question(json, chosen);
                    json.writeName("rows").writeStartArray();
                    for (Column column : chosen.profile().columns()) {
                        Resource resource = column.resource();
                        json.writeStartObject();
                        json.writeStringProperty("name", resource.name());
                        json.writeStringProperty("unit", resource.unit());
                        json.writeStringProperty(
                                "kind", resource.kind().name().toLowerCase(Locale.ROOT));
                        json.writeStringProperty("occurrences", resource.occurrences());
                        json.writeNumberProperty("total", Metrics.exact(resource, column.total()));
                        json.writeBooleanProperty("main", main.equals(Optional.of(resource)));
                        json.writeEndObject();
                    }
                    json.writeEndArray();
                    Json.provenance(json, chosen.profile().provenance());
                });
    }

    /** What each thread used. */
    byte[] threads(Params params) {
        int limit = params.number("limit", USUAL_ROWS, 1, MOST_ROWS);
        Chosen chosen = questions.chosen(params);
        return Json.object(
                json -> Json.question(json, chosen),
                View.THREADS.of(chosen.profile(), chosen.reportOptions().limit(limit).build()));
    }

    /** What changed since a baseline: another version, or another time. */
    byte[] compare(Params params) {
        int limit = params.number("limit", USUAL_ROWS, 1, MOST_ROWS);
        Scope scope = questions.scope(params);
        Filter filter = questions.filter(params);
        Chosen before = questions.chosen(questions.baseline(scope, params), filter, params);
        Chosen after = questions.chosen(scope, filter, params);
        if (before.isEmpty() || after.isEmpty()) {
            return nothingToCompare(before, after);
        }
        return Json.object(
                json -> {
                    Json.question(json, after);
                    Json.baseline(json, before);
                },
                DiffReport.of(
                        before.profile(),
                        after.profile(),
                        after.reportOptions().limit(limit).build()));
    }

    /** Where one side is empty nothing can be said of changes, which is no fault of who asks. */
    private static byte[] nothingToCompare(Chosen before, Chosen after) {
        Metrics metrics = after.metrics();
        return Json.object(
                json -> {
                    Json.question(json, after);
                    Json.baseline(json, before);
                    Json.head(json, "diff", after, metrics);
                    json.writeNumberProperty(
                            "baselineTotal", before.metrics().exact(before.metrics().total()));
                    Json.strings(
                            json,
                            "remarks",
                            List.of(
                                    "nothing to compare: "
                                            + (before.isEmpty() ? "the baseline" : "the selection")
                                            + " holds no profiles"));
                    Json.strings(json, "rows", List.of());
                    Json.strings(json, "paths", List.of());
                });
    }
}
