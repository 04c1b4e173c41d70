package dev.heatline.collector.jvm;

import dev.heatline.wire.Announcement;
import dev.heatline.wire.Announcements;
import dev.heatline.wire.RecordingSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Switches the flight recorder of another JVM on and off, by diagnostic commands: nothing is loaded
 * into it. Heatline's recordings are known by their name; those of other people are left alone.
 */
public final class FlightRecorder {
    private static final Pattern REPOSITORY =
            Pattern.compile("(?m)^Repository path: (/.+|[A-Z]:.+)$");
    private static final Pattern DEPTH = Pattern.compile("(?m)^Stack depth: (\\d+)$");
    private static final Pattern STARTED = Pattern.compile("Started recording (\\d+)\\.");

    private final Jvm jvm;
    private final DiagnosticCommands commands;

    private FlightRecorder(Jvm jvm, DiagnosticCommands commands) {
        this.jvm = jvm;
        this.commands = commands;
    }

    /**
     * Makes sure that a recording with these settings runs, and returns it. One that already does
     * is found again, one with other settings is changed. Where CPU time cannot be sampled, the
     * clock is used.
     *
     * @throws JvmException if the JVM does not let itself be recorded
     */
    public static FlightRecording start(Jvm jvm, RecordingSettings settings) {
        try (DiagnosticCommands commands = DiagnosticCommands.of(jvm)) {
            FlightRecorder recorder = new FlightRecorder(jvm, commands);
            return recorder.ensure(settings, recorder.list());
        }
    }

    /**
     * Heatline's recording in this JVM; empty if there is none. Asks the JVM itself where it can be
     * attached to, and otherwise believes what the agent announced.
     *
     * @throws JvmException if it has ended, or does not answer
     */
    public static Optional<FlightRecording> find(Jvm jvm) {
        if (jvm.obstacle().isPresent()) {
            Optional<FlightRecording> announced = jvm.announced();
            announced.ifPresent(recording -> requireOwn(jvm, recording.repository()));
            return announced;
        }
        try (DiagnosticCommands commands = DiagnosticCommands.of(jvm)) {
            FlightRecorder recorder = new FlightRecorder(jvm, commands);
            return ours(recorder.list()).stream()
                    .findFirst()
                    .map(entry -> recorder.describe(entry, since(jvm)));
        }
    }

    /**
     * Gives the running recording other settings. The new one starts before the old one stops, so
     * that nothing is missed; the recorder begins a new chunk.
     *
     * @throws JvmException if none runs, or the JVM does not let itself be recorded
     */
    public static FlightRecording change(Jvm jvm, RecordingSettings settings) {
        try (DiagnosticCommands commands = DiagnosticCommands.of(jvm)) {
            FlightRecorder recorder = new FlightRecorder(jvm, commands);
            List<RecordingList.Entry> all = recorder.list();
            if (ours(all).isEmpty()) {
                throw new JvmException(jvm + " has no recording of Heatline's to change");
            }
            return recorder.ensure(settings, all);
        }
    }

    /**
     * Stops what Heatline started, whether by the agent or from outside.
     *
     * @throws JvmException if it has ended, or does not answer
     */
    public static void stop(Jvm jvm) {
        try (DiagnosticCommands commands = DiagnosticCommands.of(jvm)) {
            FlightRecorder recorder = new FlightRecorder(jvm, commands);
            recorder.stop(ours(recorder.list()));
        }
        withdraw(jvm);
    }

    private FlightRecording ensure(RecordingSettings settings, List<RecordingList.Entry> all) {
        List<RecordingList.Entry> old = ours(all);
        boolean cpuTime =
                RecordingSettings.hasCpuTime(jvm.feature(), System.getProperty("os.name"));
        Map<String, String> wanted = settings.events(cpuTime);
        FlightRecording recording;
        if (old.size() == 1 && old.getFirst().settings().equals(wanted)) {
            recording = describe(old.getFirst(), since(jvm));
        } else {
            // The depth is everybody's, and fixed once the recorder is initialised.
            if (!isInitialised()) {
                commands.run("JFR.configure stackdepth=" + settings.stackDepth());
            }
            recording = describe(begin(settings, wanted), now());
            stop(old);
        }
        announce(jvm, recording);
        return recording;
    }

    private RecordingList.Entry begin(RecordingSettings settings, Map<String, String> events) {
        RecordingList.Entry begun = command(settings, events);
        String cpuTime = RecordingSettings.CPU_TIME_SAMPLE + "#enabled";
        if (!events.containsKey(cpuTime) || begun.settings().containsKey(cpuTime)) {
            return begun;
        }
        // What a JVM does not know it leaves out without a word.
        RecordingList.Entry byClock = command(settings, settings.events(false));
        stop(List.of(begun));
        return byClock;
    }

