package dev.heatline.server.query;

import dev.heatline.model.Column;
import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import dev.heatline.report.Report;
import dev.heatline.report.ReportOptions;
import dev.heatline.report.View;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JsonGenerator;

/** Calling contexts, the largest of them: {@code /flamegraph} and {@code /tree}. */
final class TreeAnswers {
    private static final int USUAL_FLAMES = 20_000;
    private static final int MOST_FLAMES = 1_000_000;
    private static final int USUAL_ROWS = 1_000;
    private static final int MOST_ROWS = 20_000;

    /** Deeper than any stack. */
    private static final int DEEPEST = 100_000;

    /** A row of a tree has its whole path, so few rows of deep stacks can be a long answer. */
    private static final int LONGEST_PATHS = 300_000;

    private final Questions questions;
    private final Selections selections;

    TreeAnswers(Questions questions, Selections selections) {
        this.questions = questions;
        this.selections = selections;
    }

    /** What the flame graph component reads, of the largest contexts or those below a path. */
    byte[] flameGraph(Params params) {
        int most = params.number("maxNodes", USUAL_FLAMES, 1, MOST_FLAMES);
        return answer(params, View.FLAME, new Cut.Bounds(most, Integer.MAX_VALUE, Long.MAX_VALUE));
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
        Sides sides = questions.sides(params);
        Chosen chosen = sides.now();
        Profile current = profile(chosen, lines);
        Profile whole =
                sides.before()
                        .map(
                                it ->
                                        selections.compared(
                                                profile(it, lines), current, Operations::compare))
                        .orElse(current);
        String resource = shown(sides);
        Cut cut = Cut.of(whole, weights(whole, resource), path, bounds);
        ReportOptions.Builder options = chosen.reportOptions().foldLines(!lines).limit(0);
        Optional<String> compared = sides.before().flatMap(_ -> inEither(cut.profile(), resource));
        compared.ifPresent(options::resource);
        Report report = view.of(cut.profile(), options.build());
        return Json.object(
                json -> {
                    Json.question(json, chosen);
                    sides.before().ifPresent(it -> Json.baseline(json, it));
                    boolean isNew =
                            compared.equals(Optional.of(resource))
                                    && cut.profile()
                                            .column(resource + Operations.BASELINE)
                                            .isEmpty();
                    if (isNew) {
                        json.writeNumberProperty("baselineTotal", 0);
                    }
                    cut(json, cut, path);
                },
                report);
    }

    private static Profile profile(Chosen chosen, boolean lines) {
        return lines ? chosen.profile() : chosen.part().folded();
    }

    /** The resource that is asked about; where there is nothing, that of the baseline. */
    private static String shown(Sides sides) {
        Chosen known = sides.before().filter(_ -> sides.now().isEmpty()).orElse(sides.now());
        return known.shown().name();
    }

    /** The name that a resource has in a comparison; what only the baseline used has its name. */
    private static Optional<String> inEither(Profile compared, String resource) {
        return Stream.of(resource, resource + Operations.BASELINE)
                .filter(name -> compared.column(name).isPresent())
                .findFirst();
    }

    /** What each context used itself; of two profiles that are compared, in both together. */
    static long[] weights(Profile whole, String resource) {
        long[] weights = new long[whole.nodeCount()];
        whole.column(resource).ifPresent(column -> add(weights, column));
        whole.column(resource + Operations.BASELINE).ifPresent(column -> add(weights, column));
        return weights;
    }

    private static void add(long[] weights, Column column) {
        for (int row = 0; row < column.rows(); row++) {
            weights[column.node(row)] += column.value(row);
        }
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
