package dev.heatline.cli;

import dev.heatline.collector.calls.CallProfile;
import dev.heatline.collector.calls.CallWatch;
import dev.heatline.collector.jvm.CallMeter;
import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.JvmException;
import dev.heatline.formats.Format;
import dev.heatline.model.Profile;
import dev.heatline.model.Resource;
import dev.heatline.report.Form;
import dev.heatline.report.Report;
import dev.heatline.report.ReportOptions;
import dev.heatline.report.View;
import dev.heatline.wire.CallRequest;
import dev.heatline.wire.CallSnapshot;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** How often and how long methods are called, exactly, in a JVM that runs. */
@Command(
        customSynopsis = {
            "heatline instrument TARGET --root CLASS::METHOD [OPTIONS]",
            "       heatline instrument TARGET --region CLASS::METHOD [OPTIONS]",
            "       heatline instrument TARGET --change --root CLASS::METHOD",
            "       heatline instrument TARGET --off",
            "       heatline instrument --root main [OPTIONS] -- java ..."
        },
        description = {
            "Measures every call below chosen methods of a running JVM: how often, how long, in which"
                    + " context. Everything is taken back when it ends."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  heatline instrument 4711 --root com.shop.Checkout::process",
            "      ten seconds of everything that process calls",
            "  heatline instrument shop.jar --root Checkout::process --root Cart::add -d 1m",
            "      two roots, for a minute",
            "  heatline instrument 4711 --root Search::find --include 'java.util.*' -o find.html",
            "      with classes of the JDK, as a flame graph",
            "  heatline instrument 4711 --root Search::find --survival -d 1m",
            "      which of the objects that are made there are still alive, by class and line",
            "  heatline instrument 4711 --region Checkout::process",
            "      only how long process takes: percentiles and the slowest calls",
            "  heatline instrument --root main -o all.heat -- java -jar shop.jar",
            "      every call of a program, from its start to its end",
        })
final class Instrument implements Action {
    /** What can be said of a measurement that somebody else began. */
    private static final Set<String> MEDDLING = Set.of("--root", "--change", "--off");

    /** What is said of calls below roots: a region knows nothing but how long its own took. */
    private static final Set<String> OF_ROOTS =
            Set.of(
                    "--scheme",
                    "--timing",
                    "--exclude",
                    "--alloc",
                    "--survival",
                    "--budget",
                    "--methods");

    private final Shell shell;

    @Spec private CommandSpec spec;
    @Mixin private TargetJvm target;

    @Parameters(
            index = "1..*",
            paramLabel = "ARGUMENT",
            hidden = true,
            description = "With a java command as the target, what it is started with.")
    private List<String> arguments = new ArrayList<>();

    @ArgGroup(exclusive = true, multiplicity = "1")
    private Where where = new Where();

    /** What is measured. */
    static final class Where {
        @Option(
                names = "--root",
                required = true,
                paramLabel = "CLASS::METHOD",
                description = {
                    "Where measuring begins; may be given several times. The package may be left out"
                            + " where the class's name is enough; parameters tell methods of one"
                            + " name apart: Cart::add(String,int). main: everywhere."
                })
        private List<String> roots = new ArrayList<>();

        @Option(
                names = "--region",
                required = true,
                paramLabel = "CLASS::METHOD",
                description = {
                    "A method of which only the elapsed times are wanted, written likewise; costs"
                            + " little more than reading the clock twice."
                })
        private List<String> regions = new ArrayList<>();

        @Option(
                names = "--off",
                required = true,
                description = {
                    "End the measurement that is on in the JVM, whoever began it, and take everything"
                            + " back."
                })
        private boolean off;
    }

    @Option(
            names = "--change",
            description = {
                "Give the measurement that is on in the JVM these roots instead of its own; who began it"
                        + " shows the results."
            })
    private boolean change;

    @Option(
            names = "--scheme",
            paramLabel = "S",
            defaultValue = "lazy",
            description = {
                "lazy: a method is changed when one that may call it is first called; eager:"
                        + " everything that may be reached at once. Default: ${DEFAULT-VALUE}."
            })
    private Scheme scheme = Scheme.LAZY;

    @Option(
            names = "--timing",
            paramLabel = "T",
            defaultValue = "exact",
            description = {
                "exact: every call is timed; sampled: every call is counted, and where many take about"
                        + " the same, some are timed, which costs less. Default: ${DEFAULT-VALUE}."
            })
    private Timing timing = Timing.EXACT;