    private RecordingList.Entry command(RecordingSettings settings, Map<String, String> events) {
        StringBuilder command =
                new StringBuilder("JFR.start name=")
                        .append(RecordingSettings.RECORDING)
                        .append(" settings=none disk=true maxsize=")
                        .append(settings.maxBytes())
                        .append(" flush-interval=")
                        .append(RecordingSettings.FLUSH_INTERVAL.toSeconds())
                        .append('s');
        // Without the plus an event stays off under settings=none, and nobody complains.
        events.forEach(
                (name, value) -> command.append(" +").append(name).append('=').append(value));
        String answer = commands.run(command.toString());
        Matcher started = STARTED.matcher(answer);
        if (!started.find()) {
            throw new JvmException(jvm + " does not start recording: " + firstLine(answer));
        }
        int id = Integer.parseInt(started.group(1));
        return list().stream()
                .filter(entry -> entry.id() == id)
                .findFirst()
                .orElseThrow(() -> new JvmException(jvm + " stopped its recording at once"));
    }

    private void stop(List<RecordingList.Entry> recordings) {
        for (RecordingList.Entry recording : recordings) {
            commands.run("JFR.stop name=" + recording.id());
        }
    }

    /** The newest first: the others were left behind by a change that did not come to its end. */
    private static List<RecordingList.Entry> ours(List<RecordingList.Entry> all) {
        return all.stream().filter(RecordingList.Entry::isOurs).toList().reversed();
    }

    /** All recordings. Asking for them initialises a recorder, so one that is not is not asked. */
    private List<RecordingList.Entry> list() {
        return isInitialised()
                ? RecordingList.parse(commands.run("JFR.check verbose=true"))
                : List.of();
    }

    private boolean isInitialised() {
        return REPOSITORY.matcher(commands.run("JFR.configure")).find();
    }

    private FlightRecording describe(RecordingList.Entry entry, Instant since) {
        String configuration = commands.run("JFR.configure");
        Matcher repository = REPOSITORY.matcher(configuration);
        if (!repository.find()) {
            throw new JvmException(
                    jvm + " does not tell where it records to: " + firstLine(configuration));
        }
        Matcher depth = DEPTH.matcher(configuration);
        Path folder = Path.of(repository.group(1));
        requireOwn(jvm, folder);
        return new FlightRecording(
                folder,
                entry.settings(),
                depth.find() ? Integer.parseInt(depth.group(1)) : 0,
                since);
    }

    /** A JVM must not make a collector that runs as root read what its own user could not. */
    private static void requireOwn(Jvm jvm, Path repository) {
        if (!new RunningProcess(jvm.pid()).owns(repository)) {
            throw new JvmException(
                    jvm + " records to " + repository + ", which is gone or another user's");
        }
    }

    /** When the settings were made, as far as anybody wrote it down. */
    private static Instant since(Jvm jvm) {
        return jvm.announced().map(FlightRecording::since).orElseGet(FlightRecorder::now);
    }

    /** As it is announced. */
    private static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }

    private static String firstLine(String answer) {
        return answer.lines().filter(line -> !line.isBlank()).findFirst().orElse("no answer");
    }

    private static void announce(Jvm jvm, FlightRecording recording) {
        try {
            Announcements.here().deleteStale();
            Announcements.here()
                    .write(
                            new Announcement(
                                    jvm.process(),
                                    agentOptions(jvm),
                                    recording.settings(),
                                    recording.repository().toString(),
                                    recording.stackDepth(),
                                    recording.since().toEpochMilli(),
                                    ""));
        } catch (IOException e) {
            throw new JvmException(
                    "recording " + jvm + ", but cannot write that down: " + e.getMessage(), e);
        }
    }

    /** What the agent was told is still true; without an agent there is nothing left to say. */
    private static void withdraw(Jvm jvm) {
        Map<String, String> options = agentOptions(jvm);
        try {
            if (options.isEmpty()) {
                Announcements.here().delete(jvm.process());
            } else {
                Announcements.here()
                        .write(
                                new Announcement(
                                        jvm.process(),
                                        options,
                                        Map.of(),
                                        "",
                                        0,
                                        System.currentTimeMillis(),
                                        ""));
            }
        } catch (IOException e) {
            throw new JvmException(
                    "stopped recording " + jvm + ", but it stays listed: " + e.getMessage(), e);
        }
    }

    private static Map<String, String> agentOptions(Jvm jvm) {
        return jvm.announcement().map(Announcement::options).orElse(Map.of());
    }
}
