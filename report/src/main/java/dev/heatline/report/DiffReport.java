package dev.heatline.report;

import dev.heatline.model.Column;
import dev.heatline.model.Comparison;
import dev.heatline.model.Consumer;
import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.core.JsonGenerator;

/**
 * What changed between two Profiles, with the probability that it is only noise. Shares are
 * compared; see {@link Comparison}. Rows whose share changed by less than {@link
 * ReportOptions#prune} are hidden.
 */
public final class DiffReport implements Report {
    private static final int USUAL_TEXT_PATHS = 10;

    /** Contexts that changed less are not listed unless that is asked for. */
    private static final double USUAL_PATH_CHANGE = 0.01;

    private final Comparison comparison;
    private final Head head;
    private final Measurement measured;
    private final TableReport<Comparison.MethodChange> methods;
    private final List<Comparison.PathChange> paths;

    private DiffReport(Comparison comparison, ReportOptions options) {
        this.comparison = comparison;
        this.measured = Measurement.of(comparison.profile(), comparison.resource().name());
        this.head =
                new Head(
                        "diff",
                        "changes of each method's share since the baseline",
                        measured,
                        options,
                        List.of(
                                baselineLine(),
                                "noise is the probability that sampling alone makes such a"
                                        + " difference"));
        Hidden hidden = new Hidden(measured, options.prune());
        List<Comparison.MethodChange> rows = new ArrayList<>();
        for (Comparison.MethodChange row : comparison.methods()) {
            if (isEnough(row.cum()) || isEnough(row.self())) {
                rows.add(row);
            } else {
                hidden.add(1, row.self().current().value());
            }
        }
        this.methods = new TableReport<>(head, layout(), rows, hidden);
        this.paths = comparison.paths(options.prune() > 0 ? options.prune() : USUAL_PATH_CHANGE);
    }

    /** The changes from one Profile to another that a comparison found. */
    public static DiffReport of(Comparison comparison, ReportOptions options) {
        return new DiffReport(comparison, options);
    }

    /**
     * Compares the resource that was asked for, or else the main one of {@code current}.
     *
     * @throws ReportException if one of them has no values of it
     */
    public static DiffReport of(Profile baseline, Profile current, ReportOptions options) {
        String resource = OverlapReport.commonResource(baseline, current, options);
        return new DiffReport(Comparison.of(baseline, current, resource), options);
    }

    private boolean isEnough(Comparison.Change change) {
        return Math.abs(change.difference()) >= head.options().prune();
    }

    private String baselineLine() {
        Optional<Column> samples =
                comparison
                        .profile()
                        .column(measured.resource().occurrences() + Operations.BASELINE);
        return "baseline total "
                + Scale.of(comparison.resource(), comparison.baselineTotal())
                        .formatWithUnit(comparison.baselineTotal())
                + samples.map(
                                column ->
                                        " in "
                                                + Head.grouped(column.total())
                                                + ' '
                                                + measured.resource().occurrences())
                        .orElse("");
    }

    private TableReport.Layout<Comparison.MethodChange> layout() {
        List<Field<Comparison.MethodChange>> fields =
                List.of(
                        new Field.Percent<>("baseline", row -> row.cum().baseline().share()),
                        new Field.Percent<>("current", row -> row.cum().current().share()),
                        new Field.Figure<>("change", row -> signed(row.cum().difference())),
                        new Field.Figure<>("noise", row -> noise(row.cum())),
                        new Field.Figure<>("base change", row -> signed(row.self().difference())),
                        new Field.Figure<>("base noise", row -> noise(row.self())));
        return new TableReport.Layout<>(
                "method", fields, "method", row -> row.method().display(), _ -> false, this::json);
    }

    /** A change in percentage points. */
    private static String signed(double difference) {
        return String.format(Locale.ROOT, "%+.2f", difference * 100);
    }

    private static String noise(Comparison.Change change) {
        if (Double.isNaN(change.noise())) {
            return "?";
        }
        return change.noise() > 0 && change.noise() < 0.001
                ? "<0.001"
                : String.format(Locale.ROOT, "%.3f", change.noise());
    }

    /** The methods, and below them the contexts that changed most. */
    @Override
    public void text(Writer out) throws IOException {
        methods.text(out);
        if (paths.isEmpty()) {
            return;
        }
        Shown<Comparison.PathChange> shown = Shown.of(paths, head.options().rows(USUAL_TEXT_PATHS));
        List<Field<Comparison.PathChange>> fields =
                List.of(
                        new Field.Percent<>("baseline", row -> row.cum().baseline().share()),
                        new Field.Percent<>("current", row -> row.cum().current().share()),
                        new Field.Figure<>("change", row -> signed(row.cum().difference())),
                        new Field.Figure<>("noise", row -> noise(row.cum())));
        TextTable<Comparison.PathChange> table =
                new TextTable<Comparison.PathChange>(
                                fields,
                                "context",
                                DiffReport::path,
                                _ -> "",
                                head.options().width())
                        .measure(shown.rows());
        out.append('\n');
        table.heading(out);
        table.rows(out, shown.rows());
        TextHead.writeNotes(out, shown.note("context"));
    }

    private static String path(Comparison.PathChange row) {
        return row.path().stream().map(Consumer::display).collect(Collectors.joining(" > "));
    }

    @Override
    public void json(Writer out) throws IOException {
        Json.object(
                out,
                json -> {
                    head.json(json);
                    json.writeNumberProperty(
                            "baselineTotal", measured.exact(comparison.baselineTotal()));
                    methods.rowsJson(json);
                    json.writeName("paths").writeStartArray();
                    for (Comparison.PathChange row : paths) {
                        json.writeStartObject();
                        json.writeName("path").writeStartArray();
                        row.path().forEach(consumer -> json.writeString(consumer.display()));
                        json.writeEndArray();
                        change(json, row.cum());
                        json.writeEndObject();
                    }
                    json.writeEndArray();
                });
    }

    private void json(JsonGenerator json, Comparison.MethodChange row) {
        json.writeStringProperty("consumer", row.method().display());
        change(json, row.cum());
        json.writeName("self").writeStartObject();
        change(json, row.self());
        json.writeEndObject();
    }

    private void change(JsonGenerator json, Comparison.Change change) {
        side(json, "baseline", change.baseline());
        side(json, "current", change.current());
        json.writeNumberProperty("change", 100 * change.difference());
        if (Double.isNaN(change.noise())) {
            json.writeNullProperty("noise");
        } else {
            json.writeNumberProperty("noise", change.noise());
        }
    }

    private void side(JsonGenerator json, String name, Comparison.Measure side) {
        json.writeName(name).writeStartObject();
        json.writeNumberProperty("value", measured.exact(side.value()));
        json.writeNumberProperty("percent", 100 * side.share());
        json.writeNumberProperty("calls", side.observations());
        json.writeEndObject();
    }

    @Override
    public void html(Writer out) throws IOException {
        methods.html(out);
    }
}
