package dev.heatline.report;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/** A report as the string it is written as. */
final class Written {
    private Written() {}

    static String as(Form form, Report report) {
        StringWriter out = new StringWriter();
        try {
            report.write(form, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString();
    }
}
