package dev.heatline.cli;

import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.JvmException;
import dev.heatline.collector.jvm.ThreadNames;
import dev.heatline.collector.proc.Proc;
import dev.heatline.collector.threads.ThreadUse;
import dev.heatline.collector.threads.ThreadWatch;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the threads of a JVM use of the CPUs, and what the hypervisor takes of that. */
@Command(
        customSynopsis = "heatline threads TARGET [-d TIME] [-i TIME] [OPTIONS]",
        description = {
            "CPU time of each thread of a JVM for a while: how much of it a hypervisor stole, what is"
                    + " left, and how long the thread waited for a CPU. Needs Linux; the JVM runs on"
                    + " as it is. Ctrl-C ends it early."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  heatline threads 4711",
            "      the threads of this process, for ten seconds",
            "  heatline threads shop -d 1m",
            "      for a minute, of the JVM with shop in its main class",
            "  heatline threads shop --json | jq '.rows[] | select(.steal > 0.1) | .thread'",
            "      who lost more than a tenth of a second, for a script"
        })
final class Threads implements Action {
    private final Shell shell;

    @Mixin private TargetJvm target;

    @Mixin private DurationOption duration;

    // Not --interval: that setting is what a profile covers.
    @Option(
            names = {"-i", "--every"},
            paramLabel = "TIME",
            defaultValue = "1s",
            description = "Time between looks; ${DEFAULT-VALUE} if not said.")
    private String every = "";

    @Option(
            names = "--short-names",
            description = {
                "Names as the kernel has them, cut off after 15 characters. Otherwise the JVM is asked"
                        + " at the end, for which it stops its threads for some milliseconds."
            })
    private boolean shortNames;

    @Option(names = "--json", description = "The same as --format json.")
    private boolean json;

    @Mixin private AnswerOutputOptions output;

    Threads(Shell shell) {
        this.shell = shell;
    }

    @Override
    public int run() {
        long everyNanos = duration.nanos("--every", every);
        long durationNanos = duration.nanos();
        output.form();
        if (!Proc.HERE.exists()) {
            throw new CommandException(
                    "this system has no /proc, which tells what threads use; run it on Linux");
        }
        Jvm jvm = target.find();
        try (Progress progress = Progress.start(shell);
                Interruption interruption = new Interruption()) {
            ThreadWatch watch =
                    ThreadWatch.begin(Proc.HERE, jvm.process())
                            .orElseThrow(() -> new CommandException(jvm + " has ended"));
            progress.step("watching " + jvm, durationNanos);
            boolean runs = watch(watch, everyNanos, durationNanos, interruption, progress);
            ThreadsAnswer answer = answer(jvm, watch.seen(), runs);
            progress.writing(output.file());
            if (json) {
                output.to(shell).print(Json.text(answer::writeTo));
            } else {
                output.write(shell, answer.text(), answer::writeTo);
            }
        }
        return Exit.DONE;
    }

    /** Whether the JVM still runs at the end. */
    private static boolean watch(
            ThreadWatch watch,
            long everyNanos,
            long durationNanos,
            Interruption interruption,
            Progress progress) {
        long start = System.nanoTime();
        long passed = 0;
        boolean runs = true;
        boolean asked = false;
        while (runs && !asked && passed < durationNanos) {
            long next = Math.min(durationNanos, passed - passed % everyNanos + everyNanos);
            asked = interruption.isAsked(start + next - System.nanoTime());
            runs = watch.look();
            passed = System.nanoTime() - start;
            progress.reach(passed);
        }
        return runs;
    }

    /** The kernel's names are cut off; the JVM is asked for its own if it can be. */
    private ThreadsAnswer answer(Jvm jvm, ThreadWatch.Seen seen, boolean runs) {
        List<String> remarks = new ArrayList<>();
        ThreadWatch.Seen named = seen;
        if (runs && !shortNames) {
            try {
                named =
                        seen.named(
                                ThreadNames.of(
                                        jvm, seen.threads().stream().map(ThreadUse::tid).toList()));
            } catch (JvmException e) {
                remarks.add("names are cut off after 15 characters: " + e.getMessage());
            }
        } else if (!runs) {
            remarks.add("the JVM has ended; this is what was seen of it, with names cut off");
        }
        return new ThreadsAnswer(jvm, named, !runs, remarks);
    }
}
