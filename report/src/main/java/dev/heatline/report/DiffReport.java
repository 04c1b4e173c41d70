package dev.heatline.report;

import dev.heatline.model.ChangeArrow;
import dev.heatline.model.Comparison;
import dev.heatline.model.Consumer;
import dev.heatline.model.Profile;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.core.JsonGenerator;

/**
 * What changed between two Profiles, for methods and calling contexts, with the probability that it
 * is only noise. Shares are compared; see {@link Comparison}. Rows whose share changed by less than
 * {@link ReportOptions#prune} are hidden.
 */
public final class DiffReport implements Report {
    private static final int USUAL_TEXT_PATHS = 10;

    /** Contexts that changed less are not listed unless all are asked for. */
    private static final double USUAL_PATH_CHANGE = 0.01;

    private final Comparison comparison;
    private final Head head;
    private final Measurement measured;
    private final TableReport<Comparison.MethodChange> methods;

    /** The change of share from which on contexts are listed. */
    private final double pathsFrom;

    private final List<Comparison.PathChange> paths;
    private final TableReport<Comparison.PathChange> pathTable;

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
                                "% is the share of the total, change in percentage points; noise"
                                        + " is the probability that sampling alone makes such a"
                                        + " difference"));
        this.methods = methodTable(options);
        this.pathsFrom = pathsFrom(options);
        this.paths = comparison.paths(pathsFrom);
        this.pathTable =
                new TableReport<>(head, pathLayout(), paths, new Hidden(measured, options.prune()));
    }

    private static double pathsFrom(ReportOptions options) {
        boolean all = options.limit().orElse(1) == 0;
        return options.prune() > 0 || all ? options.prune() : USUAL_PATH_CHANGE;
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

    private TableReport<Comparison.MethodChange> methodTable(ReportOptions options) {
        Hidden hidden = new Hidden(measured, options.prune());
        List<Comparison.MethodChange> rows = new ArrayList<>();
        for (Comparison.MethodChange row : comparison.methods()) {
            if (isEnough(row.cum()) || isEnough(row.self())) {
                rows.add(row);
            } else {
                hidden.add(1, row.self().current().value());
            }
        }
        return new TableReport<>(head, methodLayout(), rows, hidden);
    }

    private boolean isEnough(Comparison.Change change) {
        return Math.abs(change.difference()) >= head.options().prune();
    }

    private TableReport.Layout<Comparison.MethodChange> methodLayout() {
        List<Field<Comparison.MethodChange>> fields = fields(Comparison.MethodChange::cum);
        fields.add(new Field.Figure<>("base change", row -> signed(row.self().difference())));
        fields.add(new Field.Figure<>("base noise", row -> noise(row.self())));
        fields.add(arrows(Comparison.MethodChange::cum));
        return new TableReport.Layout<>(
                "method", fields, "method", row -> row.method().display(), _ -> false, this::json);
    }

    private TableReport.Layout<Comparison.PathChange> pathLayout() {
        List<Field<Comparison.PathChange>> fields = fields(Comparison.PathChange::cum);
        fields.add(arrows(Comparison.PathChange::cum));
        return new TableReport.Layout<>(
                "context", fields, "context", DiffReport::path, _ -> false, this::json);
    }

    /** Both sides with value and share, and what became of them. */
    private <R> List<Field<R>> fields(Function<R, Comparison.Change> change) {
        List<Field<R>> fields = new ArrayList<>();
        fields.add(
                new Field.Amount<>(
                        "baseline", measured.scale(), row -> change.apply(row).baseline().value()));
        fields.add(new Field.Percent<>("", row -> change.apply(row).baseline().share()));
        fields.add(
                new Field.Amount<>(
                        "current", measured.scale(), row -> change.apply(row).current().value()));
        fields.add(new Field.Percent<>("", row -> change.apply(row).current().share()));
        fields.add(new Field.Figure<>("change", row -> signed(change.apply(row).difference())));
        fields.add(new Field.Figure<>("noise", row -> noise(change.apply(row))));
        return fields;
    }

    private static <R> Field<R> arrows(Function<R, Comparison.Change> change) {
        return new Field.Words<>("", row -> arrow(angle(change.apply(row))));
    }

    /** See {@link ChangeArrow}. */
    private static double angle(Comparison.Change change) {
        return ChangeArrow.of(change.baseline().share(), change.current().share()).angle();
    }

    /** The nearest of the five directions that have a character: up is more than before. */
    private static String arrow(double angle) {
        String[] fromTwiceToHalf = {"↑", "↗", "→", "↘", "↓"};
        return fromTwiceToHalf[(int) Math.round((angle + 90) / 45)];
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
        if (!paths.isEmpty()) {
            pathTable.textBelow(out, USUAL_TEXT_PATHS);
        }
        TextHead.writeNotes(out, pathsNote());
    }

    /** Says which contexts are not listed; empty if all are. */
    private String pathsNote() {
        if (pathsFrom == 0) {
            return "";
        }
        return "contexts that changed by less than "
                + Field.percent(pathsFrom)
                + " points are not listed"
                + (head.options().prune() > 0 ? "" : " (limit 0 lists all)");
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
                    methods.rowsJson(json);
                    Shown<Comparison.PathChange> shown = Shown.of(paths, head.options().rows(0));
                    json.writeNumberProperty("pathsFrom", pathsFrom);
                    if (shown.leftOut() > 0) {
                        json.writeNumberProperty("pathsLeftOut", shown.leftOut());
                    }
                    json.writeName("paths").writeStartArray();
                    for (Comparison.PathChange row : shown.rows()) {
                        json.writeStartObject();
                        json(json, row);
                        json.writeEndObject();
                    }
                    json.writeEndArray();
                });
    }

    private void json(JsonGenerator json, Comparison.PathChange row) {
        json.writeName("path").writeStartArray();
        row.path().forEach(consumer -> json.writeString(consumer.display()));
        json.writeEndArray();
        change(json, row.cum());
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
        json.writeNumberProperty("angle", angle(change));
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
        HtmlPage page = HtmlPage.start(out, head);
        methods.onPage(page);
        if (!paths.isEmpty()) {
            pathTable.onPage(page);
        }
        page.note(pathsNote());
        page.end();
    }
}
