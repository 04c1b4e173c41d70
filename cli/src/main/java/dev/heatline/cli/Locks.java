package dev.heatline.cli;

import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.locks.LockAnalysis;
import dev.heatline.collector.locks.LockWatch;
import dev.heatline.formats.Format;
import dev.heatline.model.ContentionAspect;
import dev.heatline.model.ContentionBuilder;
import dev.heatline.model.ModelException;
import dev.heatline.model.Profile;
import dev.heatline.report.LocksReport;
import dev.heatline.report.ReportOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Who keeps whom waiting for locks, in a JVM that runs. */
@Command(
        customSynopsis = "heatline locks TARGET|TRACE [OPTIONS]",
        description = {
            "Traces the locks of a running JVM and shows which call chains kept which others"
                    + " waiting. Everything is taken back when it ends. In place of a JVM, the file"
                    + " of a trace that was kept is analysed again."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  heatline locks 4711",
            "      ten seconds: by class of lock, who waited, and who held it meanwhile",
            "  heatline locks shop.jar -d 30s --by lock-class,owner-chain",
            "      the guilty first",
            "  heatline locks 4711 -o locks.heat",
            "      everything that was seen, to be shown later by heatline report --view locks",
            "  heatline locks 4711 --keep locks.trace; heatline locks locks.trace --by lock",
            "      every event, to be analysed again",
        })
final class Locks implements Action {
    private static final List<String> RESOURCES = List.of("blocked", "waited", "held");

    private final Shell shell;

    @Spec private CommandSpec spec;
    @Mixin private TargetJvm target;
    @Mixin private DurationOption duration;

    @Option(
            names = "--keep",
            paramLabel = "TRACE",
            description = "Keep the trace itself in this file, to be analysed again.")
    private @Nullable Path kept;

    @Option(
            names = "--by",
            paramLabel = "ASPECT,…",
            converter = AspectsConverter.class,
            description = {
                "What to break contentions down by, in this order: kind, lock-class, lock,"
                        + " duration, blocked-thread, blocked-method, blocked-chain, owner-thread,"
                        + " owner-method, owner-chain."
                        + " Default: lock-class,blocked-chain,owner-chain."
            })
    private Aspects by = new Aspects(ContentionAspect.USUAL);

    @Option(
            names = "--resource",
            paramLabel = "R",
            defaultValue = "blocked",
            completionCandidates = Resources.class,
            description = {
                "blocked: by somebody who held a lock; waited: for a condition, a permit, work;"
                        + " held: how long, while others wanted it. Default: ${DEFAULT-VALUE}."
            })
    private String resource = "";

    @Mixin private Shown shown;
    @Mixin private RecordingOutputOptions output;

    Locks(Shell shell) {
        this.shell = shell;
    }

    /** For picocli, which would split a list of its own. */
    record Aspects(List<ContentionAspect> inOrder) {}

    @Override
    public int run() {
        Optional<Format> format = output.profileFormat();
        if (format.isEmpty()) {
            output.form();
        }
        if (!RESOURCES.contains(resource)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "no resource " + resource + "; there are " + String.join(", ", RESOURCES));
        }
        output.requireFolder();
        long nanos = duration.nanos();
        Path trace = Path.of(target.written());
        boolean isTrace = LockAnalysis.isTrace(trace);
        if (isTrace) {
            refuseForTrace("--keep", trace);
            refuseForTrace("--duration", trace);
        }
        try (Interruption interruption = new Interruption();
                Progress progress = Progress.start(shell)) {
            Profile profile =
                    isTrace
                            ? analysed(trace, progress)
                            : traced(target.find(noTrace(trace)), nanos, interruption, progress);
            WhatWasSeen seen = new WhatWasSeen(profile);
            seen.missing().forEach(progress::tell);
            progress.writing(output.file());
            if (format.isPresent()) {
                output.write(profile, format.get());
            } else {
                show(profile);
            }
            output.to(shell).file().map(seen::writtenTo).ifPresent(progress::tell);
        }
        return Exit.DONE;
    }

    private void refuseForTrace(String option, Path trace) {
        if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
            throw new ParameterException(
                    spec.commandLine(),
                    option + " is for what a JVM traces; " + trace + " is a trace that was kept");
        }
    }

    /** What to say where there is no such JVM either. */
    private static String noTrace(Path file) {
        return Files.exists(file)
                ? ", and the file of that name is no lock trace; heatline report FILE --view locks"
                        + " shows the contentions of a profile"
                : ", and there is no such file";
    }

    private static Profile analysed(Path trace, Progress progress) {
        progress.step("reading " + trace);
        try (LockAnalysis analysis = LockAnalysis.kept(trace)) {
            if (analysis.isCutOff()) {
                progress.tell(trace + " is not whole; this is what it holds");
            }
            analysis.end();
            return analysis.take();
        }
    }

    private Profile traced(Jvm jvm, long nanos, Interruption interruption, Progress progress) {
        progress.step("switching the lock tracer of " + jvm + " on");
        try (LockWatch locks = LockTracing.start(jvm)) {
            Optional.ofNullable(kept).ifPresent(locks.analysis()::keepIn);
            Watch watch = new StealWatch(Watch.of(locks), jvm, true);
            watch.during(nanos, jvm, "tracing the locks of", interruption, progress);
            progress.tell(said(locks.analysis()));
            return watch.seenIn(jvm);
        }
    }

    private static String said(LockAnalysis analysis) {
        long count = analysis.contentions();
        return count == 0
                ? "nobody had to wait"
                : String.format(
                        Locale.ROOT,
                        "%,d waits, %,d bytes of trace (%d each), %.1f ms of CPU time in the"
                                + " application",
                        count,
                        analysis.bytes(),
                        analysis.bytes() / count,
                        analysis.tracerNanos() / 1e6);
    }

    private void show(Profile profile) {
        if (profile.column(resource).isEmpty()) {
            String what =
                    resource.equals(ContentionBuilder.BLOCKED.name())
                            ? "nobody was kept waiting by a lock"
                            : "there is nothing of the resource " + resource;
            output.to(shell).print(what + new WhatWasSeen(profile).length() + "\n");
            return;
        }
        ReportOptions.Builder options =
                ReportOptions.builder().resource(resource).aspects(by.inOrder());
        if (output.file().isEmpty()) {
            shell.width().ifPresent(options::width);
        }
        shown.addTo(options);
        output.write(shell, LocksReport.of(profile, options.build()));
    }

    /** What can be asked about. */
    static final class Resources extends Words {
        Resources() {
            super(RESOURCES.toArray(String[]::new));
        }
    }

    /** For picocli: wrong usage, where the model would speak of wrong data. */
    static final class AspectsConverter implements ITypeConverter<Aspects> {
        @Override
        public Aspects convert(String written) {
            try {
                return new Aspects(ContentionAspect.parse(written));
            } catch (ModelException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
