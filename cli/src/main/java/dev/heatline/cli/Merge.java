package dev.heatline.cli;

import dev.heatline.formats.Format;
import dev.heatline.formats.WriteOptions;
import dev.heatline.model.Profile;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

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
            "      recordings joined as they are, every event kept, for any JFR tool"
        })
final class Merge implements Action {
    private final Shell shell;

    @Parameters(arity = "1..*", paramLabel = "IN", description = "Profiles of any known formats.")
    private List<Path> in;

    @Mixin private ProfileOutputOptions output;
    @Mixin private ResourceOption resource;
    @Mixin private Inputs inputs;

    Merge(Shell shell) {
        this.shell = shell;
    }

    @Override
    public int run() {
        try (Progress progress = Progress.start(shell)) {
            if (output.isRecording()) {
                progress.writing(output.file());
                Recordings joined = Recordings.of(in);
                new Output(shell, output.file()).write(joined::writeTo);
                return Exit.DONE;
            }
            Format format = output.format();
            output.refuseTerminal(shell, format);
            Profile profile = inputs.readMerged(in, progress);
            progress.writing(output.file());
            output.write(shell, profile, format, new WriteOptions(resource.name()));
        }
        return Exit.DONE;
    }
}
