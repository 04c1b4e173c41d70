package dev.heatline.report;

import java.io.IOException;
import java.io.Writer;

/** One page with xprof, xarc and xtree. */
final class ProfilePage {
    private ProfilePage() {}

    static void write(Writer out, String view, Measurement measured, ReportOptions options)
            throws IOException {
        out.append("<!doctype html><title>").append(view).append("</title>");
        out.append(measured.scale().formatWithUnit(measured.total()));
        out.append(options.byThread() ? " by thread" : "");
    }
}
