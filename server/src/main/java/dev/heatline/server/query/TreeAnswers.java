package dev.heatline.server.query;

import dev.heatline.model.Profile;
import dev.heatline.report.Report;
import dev.heatline.report.ReportOptions;
import dev.heatline.report.View;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** Calling contexts, the largest of them: {@code /flamegraph} and {@code /tree}. */
final class TreeAnswers {
    private static final int USUAL_FLAMES = 20_000;
    private static final int MOST_FLAMES = 200_000;
    private static final int USUAL_ROWS = 1_000;
    private static final int MOST_ROWS = 20_000;

    /** Deeper than any stack. */
    private static final int DEEPEST = 100_000;

    /** A row of a tree has its whole path, so few rows of deep stacks can be a long answer. */
    private static final int LONGEST_PATHS = 300_000;

    private final Questions questions;

    TreeAnswers(Questions questions) {
        this.questions = questions;
    }

    /** What the flame graph component reads, of the largest contexts or those below a path. */
    byte[] flameGraph(Params params) {
        int most = params.number("maxNodes", USUAL_FLAMES, 1, MOST_FLAMES);
        return answer(params, View.FLAME, new Cut.Bounds(most, DEEPEST, Long.MAX_VALUE));
    }

    /** The rows of xtree. */
    byte[] tree(Params params) {
        int most = params.number("limit", USUAL_ROWS, 1, MOST_ROWS);
        int deepest = params.number("depth", DEEPEST, 1, DEEPEST);
        return answer(params, View.XTREE, new Cut.Bounds(most, deepest, LONGEST_PATHS));
    }

    private byte[] answer(Params params, View view, Cut.Bounds bounds) {
        boolean lines = params.flag("lines");
        List<String> path = params.given("node");
        Chosen chosen = questions.chosen(params);
        Profile whole = lines ? chosen.profile() : chosen.part().folded();
        Cut cut = Cut.of(whole, Metrics.column(whole, chosen.resource()), path, bounds);
        ReportOptions options = chosen.reportOptions().foldLines(!lines).limit(0).build();
        Report report = view.of(cut.profile(), options);
        return Json.object(
                json -> {
                    Json.question(json, chosen);
                    cut(json, cut, path);
                },
                report);
    }

    private static void cut(JsonGenerator json, Cut cut, List<String> path) {
        json.writeName("contexts").writeStartObject();
        if (!path.isEmpty()) {
            Json.strings(json, "below", path);
        }
        json.writeNumberProperty("shown", cut.shown());
        json.writeNumberProperty("hidden", cut.hidden());
        if (!cut.threads()) {
            json.writeBooleanProperty("threadsLeftOut", true);
        }
        json.writeEndObject();
    }
}
