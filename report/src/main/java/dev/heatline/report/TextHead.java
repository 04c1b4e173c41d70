package dev.heatline.report;

import java.io.IOException;
import java.io.Writer;

/** The lines above and below the table of a text report. */
final class TextHead {

    private TextHead() {}

    static void write(Writer out, Head head, boolean recursion) throws IOException {
        out.append(head.summary()).append('\n');
        for (String line : head.lines()) {
            out.append(line).append('\n');
        }
        if (recursion) {
            out.append(TextTable.LEGEND).append('\n');
        }
        out.append('\n');
    }

    /** Writes those notes that say something, and flushes. */
    static void writeNotes(Writer out, String... notes) throws IOException {
        for (String note : notes) {
            if (!note.isEmpty()) {
                out.append(note).append('\n');
            }
        }
        out.flush();
    }
}