    @Option(
            names = "--include",
            paramLabel = "PATTERN",
            description = "Classes of the JDK that are measured, too, such as 'java.util.*'.")
    private List<String> includes = new ArrayList<>();

    @Option(
            names = "--exclude",
            paramLabel = "PATTERN",
            description =
                    "Classes that are not measured; what they take counts for who calls them.")
    private List<String> excludes = new ArrayList<>();

    @Option(
            names = "--alloc",
            description = {
                "Count the objects that the methods make, too, with their bytes: by class and place."
            })
    private boolean alloc;

    @Option(
            names = "--survival",
            description = {
                "Track a sample of these objects, too, and show which are still alive after a garbage"
                        + " collection, and how many they have survived."
            })
    private boolean survival;

    @Option(
            names = "--methods",
            paramLabel = "N",
            description = "Change at most so many methods. Default: 20000.")
    private int methods = CallRequest.USUAL_METHODS;

    @Option(
            names = "--budget",
            paramLabel = "PERCENT",
            defaultValue = "10",
            description = {
                "What measuring may take of the time below the roots; ${DEFAULT-VALUE} if not said."
                        + " Beyond it, short methods that are called often are counted only; if that"
                        + " does not help, measuring ends. none: whatever it takes."
            })
    private String budget = "";

    @Mixin private DurationOption duration;
    @Mixin private Shown shown;
    @Mixin private RecordingOutputOptions output;

    /** When methods are changed. */
    enum Scheme {
        LAZY,
        EAGER
    }

    /** Which calls are timed. */
    enum Timing {
        EXACT,
        SAMPLED
    }

    Instrument(Shell shell) {
        this.shell = shell;
    }

    @Override
    public int run() {
        try {
            return where.off || change ? meddle() : measure();
        } catch (JvmException e) {
            throw new CommandException(String.valueOf(e.getMessage()));
        }
    }

    /** Changes or ends what was begun elsewhere. */
    private int meddle() {
        if (change && where.roots.isEmpty()) {
            throw output.wrong("--change is for --root");
        }
        for (OptionSpec other : spec.commandLine().getParseResult().matchedOptions()) {
            if (!MEDDLING.contains(other.longestName())) {
                throw output.wrong(
                        other.longestName()
                                + " is for who begins to measure, not for "
                                + (change ? "--change" : "--off"));
            }
        }
        Path agent = Installation.here().agent();
        Jvm jvm = target.find();
        try (Progress progress = Progress.start(shell)) {
            if (where.off) {
                CallMeter.end(jvm, agent);
                progress.tell("calls of " + jvm + " are not measured any more");
            } else {
                CallMeter.changeRoots(jvm, agent, request());
                progress.tell("below " + String.join(", ", where.roots) + " from now on");
            }
        }
        return Exit.DONE;
    }

    private int measure() {
        Optional<Format> format = output.profileFormat();
        if (format.isEmpty()) {
            output.form();
        }
        output.requireFolder();
        CallRequest request = request();
        if (!where.regions.isEmpty()) {
            refuse(OF_ROOTS, "--root, not for --region");
        }
        if (!where.regions.isEmpty() && (format.isPresent() || output.form() == Form.HTML)) {
            throw output.wrong("the times of a region are shown as text or json");
        }
        long nanos = duration.nanos();
        // The agent takes everything back by itself when nobody reads what it writes.
        try (Interruption interruption = Interruption.haltingAtTheSecond();
                Progress progress = Progress.start(shell);
                CallWatch calls = started(request, progress);
                Watch watch = watched(calls)) {
            if (calls.seen().counts().getOrDefault(CallSnapshot.WAITING_ROOTS, 0L) > 0) {
                progress.tell("not every method is loaded yet; waiting for it");
            }
            watch.during(
                    isTimeSaid() || arguments.isEmpty() ? nanos : Watch.WITHOUT_END,
                    calls.jvm(),
                    "measuring calls of",
                    interruption,
                    progress);
            calls.remarks().forEach(progress::tell);
            progress.writing(output.file());
            if (where.regions.isEmpty()) {
                write(watch.seenIn(calls.jvm()), format, progress);
            } else {
                RegionsAnswer answer = new RegionsAnswer(calls.jvm(), calls.regions());
                output.write(shell, answer.text(), answer::writeTo);
            }
            calls.awaitEnd()
                    .ifPresent(
                            code -> {
                                if (code != 0) {
                                    progress.tell("the program has ended with " + code);
                                }
                            });
            return isAnyLoaded(calls.seen()) ? Exit.DONE : Exit.FAILED;
        }
    }

