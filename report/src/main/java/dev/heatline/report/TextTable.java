package dev.heatline.report;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * Aligned columns of text, the name last because it may be of any length. Rows are read twice, once
 * to measure and once to write, so that a long table needs no copy of its cells.
 */
final class TextTable<R> {
    private static final String GAP = "  ";
    private static final int LEAST_NAME_WIDTH = 20;

    /** Marks recursive consumers. */
    static final String MARK = "*";

    static final String LEGEND =
            MARK + " recursive: found below itself; its cum counts nothing twice";

    private final List<Field<R>> fields;
    private final String nameHeading;
    private final Function<R, String> name;
    private final Function<R, String> mark;
    private final OptionalInt terminalWidth;
    private final int[] widths;
    private int markWidth;

    /**
     * @param mark what stands between the numbers and the name; its column is left out if it is
     *     empty for all rows
     */
    TextTable(
            List<Field<R>> fields,
            String nameHeading,
            Function<R, String> name,
            Function<R, String> mark,
            OptionalInt terminalWidth) {
        this.fields = fields;
        this.nameHeading = nameHeading;
        this.name = name;
        this.mark = mark;
        this.terminalWidth = terminalWidth;
        this.widths = fields.stream().mapToInt(field -> field.heading().length()).toArray();
    }

    /** Makes the columns wide enough for these rows; more may follow. */
    TextTable<R> measure(Iterable<? extends R> rows) {
        for (R row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], fields.get(i).cell(row).length());
            }
            markWidth = Math.max(markWidth, mark.apply(row).length());
        }
        return this;
    }

    /** Whether any measured row had a mark. */
    boolean hasMarks() {
        return markWidth > 0;
    }

    void heading(Writer out) throws IOException {
        line(out, Field::heading, "", nameHeading);
    }

    void rows(Writer out, Iterable<? extends R> rows) throws IOException {
        for (R row : rows) {
            row(out, "", row);
        }
    }

    /**
     * @param indent what stands before the name
     */
    void row(Writer out, String indent, R row) throws IOException {
        String text = VisibleText.of(name.apply(row));
        if (terminalWidth.isPresent()) {
            int room = terminalWidth.getAsInt() - nameStart() - indent.length();
            text = VisibleText.shortened(text, Math.max(LEAST_NAME_WIDTH, room));
        }
        line(out, field -> field.cell(row), mark.apply(row), indent + text);
    }

    /** The column at which names begin. */
    int nameStart() {
        int start = hasMarks() ? markWidth + 1 : 0;
        for (int width : widths) {
            start += width + GAP.length();
        }
        return start;
    }

    private void line(Writer out, Function<Field<R>, String> cell, String markText, String nameText)
            throws IOException {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            Field<R> field = fields.get(i);
            String text = cell.apply(field);
            int padding = widths[i] - text.length();
            if (field instanceof Field.Words) {
                line.append(text).repeat(' ', padding);
            } else {
                line.repeat(' ', padding).append(text);
            }
            line.append(GAP);
        }
        if (hasMarks()) {
            line.append(markText).repeat(' ', markWidth - markText.length() + 1);
        }
        out.append(line.append(nameText)).append('\n');
    }
}
