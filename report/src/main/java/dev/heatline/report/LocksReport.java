package dev.heatline.report;

import dev.heatline.model.ContentionBuilder;
import dev.heatline.model.ContentionFigures;
import dev.heatline.model.Contentions;
import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/**
 * Who kept whom waiting, by aspects in the order that was asked for (001 §4.3.3). A call chain is
 * one row.
 */
public final class LocksReport implements Report {

    /**
     * What was caused in one place of the tree.
     *
     * @param level which aspect it belongs to, from 1; 0 for all contentions
     * @param name the value of that aspect
     * @param node where it is in the tree
     * @param waiters how many threads had to wait; 0 where the time is that of owners
     */
    public record Row(
            int level, String name, int node, long contentions, long blocked, int waiters) {}

    private static final int USUAL_TEXT_ROWS = 60;

    private final Head head;
    private final Hidden hidden;
    private final XtreeOrder order;
    private final long[] contentions;
    private final long[] blocked;
    private final int[] waiters;
    private final ContentionFigures figures;

    private LocksReport(Head head) {
        this.head = head;
        Measurement measured = head.measured();
        Profile profile = measured.profile();
        this.hidden = new Hidden(measured, head.options().prune());
        this.contentions = profile.inclusive(measured.calls());
        this.blocked = profile.inclusive(measured.self());
        this.figures = new ContentionFigures(profile);
        this.waiters =
                isOfWaiters()
                        ? measured.column().map(figures::waiters).orElseThrow()
                        : new int[profile.nodeCount()];
        this.order = XtreeOrder.of(profile, blocked, this::keeps, false);
    }

    /**
     * The contentions of a profile.
     *
     * @throws dev.heatline.model.ModelException if none were traced
     */
    public static LocksReport of(Profile profile, ReportOptions options) {
        return ofArranged(Contentions.by(profile, options.aspects()), options);
    }

    /**
     * The same of contentions that {@link Contentions#by} put in the order of these options, or of
     * a part of them.
     */
    public static LocksReport ofArranged(Profile contentions, ReportOptions options) {
        String resource = options.resource().orElse(ContentionBuilder.BLOCKED.name());
        Profile arranged = Operations.foldSites(contentions);
        String subject = "who kept whom waiting, by " + arranged.consumerLabel();
        return new LocksReport(
                new Head("locks", subject, Measurement.of(arranged, resource), options));
    }

    private boolean isOfWaiters() {
        return !head.measured().resource().equals(ContentionBuilder.HELD);
    }

    /** Whether it is known how much the program ran, and the time is time that it could have. */
    private boolean hasPressure() {
        return head.measured().resource().equals(ContentionBuilder.BLOCKED)
                && figures.pressure(0).isPresent();
    }

    private double pressure(Row row) {
        return figures.pressure(row.blocked()).orElseThrow();
    }

    private boolean keeps(int node) {
        if (node == Profile.ROOT) {
            return true;
        }
        if (blocked[node] == 0) {
            return false;
        }
        if (!hidden.keeps(blocked[node])) {
            hidden.add(1, blocked[node]);
            return false;
        }
        return true;
    }

    /** All rows, depth first, the largest first. */
    public List<Row> rows() {
        return rows(order);
    }

