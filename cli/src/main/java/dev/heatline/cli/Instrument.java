package dev.heatline.cli;

import dev.heatline.collector.calls.CallProfile;
import dev.heatline.collector.calls.CallWatch;
import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.JvmException;
import dev.heatline.formats.Format;
import dev.heatline.model.Profile;
import dev.heatline.model.Resource;
import dev.heatline.report.Form;
import dev.heatline.report.ReportOptions;
import dev.heatline.report.View;
import dev.heatline.wire.CallRequest;
import dev.heatline.wire.CallSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How often and how long methods are called, exactly, in a JVM that runs. */
@Command(
        customSynopsis = "heatline instrument TARGET --root CLASS::METHOD [OPTIONS]",
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
        })
final class Instrument implements Action {
    private final Shell shell;

    @Spec private CommandSpec spec;
    @Mixin private TargetJvm target;

    @Option(
            names = "--root",
            required = true,
            paramLabel = "CLASS::METHOD",
            description = {
                "Where measuring begins; may be given several times. The package may be left out where"
                        + " the class's name is enough; parameters tell methods of one name apart:"
                        + " Cart::add(String,int)."
            })
    private List<String> roots = new ArrayList<>();

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
            names = "--methods",
            paramLabel = "N",
            description = "Change at most so many methods. Default: 20000.")
    private int methods = CallRequest.USUAL_METHODS;

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
        Optional<Format> format = output.profileFormat();
        if (format.isEmpty()) {
            output.form();
        }
        output.requireFolder();
        if (methods < 1) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--methods " + methods + " is out of range; write 1 or more");
        }
        long nanos = duration.nanos();
        Jvm jvm = target.find();
        try (Interruption interruption = new Interruption();
                Progress progress = Progress.start(shell)) {
            Profile profile = measured(jvm, nanos, interruption, progress);
            progress.writing(output.file());
            if (format.isPresent()) {
                output.write(profile, format.get());
            } else {
                show(profile);
            }
            output.to(shell)
                    .file()
                    .map(new WhatWasSeen(profile)::writtenTo)
                    .ifPresent(progress::tell);
        }
        return Exit.DONE;
    }

    private Profile measured(Jvm jvm, long nanos, Interruption interruption, Progress progress) {
        progress.step("changing methods of " + jvm);
        CallRequest request =
                new CallRequest(
                        roots,
                        scheme == Scheme.EAGER,
                        timing == Timing.SAMPLED,
                        includes,
                        excludes,
                        methods);
        try (CallWatch calls = CallWatch.start(jvm, Installation.here().agent(), request)) {
            Watch watch = Watch.of(calls);
            if (calls.seen().counts().getOrDefault(CallSnapshot.WAITING_ROOTS, 0L) > 0) {
                progress.tell("not every root is loaded yet; waiting for it");
            }
            watch.during(nanos, jvm, "measuring calls of", interruption, progress);
            said(calls.seen()).forEach(progress::tell);
            return watch.seenIn(jvm);
        } catch (JvmException e) {
            throw new CommandException(String.valueOf(e.getMessage()));
        }
    }

    private static List<String> said(CallSnapshot seen) {
        List<String> lines = new ArrayList<>();
        lines.add(
                String.format(
                        Locale.ROOT,
                        "methods changed: %,d, in %,d of the classes, which took %.1f ms; a call costs"
                                + " %.0f ns, %.0f ns of it inside, which is subtracted",
                        count(seen, CallSnapshot.METHODS),
                        count(seen, CallSnapshot.CLASSES),
                        count(seen, CallSnapshot.CHANGING_MICROS) / 1e3,
                        seen.innerNanos() + seen.outerNanos(),
                        seen.innerNanos()));
        for (String name :
                List.of(
                        CallSnapshot.SKIPPED,
                        CallSnapshot.NOT_RESTORED,
                        CallSnapshot.UNSEEN,
                        CallSnapshot.LATE,
                        CallSnapshot.LEFT_OUT,
                        CallSnapshot.WAITING_ROOTS)) {
            if (count(seen, name) > 0) {
                lines.add(String.format(Locale.ROOT, "%,d %s", count(seen, name), name));
            }
        }
        return lines;
    }

    private static long count(CallSnapshot seen, String name) {
        return seen.counts().getOrDefault(name, 0L);
    }

    private void show(Profile profile) {
        if (profile.mainColumn().isEmpty()) {
            output.to(shell).print("no root was called in " + duration + "\n");
            return;
        }
        String elapsed = CallProfile.ELAPSED.name();
        // Calls may take less than can be told from what measuring takes.
        String shownFirst = profile.column(elapsed).isPresent() ? elapsed : Resource.CALLS.name();
        ReportOptions.Builder options = ReportOptions.builder().resource(shownFirst);
        if (output.file().isEmpty()) {
            shell.width().ifPresent(options::width);
        }
        shown.addTo(options);
        View view = output.form() == Form.HTML ? View.FLAME : View.XTREE;
        output.write(shell, view.of(profile, options.build()));
    }
}
