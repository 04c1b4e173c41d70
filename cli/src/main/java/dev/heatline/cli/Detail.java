package dev.heatline.cli;

import dev.heatline.model.Operations;
import dev.heatline.model.Operations.Grouping;
import dev.heatline.model.Profile;
import dev.heatline.report.ReportOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How much detail is shown. */
final class Detail {
    @Option(
            names = "--group",
            paramLabel = "G",
            completionCandidates = Groups.class,
            description = "One row or node for each ${COMPLETION-CANDIDATES}. Default: method.")
    private @Nullable Grouping grouping;

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

    Profile of(Profile profile) {
        return grouping == null ? profile : Operations.regroup(profile, grouping);
    }

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

    /** The groupings as they are typed. */
    static final class Groups extends Words {
        Groups() {
            super("method", "class", "package");
        }
    }
}
