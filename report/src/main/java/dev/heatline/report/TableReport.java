package dev.heatline.report;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import tools.jackson.core.JsonGenerator;

/** A report that is one table. */
final class TableReport<R> implements Report {
    private static final int USUAL_TEXT_ROWS = 50;
    private static final int USUAL_PAGE_ROWS = 5_000;

    /**
     * How rows are written.
     *
     * @param what a row is about, in the singular
     * @param fields the columns before the name
     * @param nameHeading what stands above the names
     * @param name the last column, of any length
     * @param recursive whether a row is marked as recursive
     * @param json writes a row's properties into the open object
     */
    record Layout<R>(
            String what,
            List<Field<R>> fields,
            String nameHeading,
            Function<R, String> name,
            Predicate<R> recursive,
            BiConsumer<JsonGenerator, R> json) {}

    private final Head head;
    private final Layout<R> layout;
    private final List<R> rows;
    private final Hidden hidden;

    TableReport(Head head, Layout<R> layout, List<R> rows, Hidden hidden) {
        this.head = head;
        this.layout = layout;
        this.rows = rows;
        this.hidden = hidden;
    }

    @Override
    public void text(Writer out) throws IOException {
        TextTable<R> table = table();
        Shown<R> shown = Shown.of(rows, head.options().rows(USUAL_TEXT_ROWS));
        table.measure(shown.rows());
        TextHead.write(out, head, table.hasMarks());
        write(out, table, shown);
    }

    /** Writes the table and its notes alone, below another. */
    void textBelow(Writer out, int usualRows) throws IOException {
        Shown<R> shown = Shown.of(rows, head.options().rows(usualRows));
        out.append('\n');
        write(out, table().measure(shown.rows()), shown);
    }

    private TextTable<R> table() {
        return new TextTable<>(
                layout.fields,
                layout.nameHeading,
                layout.name,
                row -> layout.recursive.test(row) ? TextTable.MARK : "",
                head.options().width());
    }

    private void write(Writer out, TextTable<R> table, Shown<R> shown) throws IOException {
        table.heading(out);
        table.rows(out, shown.rows());
        TextHead.writeNotes(out, hidden.note(layout.what), shown.note(layout.what));
    }

    @Override
    public void json(Writer out) throws IOException {
        Json.object(
                out,
                json -> {
                    head.json(json);
                    rowsJson(json);
                });
    }

    /** Writes the rows, and how many are missing, as properties of the open object. */
    void rowsJson(JsonGenerator json) {
        Shown<R> shown = Shown.of(rows, head.options().rows(0));
        hidden.json(json, shown.leftOut());
        json.writeName("rows").writeStartArray();
        for (R row : shown.rows()) {
            json.writeStartObject();
            layout.json.accept(json, row);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    @Override
    public void html(Writer out) throws IOException {
        HtmlPage page = HtmlPage.start(out, head);
        onPage(page);
        page.end();
    }

    /** Writes the table and its notes into an open page. */
    void onPage(HtmlPage page) throws IOException {
        Shown<R> shown = Shown.of(rows, head.options().rows(USUAL_PAGE_ROWS));
        HtmlTable.write(page, layout, shown.rows());
        page.note(hidden.note(layout.what));
        page.note(shown.note(layout.what));
    }
}
