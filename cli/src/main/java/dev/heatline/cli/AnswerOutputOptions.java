package dev.heatline.cli;

import dev.heatline.report.Form;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where an answer goes that has no page, and in which form. */
final class AnswerOutputOptions extends Destination {
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

    @Override
    String endings() {
        return ".txt .json or --format";
    }

    /**
     * As always, without pages. For what takes long it is worth asking before.
     *
     * @throws picocli.CommandLine.ParameterException if a page is asked for
     */
    @Override
    Form form() {
        Form asked = super.form();
        if (asked == Form.HTML) {
            throw wrong("this is shown as text or json, not as html");
        }
        return asked;
    }

    /** The forms as they are typed. */
    static final class Forms extends Words {
        Forms() {
            super("text", "json");
        }
    }
}
