package dev.heatline.cli;

import dev.heatline.model.Column;
import dev.heatline.model.ContentionAspect;
import dev.heatline.model.ContentionBuilder;
import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import dev.heatline.model.SubsumingMethods;
import dev.heatline.report.Form;
import dev.heatline.report.ReportException;
import dev.heatline.report.ReportOptions;
import dev.heatline.report.View;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** What used the time, memory or waiting. */
@Command(
        customSynopsis = "heatline report FILE... [OPTIONS]",
        description = "Shows what used the time, memory or whatever else a profile tells about.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  heatline report app.jfr",
            "      the methods that used the most CPU time themselves",
            "  heatline report app.jfr --resource allocated --view xtree --prune 1%%",
            "      who allocates, as a tree, without what allocates less than a hundredth",
            "  heatline report app.jfr --root OrderService::place -o orders.html",
            "      a flame graph of one method and all it calls, for the browser",
            "  heatline report *.jfr --task 'sql=prefix:org.h2.' --task 'web=regex:Servlet' --view tasks",
            "      several recordings as one, divided into tasks",
            "  heatline report app.jfr --view xarc --format json | jq '.stanzas[0]'",
            "      the method with the most below it, with callers and callees, for a script"
        })
final class Report implements Action {
    private final Shell shell;

    @Spec private CommandSpec spec;

    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description = "Profiles of any known formats, added up; - is standard input.")
    private List<Path> files;

    @Option(
            names = {"-v", "--view"},
            paramLabel = "V",
            completionCandidates = ViewNames.class,
            converter = ViewConverter.class,
            description = "${COMPLETION-CANDIDATES}. Default: flame for HTML, otherwise xprof.")
    private @Nullable View view;

    @Mixin private ResourceOption resource;
    @Mixin private Selection selection;
    @Mixin private Detail detail;

    @Option(
            names = "--invert",
            description = "Bottom-up: what used something first, its callers below it.")
    private boolean invert;

    @Option(names = "--by-thread", description = "Each thread with a tree of its own.")
    private boolean byThread;

    @Option(
            names = "--fold-lines",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Calls from different lines of a method are one. Default: folded.")
    private boolean foldLines = true;

    @Option(
            names = "--by",
            paramLabel = "ASPECT,…",
            converter = Locks.AspectsConverter.class,
            description = {
                "What to break contentions down by; see heatline locks. Means --view locks, too."
            })
    private Locks.@Nullable Aspects by;

    @Option(
            names = "--bounds",
            arity = "2",
            paramLabel = "N",
            description = {
                "For subsuming: a method stands for itself if it has more than so many levels below"
                        + " it, and no one method is always within so many levels above it."
                        + " Default: 4 4."
            })
    private int[] bounds = {SubsumingMethods.DEFAULT_BOUND, SubsumingMethods.DEFAULT_BOUND};

    @Mixin private Inputs inputs;
    @Mixin private OutputOptions output;

    Report(Shell shell) {
        this.shell = shell;
    }

    @Override
    public int run() {
        Form form = output.form();
        if (by != null) {
            view = view == null ? View.LOCKS : view;
            if (view != View.LOCKS) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--by is for locks; write --view locks or leave it out");
            }
        }
        if (!ReportOptions.areBounds(bounds[0], bounds[1])) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--bounds "
                            + bounds[0]
                            + " "
                            + bounds[1]
                            + " are out of range; write 1 to "
                            + ReportOptions.LARGEST_BOUND);
        }
        refuseWithout(invert, "--invert", View.XTREE, View.FLAME, form);
        refuseWithout(byThread, "--by-thread", View.XTREE, View.FLAME, form);
        if (view == View.LOCKS) {
            detail.refuseGroupOfLocks();
        }
        try (Progress progress = Progress.start(shell)) {
            Inputs.Merged whole = inputs.readMerged(files, progress);
            progress.step("computing");
            dev.heatline.report.Report report =
                    view(form).of(part(whole.profile()), options(whole));
            progress.writing(output.file());
            output.write(shell, report);
        }
        return Exit.DONE;
    }

    /** Options that change a tree mean nothing to views that show none. */
    private void refuseWithout(boolean given, String option, View one, View other, Form form) {
        View shown = view(form);
        if (given && shown != one && shown != other) {
            throw new ParameterException(
                    spec.commandLine(),
                    option
                            + " is for trees; add --view "
                            + one.label()
                            + " or --view "
                            + other.label());
        }
    }

    private View view(Form form) {
        if (view != null) {
            return view;
        }
        return form == Form.HTML ? View.FLAME : View.XPROF;
    }

    /** The view of tasks tells them apart, so it needs what lies outside of them too. */
    private Profile part(Profile whole) {
        boolean keepAll = view == View.TASKS && selection.selectedTasks().isEmpty();
        Profile part = keepAll ? selection.beforeTasks(whole) : selection.of(whole);
        Profile grouped = detail.of(part);
        return invert ? Operations.invert(grouped) : grouped;
    }

    private ReportOptions options(Inputs.Merged whole) {
        Column column =
                view == View.LOCKS && resource.name().isEmpty()
                        ? whole.profile().requireColumn(ContentionBuilder.BLOCKED.name())
                        : resource.of(whole);
        ReportOptions.Builder options =
                ReportOptions.builder()
                        .title(files.stream().map(Path::toString).collect(Collectors.joining(" ")))
                        .resource(column.resource().name())
                        .foldLines(foldLines)
                        .byThread(byThread)
                        .tasks(selection.tasks())
                        .bounds(bounds[0], bounds[1])
                        .aspects(by == null ? ContentionAspect.USUAL : by.inOrder())
                        .recorded(whole.profile());
        if (output.file().isEmpty()) {
            shell.width().ifPresent(options::width);
        }
        detail.addTo(options);
        return options.build();
    }

    /** The views as they are typed. */
    static final class ViewNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Stream.of(View.values()).map(View::label).iterator();
        }
    }

    /** For picocli: wrong usage, where the room of reports would speak of a report. */
    static final class ViewConverter implements ITypeConverter<View> {
        @Override
        public View convert(String written) {
            try {
                return View.named(written);
            } catch (ReportException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
