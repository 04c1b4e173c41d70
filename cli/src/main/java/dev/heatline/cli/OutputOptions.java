package dev.heatline.cli;

import dev.heatline.report.Form;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a report goes and in which form. */
final class OutputOptions extends Destination {
    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Write to this file, not to standard output; its ending is the format.")
    void file(@Nullable Path asked) {
        goTo(asked);
    }

    @Option(
            names = "--format",
            paramLabel = "F",
            completionCandidates = Forms.class,
            description = "${COMPLETION-CANDIDATES}. Default: from the ending of FILE, else text.")
    void form(@Nullable Form asked) {
        beOf(asked);
    }

    /** The forms as they are typed. */
    static final class Forms extends Words {
        Forms() {
            super("text", "json", "html");
        }
    }
}