    /** One that was waited for in vain may be misspelt. */
    private boolean isAnyLoaded(CallSnapshot seen) {
        long missing = seen.counts().getOrDefault(CallSnapshot.WAITING_ROOTS, 0L);
        return missing == 0 || missing < where.roots.size() + where.regions.size();
    }

    private void refuse(Set<String> options, String whatFor) {
        for (OptionSpec given : spec.commandLine().getParseResult().matchedOptions()) {
            if (options.contains(given.longestName())) {
                throw output.wrong(given.longestName() + " is for " + whatFor);
            }
        }
    }

    private boolean isTimeSaid() {
        return spec.commandLine().getParseResult().hasMatchedOption("--duration");
    }

    private CallRequest request() {
        if (methods < 1) {
            throw output.wrong("--methods " + methods + " is out of range; write 1 or more");
        }
        return CallRequest.builder()
                .roots(where.roots)
                .regions(where.regions)
                .eager(scheme == Scheme.EAGER)
                .sampled(timing == Timing.SAMPLED)
                .includes(includes)
                .excludes(excludes)
                .allocations(alloc)
                .survival(survival)
                .methods(methods)
                .budget(budget.equals("none") ? CallRequest.NO_BUDGET : percent() / 100)
                .build();
    }

    private double percent() {
        try {
            double percent = Double.parseDouble(budget.replace("%", ""));
            if (percent > 0) {
                return percent;
            }
        } catch (NumberFormatException e) {
            // Said below, together with numbers that are none.
        }
        throw output.wrong("--budget " + budget + " is no percentage above 0, and not none");
    }

    private CallWatch started(CallRequest request, Progress progress) {
        Path agent = Installation.here().agent();
        if (!arguments.isEmpty()) {
            List<String> command = new ArrayList<>(List.of(target.written()));
            command.addAll(arguments);
            return CallWatch.launch(command, agent, request);
        }
        Jvm jvm = target.find();
        progress.step("changing methods of " + jvm);
        return CallWatch.start(jvm, agent, request);
    }

    /** On a terminal that nobody else writes to, the tree is seen growing. */
    private Watch watched(CallWatch calls) {
        boolean live =
                arguments.isEmpty()
                        && where.regions.isEmpty()
                        && output.file().isEmpty()
                        && output.form() == Form.TEXT
                        && shell.coloured();
        Watch watch = Watch.of(calls);
        return live ? new LiveWatch(shell, watch, this::text) : watch;
    }

    private void write(Profile profile, Optional<Format> format, Progress progress) {
        if (format.isPresent()) {
            output.write(profile, format.get());
        } else if (profile.mainColumn().isEmpty()) {
            output.to(shell).print("no root was called" + new WhatWasSeen(profile).length() + "\n");
        } else {
            output.write(shell, report(profile, output.form() == Form.HTML));
        }
        output.file().map(new WhatWasSeen(profile)::writtenTo).ifPresent(progress::tell);
    }

    private String text(Profile profile) {
        return profile.mainColumn().isEmpty()
                ? "no root was called yet\n"
                : written(report(profile, false));
    }

    private static String written(Report report) {
        StringWriter text = new StringWriter();
        try {
            report.text(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private Report report(Profile profile, boolean page) {
        // Calls may take less than can be told from what measuring takes, and make nothing.
        Resource first =
                wanted().filter(each -> profile.column(each.name()).isPresent())
                        .findFirst()
                        .orElse(Resource.CALLS);
        ReportOptions.Builder options = ReportOptions.builder().resource(first.name());
        if (output.file().isEmpty()) {
            shell.width().ifPresent(options::width);
        }
        shown.addTo(options);
        View table = survival ? View.SURVIVAL : View.XTREE;
        return (page ? View.FLAME : table).of(profile, options.build());
    }

    /** What is shown first if it is there. */
    private Stream<Resource> wanted() {
        if (survival) {
            return Stream.of(CallProfile.LIVE_BYTES, CallProfile.ALLOCATED);
        }
        return Stream.of(alloc ? CallProfile.ALLOCATED : CallProfile.ELAPSED);
    }
}
