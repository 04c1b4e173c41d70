package dev.heatline.cli;

import dev.heatline.report.Form;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where goes what was recorded: as a report, or as the profile that reports are made of. */
final class RecordingOutputOptions extends Destination {
    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = {
                "Write to this file, in the format of its ending, not to standard output: .txt, .json"
                        + " or .html for a report; .heat for all that was seen, to be reported,"
                        + " compared or pushed later; or what heatline convert writes."
            })
    void file(@Nullable Path asked) {
        goTo(asked);
    }

    @Option(
            names = "--format",
            paramLabel = "F",
            completionCandidates = OutputOptions.Forms.class,
            description = {
                "Of a report: ${COMPLETION-CANDIDATES}. Default: from the ending of FILE, else text."
            })
    void form(@Nullable Form asked) {
        beOf(asked);
    }

    @Override
    String endings() {
        return ".txt .json .html or --format for a report, .heat for all that was seen";
    }
}
