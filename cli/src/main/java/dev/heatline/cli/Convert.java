package dev.heatline.cli;

import dev.heatline.formats.Format;
import dev.heatline.formats.WriteOptions;
import dev.heatline.model.Profile;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** One profile, or a part of it, into another format. */
@Command(
        customSynopsis = "heatline convert IN -o OUT [OPTIONS]",
        description = "Writes a profile, or a part of it, in another format.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  heatline convert app.jfr -o app.heat",
            "      all resources of a recording, small and quick to open",
            "  heatline convert app.jfr --resource allocated -o app.collapsed",
            "      bytes allocated per stack, one line each, for any flame graph tool",
            "  heatline convert app.heat --root OrderService::place -o orders.pb.gz",
            "      only one method and what it calls, for pprof",
            "  heatline convert app.jfr --plain --format collapsed | flamegraph.pl > app.svg",
            "      method names alone, as most tools for collapsed stacks expect them"
        })
final class Convert implements Action {
    private final Shell shell;

    @Parameters(
            paramLabel = "IN",
            description = "A profile of any known format; - is standard input.")
    private Path in;

    @Mixin private ProfileOutputOptions output;
    @Mixin private ResourceOption resource;
    @Mixin private Selection selection;
    @Mixin private Inputs inputs;

    @Option(
            names = "--plain",
            description = "Collapsed stacks without lines, frame kinds and parameters.")
    private boolean plain;

    Convert(Shell shell) {
        this.shell = shell;
    }

    @Override
    public int run() {
        Format format = output.format();
        output.refuseTerminal(shell, format);
        try (Progress progress = Progress.start(shell)) {
            Profile profile = selection.of(inputs.forOutput(format).read(in, progress));
            progress.writing(output.file());
            output.write(shell, profile, format, new WriteOptions(resource.name(), plain));
        }
        return Exit.DONE;
    }
}
