package dev.heatline.report;

import java.io.IOException;
import java.util.List;

/** Tables of a page, and the parts that views with links of their own put together. */
final class HtmlTable {
    private static final int MOST_ABREAST = 6;

    private HtmlTable() {}

    /** A whole table whose columns can be sorted. */
    static <R> void write(HtmlPage page, TableReport.Layout<R> layout, List<R> rows)
            throws IOException {
        start(page, "rows", layout.fields(), layout.nameHeading(), true);
        for (R row : rows) {
            page.markup("<tr tabindex=0>");
            cells(page, layout.fields(), row);
            page.markup("<td class=name>").name(layout.name().apply(row));
            recursion(page, layout.recursive().test(row));
            page.markup("\n");
        }
        end(page);
    }

    /** Everything up to the first row. */
    static <R> void start(
            HtmlPage page, String type, List<Field<R>> fields, String nameHeading, boolean sortable)
            throws IOException {
        page.markup("<table class=\"" + type + "\" style=--figures:" + abreast(fields.size()));
        page.markup("><colgroup>");
        for (Field<R> field : fields) {
            page.markup(
                    switch (field) {
                        case Field.Words<R> words when words.heading().isEmpty() ->
                                "<col class=narrow>";
                        case Field.Words<R> _ -> "<col class=words>";
                        default -> "<col>";
                    });
        }
        page.markup("<col class=name></colgroup><thead><tr>");
        for (Field<R> field : fields) {
            String kind = field instanceof Field.Words ? " class=words" : "";
            heading(page, kind, field.heading(), sortable);
        }
        heading(page, " class=name", nameHeading, sortable);
        page.markup("</thead>");
        if (!type.equals("xarc")) {
            page.markup("<tbody>\n");
        }
    }

    /** How many figures stand side by side where a name has lines of its own, on a phone. */
    private static int abreast(int figures) {
        return figures <= MOST_ABREAST ? Math.max(1, figures) : Math.ceilDiv(figures, 2);
    }

    private static void heading(HtmlPage page, String kind, String text, boolean sortable)
            throws IOException {
        page.markup("<th scope=col" + kind + (sortable ? "><button type=button>" : "><span>"));
        page.text(text).markup(sortable ? "</button></th>" : "</span></th>");
    }

    /** The cells before the name. */
    static <R> void cells(HtmlPage page, List<Field<R>> fields, R row) throws IOException {
        for (Field<R> field : fields) {
            String cell = field.cell(row);
            switch (field.in(row)) {
                case Field.Percent<R> _ -> page.markup("<td class=percent style=--v:" + cell + '>');
                case Field.Words<R> _ -> page.markup("<td class=words>");
                default -> page.markup("<td>");
            }
            page.text(cell);
        }
    }

    static void recursion(HtmlPage page, boolean recursive) throws IOException {
        if (recursive) {
            page.markup("<span class=recursive title=\"found below itself; cum counts nothing")
                    .markup(" twice\">recursive</span>");
        }
    }

    static void end(HtmlPage page) throws IOException {
        page.markup("</table>");
    }
}
