package dev.heatline.cli;

import dev.heatline.collector.jvm.Jvm;
import dev.heatline.formats.Format;
import dev.heatline.model.Contentions;
import dev.heatline.model.Profile;
import dev.heatline.model.Resource;
import dev.heatline.report.Form;
import dev.heatline.report.ReportOptions;
import dev.heatline.report.View;
import dev.heatline.wire.RecordingSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A profile of a JVM that runs, for a while. */
@Command(
        customSynopsis = "heatline record TARGET [-e EVENTS] [-d TIME] [-o FILE] [OPTIONS]",
        description = {
            "Profiles a running JVM for a while, and leaves it as it was. Needs no server."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  heatline record 4711",
            "      ten seconds; the methods that used the most CPU time themselves",
            "  heatline record shop -d 30s -o shop.html",
            "      a flame graph for the browser",
            "  heatline record shop -e cpu,lock -d 1m -o shop.heat",
            "      with who kept whom waiting, for heatline report"
        })
final class RecordJvm implements Action {
    private final Shell shell;

    @Mixin private TargetJvm target;
    @Mixin private DurationOption duration;

    @Option(
            names = {"-e", "--events"},
            split = ",",
            paramLabel = "EVENT",
            completionCandidates = EventNames.class,
            description = {
                "cpu: samples of running threads; alloc: of allocations; wait: monitors and parks"
                        + " of 10 ms and more, as the flight recorder sees them; lock: all"
                        + " contentions with their cause, see heatline locks. Default:"
                        + " cpu,alloc,wait."
            })
    private List<Event> events = List.of(Event.CPU, Event.ALLOC, Event.WAIT);

    @Option(
            names = {"-i", "--every"},
            paramLabel = "TIME",
            defaultValue = "10ms",
            description = "Time between samples of a thread; ${DEFAULT-VALUE} if not said.")
    private String every = "";

    @Mixin private Detail detail;
    @Mixin private RecordingOutputOptions output;

    /** What can be recorded. */
    enum Event {
        CPU,
        ALLOC,
        WAIT,
        LOCK
    }

    /** The events as they are typed. */
    static final class EventNames extends Words {
        EventNames() {
            super("cpu", "alloc", "wait", "lock");
        }
    }

    RecordJvm(Shell shell) {
        this.shell = shell;
    }

    @Override
    public int run() {
        Optional<Format> format = output.profileFormat();
        if (format.isEmpty() && view() == View.LOCKS) {
            detail.refuseGroupOfLocks();
        }
        output.requireFolder();
        long nanos = duration.nanos();
        RecordingSettings settings = settings();
        Jvm jvm = target.find();
        try (Interruption interruption = new Interruption();
                Progress progress = Progress.start(shell)) {
            Profile profile = recorded(jvm, settings, nanos, interruption, progress);
            WhatWasSeen seen = new WhatWasSeen(profile);
            seen.missing().forEach(progress::tell);
            progress.writing(output.file());
            if (format.isPresent()) {
                output.write(profile, format.get());
            } else {
                show(profile, progress);
            }
            output.to(shell).file().map(seen::writtenTo).ifPresent(progress::tell);
        }
        return Exit.DONE;
    }

    /** What is asked for decides; where no locks were seen after all, methods are shown. */
    private View view() {
        if (output.form() == Form.HTML) {
            return View.FLAME;
        }
        boolean locks = events.contains(Event.LOCK) && !events.contains(Event.CPU);
        return locks ? View.LOCKS : View.XPROF;
    }

    /** The flight recorder always samples running threads; where nobody asked, hardly ever. */
    private RecordingSettings settings() {
        Duration interval = Duration.ofNanos(duration.nanos("--every", every));
        RecordingSettings settings =
                RecordingSettings.DEFAULT.withCpuInterval(
                        events.contains(Event.CPU) ? interval : Duration.ofSeconds(1));
        if (!events.contains(Event.ALLOC)) {
            settings = settings.withAllocationsPerSecond(0);
        }
        return events.contains(Event.WAIT)
                ? settings
                : settings.withWaitThreshold(Optional.empty());
    }

    private Profile recorded(
            Jvm jvm,
            RecordingSettings settings,
            long nanos,
            Interruption interruption,
            Progress progress) {
        List<Watch> watches = new ArrayList<>();
        try (Watches all = new Watches(watches)) {
            if (events.stream().anyMatch(event -> event != Event.LOCK)) {
                watches.add(SampleWatch.start(jvm, settings, wanted(settings)));
            }
            if (events.contains(Event.LOCK)) {
                watches.add(Watch.of(LockTracing.start(jvm)));
            }
            Optional<Duration> before = WhatWasSeen.cpuTime(jvm);
            Watch watch = new StealWatch(all, jvm, events.contains(Event.LOCK));
            watch.during(nanos, jvm, "recording", interruption, progress);
            Optional<Duration> after = WhatWasSeen.cpuTime(jvm);
            Profile seen = watch.seenIn(jvm);
            if (events.contains(Event.CPU) && before.isPresent() && after.isPresent()) {
                new WhatWasSeen(seen)
                        .unsampled(after.get().minus(before.get()))
                        .ifPresent(progress::tell);
            }
            return seen;
        }
    }

    private Set<String> wanted(RecordingSettings settings) {
        Set<String> names = new TreeSet<>(settings.eventNames());
        if (!events.contains(Event.CPU)) {
            names.removeAll(RecordingSettings.CPU_EVENTS);
        }
        if (events.contains(Event.LOCK)) {
            // The tracer tells of all monitors.
            names.remove(RecordingSettings.MONITOR_ENTER);
        }
        return names;
    }

    private void show(Profile profile, Progress progress) {
        if (profile.mainColumn().isEmpty()) {
            throw new CommandException("nothing was seen in " + duration + "; record for longer");
        }
        if (events.contains(Event.CPU)
                && profile.occurrences(Resource.CPU).isEmpty()
                && profile.column("cpu-time").isEmpty()) {
            progress.tell("no samples of running threads were taken; this is what else was seen");
        }
        View view = view() == View.LOCKS && !Contentions.areIn(profile) ? View.XPROF : view();
        ReportOptions.Builder options = ReportOptions.builder().foldLines(true);
        if (output.file().isEmpty()) {
            shell.width().ifPresent(options::width);
        }
        detail.addTo(options);
        output.write(shell, view.of(detail.of(profile), options.build()));
    }

    /** Several as one. */
    private record Watches(List<Watch> watches) implements Watch {
        @Override
        public void look() {
            watches.forEach(Watch::look);
        }

        @Override
        public boolean isOver() {
            return watches.stream().allMatch(Watch::isOver);
        }

        @Override
        public Optional<String> remark() {
            return watches.stream().flatMap(watch -> watch.remark().stream()).findFirst();
        }

        @Override
        public void stop() {
            watches.forEach(Watch::stop);
        }

        @Override
        public Profile take() {
            return Contentions.merge(watches.stream().map(Watch::take).toList());
        }

        /** All of them, whatever becomes of one. */
        @Override
        public void close() {
            if (!watches.isEmpty()) {
                Watch last = watches.removeLast();
                try {
                    last.close();
                } finally {
                    close();
                }
            }
        }
    }
}