    private List<Row> rows(XtreeOrder shown) {
        Profile profile = head.measured().profile();
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < shown.size(); i++) {
            int node = shown.node(i);
            boolean all = node == Profile.ROOT;
            rows.add(
                    new Row(
                            shown.level(i),
                            all ? "all" : profile.consumerOf(node).display(),
                            node,
                            contentions[node],
                            blocked[node],
                            waiters[node]));
        }
        return rows;
    }

    /** The name, short where it is a call chain. */
    private static String label(Row row, ChainLabels labels) {
        return row.level() == 0 ? row.name() : labels.of(row.node());
    }

    @Override
    public void text(Writer out) throws IOException {
        XtreeOrder shown = order.largest(head.options().rows(USUAL_TEXT_ROWS));
        List<Row> rows = rows(shown);
        ChainLabels labels = new ChainLabels(head.measured().profile());
        TextTable<Row> table =
                new TextTable<Row>(
                                fields(),
                                head.measured().profile().consumerLabel(),
                                row -> label(row, labels),
                                _ -> "",
                                head.options().width())
                        .measure(rows);
        TextHead.write(out, head, false);
        table.heading(out);
        for (Row row : rows) {
            table.row(out, "  ".repeat(row.level()), row);
        }
        TextHead.writeNotes(
                out,
                hidden.note("row"),
                shown.size() == order.size()
                        ? ""
                        : "the " + shown.size() + " largest of " + order.size() + " rows");
    }

    private List<Field<Row>> fields() {
        Measurement measured = head.measured();
        List<Field<Row>> fields = new ArrayList<>();
        fields.add(new Field.Count<>(measured.resource().occurrences(), Row::contentions));
        if (isOfWaiters()) {
            fields.add(new Field.Count<>("waiters", Row::waiters));
        }
        fields.add(new Field.Amount<>(measured.resource().name(), measured.scale(), Row::blocked));
        fields.add(new Field.Percent<>("", row -> measured.share(row.blocked())));
        if (hasPressure()) {
            fields.add(new Field.Percent<>("pressure", this::pressure));
        }
        return fields;
    }

    @Override
    public void json(Writer out) throws IOException {
        XtreeOrder shown = order.largest(head.options().rows(0));
        Json.object(
                out,
                json -> {
                    head.json(json);
                    hidden.json(json, order.size() - shown.size());
                    json.writeName("by").writeStartArray();
                    head.options().aspects().forEach(aspect -> json.writeString(aspect.label()));
                    json.writeEndArray();
                    json.writeName("rows").writeStartArray();
                    List<String> path = new ArrayList<>();
                    for (Row row : rows(shown)) {
                        if (row.level() > 0) {
                            path.subList(row.level() - 1, path.size()).clear();
                            path.add(row.name());
                            rowJson(json, row, path);
                        }
                    }
                    json.writeEndArray();
                });
    }

    private void rowJson(JsonGenerator json, Row row, List<String> path) {
        Measurement measured = head.measured();
        json.writeStartObject();
        json.writeName("path").writeStartArray();
        path.forEach(json::writeString);
        json.writeEndArray();
        json.writeNumberProperty(measured.resource().occurrences(), row.contentions());
        json.writeNumberProperty(measured.resource().name(), measured.exact(row.blocked()));
        json.writeNumberProperty("percent", measured.percent(row.blocked()));
        if (isOfWaiters()) {
            json.writeNumberProperty("waiters", row.waiters());
        }
        if (hasPressure()) {
            json.writeNumberProperty("pressure", pressure(row));
        }
        json.writeEndObject();
    }

    @Override
    public void html(Writer out) throws IOException {
        HtmlPage page = HtmlPage.start(out, head, "locks", "locks");
        page.markup("<section id=locks><p>Who kept whom waiting. Arrow keys move and fold; a call");
        page.markup(" chain is shown whole when its row is pointed at.</p>");
        List<Field<Row>> fields = fields();
        HtmlTable.start(page, "xtree", fields, head.measured().profile().consumerLabel(), false);
        XtreeOrder shown = order.largest(head.options().rows(10_000));
        List<Row> rows = rows(shown);
        ChainLabels labels = new ChainLabels(head.measured().profile());
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            boolean folds = i + 1 < rows.size() && rows.get(i + 1).level() > row.level();
            page.markup("<tr tabindex=0 data-level=" + row.level());
            page.markup(" data-share=" + Field.percent(head.measured().share(row.blocked())));
            page.markup(folds ? " aria-expanded=true>" : ">");
            HtmlTable.cells(page, fields, row);
            page.markup("<td class=name><div title=\"").text(row.name());
            page.markup("\"><span class=guide>");
            page.text("  ".repeat(row.level())).markup("</span><span class=fold></span>");
            page.name(label(row, labels));
            page.markup("</div>\n");
        }
        HtmlTable.end(page);
        page.note(hidden.note("row"));
        page.markup("</section>");
        page.end();
    }
}
