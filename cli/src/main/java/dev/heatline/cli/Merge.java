package dev.heatline.cli;

import dev.heatline.formats.Format;
import dev.heatline.formats.WriteOptions;
import dev.heatline.formats.jfr.JfrFormat;
import dev.heatline.model.Profile;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Many profiles into one. */
@Command(
        customSynopsis = "heatline merge IN... -o OUT [OPTIONS]",
        description = {
            "Adds up profiles, of any formats, into one. The order makes no difference."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  heatline merge monday.jfr tuesday.pb.gz -o both.heat",
            "      two profiles of any formats as one",
            "  heatline merge pods/*.jfr -o all.heat && heatline report all.heat",
            "      what all instances of an application did together",
            "  heatline merge part*.jfr -o whole.jfr",
            "      recordings joined as they are, every event kept, for any JFR tool",
            "  heatline merge archive/*.jfr --hot 0.1%% -o hot.heat",
            "      any number of files in little memory: the contexts with a thousandth of all"
                    + " samples"
        })
final class Merge implements Action {
    private final Shell shell;

    @Spec private CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "IN", description = "Profiles of any known formats.")
    private List<Path> in;

    @Option(
            names = "--hot",
            paramLabel = "PHI%[,EPSILON%]",
            converter = Hot.Converter.class,
            description = {
                "Keep only contexts that have at least PHI of all samples themselves, and those"
                        + " above them, in memory that does not grow with the files. Their counts"
                        + " are too low by at most EPSILON of all, a fifth of PHI if not said; the"
                        + " rest is summed up where it was."
            })
    private @Nullable Hot hot;

    @Mixin private ProfileOutputOptions output;
    @Mixin private ResourceOption resource;
    @Mixin private Inputs inputs;

    Merge(Shell shell) {
        this.shell = shell;
    }

    @Override
    public int run() {
        if (hot != null && output.isRecording()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--hot makes a profile, recordings are joined whole; use -o OUT.heat");
        }
        try (Progress progress = Progress.start(shell)) {
            if (output.isRecording()) {
                progress.writing(output.file());
                new Output(shell, output.file()).write(out -> JfrFormat.concatenate(in, out));
                return Exit.DONE;
            }
            Format format = output.format();
            output.refuseTerminal(shell, format);
            inputs.forOutput(format);
            Profile profile =
                    hot == null
                            ? inputs.readMerged(in, progress).profile()
                            : inputs.readHot(in, hot, resource, progress);
            progress.writing(output.file());
            output.write(shell, profile, format, new WriteOptions(resource.name()));
        }
        return Exit.DONE;
    }
}
