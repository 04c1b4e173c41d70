package dev.heatline.report;

import dev.heatline.model.CallGraph;
import dev.heatline.model.Profile;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The flat profile: what each consumer used, by itself and with all it called (004, "xprof"). */
public final class XprofReport implements Report {

    /**
     * What one consumer used. The row of the root, present only if something was used outside all
     * consumers, makes base add up to the total.
     *
     * @param consumer its id in the Profile
     */
    public record Row(int consumer, String name, long calls, long base, long cum, boolean recursive)
            implements Usage {}

    private static final int USUAL_TEXT_ROWS = 50;

    private static final Comparator<Row> ORDER =
            Comparator.comparingLong(Row::base)
                    .thenComparingLong(Row::cum)
                    .reversed()
                    .thenComparing(Row::name);

    private final Head head;
    private final List<Row> rows;
    private final Hidden hidden;

    private XprofReport(Head head, List<Row> rows, Hidden hidden) {
        this.head = head;
        this.rows = List.copyOf(rows);
        this.hidden = hidden;
    }

    /**
     * The flat profile of one resource.
     *
     * @throws ReportException if the profile has no such resource
     */
    public static XprofReport of(Profile profile, ReportOptions options) {
        Measurement measured = Measurement.of(profile, options);
        return of(measured, options, Consumers.graph(measured));
    }

    static XprofReport of(Measurement measured, ReportOptions options, CallGraph graph) {
        List<Row> rows = new ArrayList<>();
        Hidden hidden = new Hidden(measured, options.prune());
        for (int consumer : Consumers.inUse(measured, graph)) {
            Row row =
                    new Row(
                            consumer,
                            measured.name(consumer),
                            graph.calls(consumer),
                            graph.base(consumer),
                            graph.cum(consumer),
                            graph.isRecursive(consumer));
            boolean outside = consumer == measured.profile().consumer(Profile.ROOT);
            if ((!outside || row.base() > 0) && hidden.keeps(row)) {
                rows.add(row);
            }
        }
        rows.sort(ORDER);
        String subject = "flat profile by " + measured.profile().consumerLabel();
        return new XprofReport(new Head("xprof", subject, measured, options), rows, hidden);
    }

    /** By base, then cum, the largest first. */
    public List<Row> rows() {
        return rows;
    }

    Head head() {
        return head;
    }

    Hidden hidden() {
        return hidden;
    }

    @Override
    public void text(Writer out) throws IOException {
        Measurement measured = head.measured();
        Shown<Row> shown = Shown.of(rows, head.options().rows(USUAL_TEXT_ROWS));
        TextTable<Row> table =
                new TextTable<Row>(
                                Usage.fields(measured),
                                measured.profile().consumerLabel(),
                                Row::name,
                                row -> row.recursive() ? TextTable.MARK : "",
                                head.options().width())
                        .measure(shown.rows());
        TextHead.write(out, head, table.hasMarks());
        table.heading(out);
        table.rows(out, shown.rows());
        TextHead.writeNotes(
                out,
                hidden.note(measured.profile().consumerLabel()),
                shown.note(measured.profile().consumerLabel()));
    }

    @Override
    public void json(Writer out) throws IOException {
        Json.object(
                out,
                json -> {
                    Shown<Row> shown = Shown.of(rows, head.options().rows(0));
                    head.json(json);
                    hidden.json(json, shown.leftOut());
                    json.writeName("rows").writeStartArray();
                    for (Row row : shown.rows()) {
                        json.writeStartObject();
                        json.writeStringProperty("consumer", row.name());
                        Usage.json(json, head.measured(), row);
                        json.writeEndObject();
                    }
                    json.writeEndArray();
                });
    }

    @Override
    public void html(Writer out) throws IOException {
        ProfilePage.write(out, "xprof", head.measured(), head.options());
    }
}
