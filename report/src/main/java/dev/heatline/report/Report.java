package dev.heatline.report;

import java.io.IOException;
import java.io.Writer;

/**
 * A view of a Profile, computed and ready to be written. All forms are written from the same rows,
 * so they cannot disagree; they differ in how many of them they show when no limit was asked for.
 *
 * <p>Writers are flushed, never closed.
 */
public interface Report {

    /** Aligned columns for a terminal or a pipe, in units people read. */
    void text(Writer out) throws IOException;

    /** One object with exact numbers in the resource's unit. All rows unless a limit was asked. */
    void json(Writer out) throws IOException;

    /** One self-contained page. */
    void html(Writer out) throws IOException;

    default void write(Form form, Writer out) throws IOException {
        switch (form) {
            case TEXT -> text(out);
            case JSON -> json(out);
            case HTML -> html(out);
        }
    }
}
