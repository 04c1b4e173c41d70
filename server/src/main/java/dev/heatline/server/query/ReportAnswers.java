package dev.heatline.server.query;

import dev.heatline.model.Column;
import dev.heatline.model.Resource;
import dev.heatline.report.DiffReport;
import dev.heatline.report.ReportOptions;
import dev.heatline.report.View;
import java.util.List;
import java.util.Locale;

/** Other views of a selection: {@code /resources}, {@code /threads} and {@code /compare}. */
final class ReportAnswers {
    private static final int USUAL_ROWS = 100;
    private static final int MOST_ROWS = 10_000;

    private final Questions questions;
    private final Selections selections;

    ReportAnswers(Questions questions, Selections selections) {
        this.questions = questions;
        this.selections = selections;
    }

    /** Which resources were recorded, and how much of each. */
    byte[] resources(Params params) {
        Chosen chosen = questions.ofAllResources(params);
        Resource main = chosen.ofAny().ofResource().shown();
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
                        json.writeBooleanProperty("main", resource.equals(main));
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
        Sides sides = questions.sides(params);
        Chosen after = sides.now();
        Chosen before = sides.before().orElseThrow(ReportAnswers::nothingSaid);
        if (before.isEmpty() || after.isEmpty()) {
            return nothingToCompare(before, after);
        }
        ReportOptions options = after.reportOptions().limit(limit).build();
        return Json.object(
                json -> {
                    Json.question(json, after);
                    Json.baseline(json, before);
                },
                selections.compared(
                        before.profile(),
                        after.profile(),
                        (earlier, now) -> DiffReport.of(earlier, now, options)));
    }

    private static QueryException nothingSaid() {
        return QueryException.badRequest(
                "compare with what? write baseline=VERSION, or baselineFrom=now-2h and"
                        + " baselineUntil=now-1h");
    }

    /** Where one side is empty there are no shares to compare, which is no fault of who asks. */
    private static byte[] nothingToCompare(Chosen before, Chosen after) {
        Metrics now = after.isEmpty() ? nothingLike(before, after) : after.metrics();
        Metrics then = before.isEmpty() ? nothingLike(after, before) : before.metrics();
        return Json.object(
                json -> {
                    Json.question(json, after);
                    Json.baseline(json, before);
                    Json.head(json, "diff", after, now);
                    json.writeNumberProperty("baselineTotal", then.exact(then.total()));
                    if (then.counted()) {
                        json.writeNumberProperty("baselineCalls", then.totalOccurrences());
                    }
                    Json.strings(json, "remarks", List.of(whyNothing(before, after)));
                    Json.strings(json, "rows", List.of());
                    Json.strings(json, "paths", List.of());
                });
    }

    private static Metrics nothingLike(Chosen other, Chosen empty) {
        return Metrics.nothingLike(other.metrics(), empty.profile());
    }

    private static String whyNothing(Chosen before, Chosen after) {
        if (before.isUnknown() || after.isUnknown()) {
            return "nothing to compare: "
                    + (before.isUnknown() ? "the baseline" : "the selection")
                    + " holds no profiles";
        }
        return before.isEmpty()
                ? "all of this is new: the baseline has no such thread, method or task"
                : "all of this is gone: only the baseline has such a thread, method or task";
    }
}
