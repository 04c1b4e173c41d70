package dev.heatline.cli;

import dev.heatline.model.Comparison;
import dev.heatline.model.Profile;
import dev.heatline.report.DiffReport;
import dev.heatline.report.Form;
import dev.heatline.report.Report;
import dev.heatline.report.ReportOptions;
import dev.heatline.report.View;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** What changed between two profiles, and what is only noise. */
@Command(
        customSynopsis = "heatline diff BASE CURRENT [OPTIONS]",
        description = {
            "Shows what changed between two profiles: for every method and path both values and shares,"
                    + " the change, and the probability that sampling noise alone explains it. Paths are"
                    + " listed from a change of 1%% on, or that of --prune; --limit 0 lists all."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  heatline diff before.jfr after.jfr",
            "      the methods that changed most",
            "  heatline diff before.jfr after.jfr -o change.html",
            "      both as one flame graph, coloured by change",
            "  heatline diff main.heat branch.heat --fail-on 'method>5%%,p<0.01'",
            "      exit code 3 if a method takes over 5 points more and that is hardly noise",
            "  heatline diff main.heat branch.heat --fail-on 'self>1.5x,self>1%%' --fail-on 'path>10%%'",
            "      two gates: all conditions of one must be met by the same method to break it"
        })
final class Diff implements Action {
    private static final int SHOWN_PER_GATE = 10;

    private final Shell shell;

    @Parameters(index = "0", paramLabel = "BASE", description = "The profile before.")
    private Path base;

    @Parameters(index = "1", paramLabel = "CURRENT", description = "The profile after.")
    private Path current;

    @Option(
            names = "--fail-on",
            paramLabel = "CONDITIONS",
            converter = GateConverter.class,
            description = {
                "End with exit code 3 if anything meets all of these, comma-separated: method>5%%"
                        + " (percentage points of the total, with all it calls), self>5%% (by"
                        + " itself), path>5%% (one calling context), method>1.5x (times its former"
                        + " share), p<0.01 (unlikely to be noise). May be repeated."
            })
    private List<Gate> gates = new ArrayList<>();

    @Option(
            names = "--table",
            description = "As HTML, the numbers of methods and paths instead of a flame graph.")
    private boolean table;

    @Mixin private ResourceOption resource;
    @Mixin private Selection selection;
    @Mixin private Detail detail;
    @Mixin private Inputs inputs;
    @Mixin private OutputOptions output;

    Diff(Shell shell) {
        this.shell = shell;
    }

    @Override
    public int run() {
        List<Broken> broken = new ArrayList<>();
        try (Progress progress = Progress.start(shell)) {
            Profile before = detail.of(selection.of(inputs.read(base, progress)));
            Profile after = detail.of(selection.of(inputs.read(current, progress)));
            progress.step("comparing");
            String compared = resource.ofBoth(before, after);
            Comparison comparison = Comparison.of(before, after, compared);
            for (Gate gate : gates) {
                broken.add(new Broken(gate, gate.brokenBy(comparison)));
            }
            Report report = report(comparison, options(compared));
            progress.writing(output.file());
            output.write(shell, report);
        }
        broken.removeIf(gate -> gate.lines.isEmpty());
        broken.forEach(this::tell);
        return broken.isEmpty() ? Exit.DONE : Exit.GATE_NOT_MET;
    }

    /** A page is for the eye, so it is a flame graph unless the numbers are asked for. */
    private Report report(Comparison comparison, ReportOptions options) {
        return output.form() == Form.HTML && !table
                ? View.FLAME.of(comparison.profile(), options)
                : DiffReport.of(comparison, options);
    }

    private ReportOptions options(String resourceName) {
        ReportOptions.Builder options =
                ReportOptions.builder().title(base + " to " + current).resource(resourceName);
        if (output.file().isEmpty()) {
            shell.width().ifPresent(options::width);
        }
        detail.addTo(options);
        return options.build();
    }

    private record Broken(Gate gate, List<String> lines) {}

    private void tell(Broken broken) {
        shell.err().println("heatline diff: gate failed, " + broken.gate + " holds for:");
        broken.lines.stream().limit(SHOWN_PER_GATE).forEach(it -> shell.err().println("  " + it));
        int more = broken.lines.size() - SHOWN_PER_GATE;
        if (more > 0) {
            shell.err().println("  and " + more + " more");
        }
    }

    /** For picocli. */
    static final class GateConverter implements ITypeConverter<Gate> {
        @Override
        public Gate convert(String written) {
            try {
                return Gate.parse(written);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
