package dev.heatline.cli;

import dev.heatline.report.ReportOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How many rows are shown. */
class Shown {
    @Option(
            names = "--prune",
            paramLabel = "P%",
            converter = Share.Converter.class,
            description = "Hide what is less than this part of the total.")
    private @Nullable Share prune;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "Show at most so many rows; 0 shows all.")
    private @Nullable Integer limit;

    void addTo(ReportOptions.Builder options) {
        if (prune != null) {
            options.prune(prune.value());
        }
        if (limit != null) {
            options.limit(limit);
        } else if (prune != null) {
            // Whoever says how small is too small wants to see everything else.
            options.limit(0);
        }
    }
}
