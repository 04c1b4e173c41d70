package dev.heatline.collector.jvm;

import dev.heatline.wire.DiskRoom;
import dev.heatline.wire.RecordingSettings;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
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
    private final Claim claim;

    private FlightRecorder(Jvm jvm, DiagnosticCommands commands, Claim claim) {
        this.jvm = jvm;
        this.commands = commands;
        this.claim = claim;
    }

    /**
     * Makes sure that a recording with these settings runs, and returns it. One that already does
     * is found again, one with other settings is changed. Where CPU time cannot be sampled, the
     * clock is used. What the agent started is taken as it is if the JVM cannot be attached to.
     *
     * @throws JvmException if the JVM does not let itself be recorded, or another collector does it
     */
    public static FlightRecording start(Jvm jvm, RecordingSettings settings) {
        return start(jvm, settings, "");
    }

    /**
     * The same, with less than was wanted.
     *
     * @param reduction what is left out to keep to a budget, for people
     */
    public static FlightRecording start(Jvm jvm, RecordingSettings settings, String reduction) {
        Claim claim = Claim.take(jvm);
        try {
            return start(jvm, settings, reduction, claim);
        } catch (RuntimeException e) {
            claim.giveBack();
            throw e;
        }
    }

    /**
     * What a collector finds.
     *
     * @param recording that runs now
     * @param asWanted whether it has the settings that were wanted
     */
    public record Found(FlightRecording recording, boolean asWanted) {}

    /**
     * Makes sure that a recording runs, and returns it. One with other settings is left as it is: a
     * JVM deletes what was recorded with them when they are changed, so that is to be read before
     * {@link #change}.
     *
     * @param reduction what is left out to keep to a budget, for people; empty if nothing
     * @throws JvmException if the JVM does not let itself be recorded, or another collector does it
     */
    public static Found startOrFind(Jvm jvm, RecordingSettings settings, String reduction) {
        Claim claim = Claim.take(jvm);
        try {
            if (isOnlyAnnounced(jvm, claim)) {
                return new Found(announced(jvm, claim), true);
            }
            try (DiagnosticCommands commands = DiagnosticCommands.of(jvm)) {
                FlightRecorder recorder = new FlightRecorder(jvm, commands, claim);
                List<RecordingList.Entry> all = recorder.list();
                List<RecordingList.Entry> old = ours(all);
                if (old.isEmpty() || recorder.isAsWanted(old, settings)) {
                    return new Found(recorder.ensure(settings, reduction, all), true);
                }
                FlightRecording found =
                        recorder.describe(old.getFirst(), claim.since(), claim.reduction());
                return new Found(found.with(claim.announce(found)), false);
            }
        } catch (RuntimeException e) {
            claim.giveBack();
            throw e;
        }
    }

    private static FlightRecording start(
            Jvm jvm, RecordingSettings settings, String reduction, Claim claim) {
        if (isOnlyAnnounced(jvm, claim)) {
            return announced(jvm, claim);
        }
        try (DiagnosticCommands commands = DiagnosticCommands.of(jvm)) {
            FlightRecorder recorder = new FlightRecorder(jvm, commands, claim);
            return recorder.ensure(settings, reduction, recorder.list());
        }
    }

    /** Whether the agent records, and nobody else can tell the JVM anything. */
    private static boolean isOnlyAnnounced(Jvm jvm, Claim claim) {
        return jvm.obstacle().isPresent() && claim.recording().isPresent();
    }

    private static FlightRecording announced(Jvm jvm, Claim claim) {
        FlightRecording agents = claim.recording().orElseThrow();
        requireOwn(jvm, agents.repository());
        return agents.with(claim.remark());
    }

    /**
     * Heatline's recording in this JVM; empty if there is none. Asks the JVM itself where it can be
     * attached to, and otherwise believes what the agent announced.
     *
     * @throws JvmException if it has ended, or does not answer
     */
    public static Optional<FlightRecording> find(Jvm jvm) {
        Claim claim = Claim.of(jvm);
        if (jvm.obstacle().isPresent()) {
            Optional<FlightRecording> announced = claim.recording();
            announced.ifPresent(recording -> requireOwn(jvm, recording.repository()));
            return announced;
        }
        try (DiagnosticCommands commands = DiagnosticCommands.of(jvm)) {
            FlightRecorder recorder = new FlightRecorder(jvm, commands, claim);
            return ours(recorder.list()).stream()
                    .findFirst()
                    .map(entry -> recorder.describe(entry, claim.since(), claim.reduction()));
        }
    }

    /**
     * Gives the running recording other settings. The new one starts before the old one stops, so
     * that nothing is missed; the recorder begins a new chunk.
     *
     * @param reduction what is left out to keep to a budget, for people; empty if nothing
     * @throws JvmException if none runs, the JVM does not let itself be recorded, or another
     *     collector does it
     */
    public static FlightRecording change(Jvm jvm, RecordingSettings settings, String reduction) {
        return change(jvm, settings, reduction, () -> {});
    }

    /**
     * The same for who reads the recording.
     *
     * @param read called before the old one stops, with which the JVM deletes what only that one
     *     recorded
     */
    public static FlightRecording change(
            Jvm jvm, RecordingSettings settings, String reduction, Runnable read) {
        Claim claim = Claim.take(jvm);
        try (DiagnosticCommands commands = DiagnosticCommands.of(jvm)) {
            FlightRecorder recorder = new FlightRecorder(jvm, commands, claim);
            List<RecordingList.Entry> all = recorder.list();
            if (ours(all).isEmpty()) {
                throw new JvmException(jvm + " has no recording of Heatline's to change");
            }
            return recorder.ensure(settings, reduction, all, read);
        } catch (RuntimeException e) {
            claim.giveBack();
            throw e;
        }
    }

    /**
     * Stops what this collector started, or one that was killed. What the agent started goes on,
     * and so does what another collector follows.
     *
     * @throws JvmException if it has ended, or does not answer
     */
    public static void stop(Jvm jvm) {
        Claim claim = Claim.of(jvm);
        if (claim.other().isPresent()) {
            return;
        }
        if (claim.byAgent()) {
            claim.release();
            return;
        }
        try (DiagnosticCommands commands = DiagnosticCommands.of(jvm)) {
            FlightRecorder recorder = new FlightRecorder(jvm, commands, claim);
            recorder.stop(ours(recorder.list()));
        }
        claim.withdraw()
                .ifPresent(
                        why -> {
                            throw new JvmException(why);
                        });
    }

    /**
     * Stops the recording until {@link #start} is called again, and announces why. The agent may
     * have been quicker: what it has stopped it starts again.
     *
     * @return whether there was something to stop, which is this collector's to start again
     * @throws JvmException if the JVM has ended, or does not answer
     */
    public static boolean suspend(Jvm jvm, String why) {
        Claim claim = Claim.of(jvm);
        if (claim.other().isPresent()) {
            return false;
        }
        try (DiagnosticCommands commands = DiagnosticCommands.of(jvm)) {
            FlightRecorder recorder = new FlightRecorder(jvm, commands, claim);
            List<RecordingList.Entry> all = ours(recorder.list());
            if (all.isEmpty()) {
                return false;
            }
            recorder.stop(all);
        }
        claim.suspend(why);
        return true;
    }

    private FlightRecording ensure(
            RecordingSettings settings, String reduction, List<RecordingList.Entry> all) {
        return ensure(settings, reduction, all, () -> {});
    }

    private FlightRecording ensure(
            RecordingSettings settings,
            String reduction,
            List<RecordingList.Entry> all,
            Runnable read) {
        List<RecordingList.Entry> old = ours(all);
        FlightRecording recording;
        if (isAsWanted(old, settings)) {
            recording = describe(old.getFirst(), claim.since(), reduction);
        } else {
            recording = begin(fitting(settings, old.isEmpty()), reduction, wanted(settings));
            read.run();
            stop(old);
        }
        return recording.with(claim.announce(recording));
    }

    private boolean isAsWanted(List<RecordingList.Entry> old, RecordingSettings settings) {
        return old.size() == 1 && old.getFirst().settings().equals(wanted(settings));
    }

    private Map<String, String> wanted(RecordingSettings settings) {
        return settings.events(
                RecordingSettings.hasCpuTime(jvm.feature(), System.getProperty("os.name")));
    }

    /**
     * The settings with what there is room for on disk.
     *
     * @param first whether nothing was recorded until now
     */
    private RecordingSettings fitting(RecordingSettings settings, boolean first) {
        DiskRoom room = new DiskRoom(disk().toFile());
        if (first && !room.isEnough()) {
            throw new JvmException(jvm + " " + room.shortage());
        }
        return settings.withMaxBytes(room.limit(settings.maxBytes()));
    }

    /** The folder in which the recorder has its own, or will have: it may have none yet. */
    private Path disk() {
        Matcher repository = REPOSITORY.matcher(commands.run("JFR.configure"));
        Path there =
                repository.find()
                        ? Path.of(repository.group(1)).resolveSibling("")
                        : Path.of(property("java.io.tmpdir"));
        return new RunningProcess(jvm.pid()).here(there);
    }

    private String property(String name) {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(commands.run("VM.system_properties")));
        } catch (IOException | IllegalArgumentException e) {
            throw new JvmException(jvm + " does not tell its " + name + ": " + e.getMessage());
        }
        return properties.getProperty(name, "/tmp");
    }

    /** All or nothing: what cannot be followed is not left running. */
    private FlightRecording begin(
            RecordingSettings settings, String reduction, Map<String, String> events) {
        // The depth is everybody's, and fixed once the recorder is initialised.
        if (!isInitialised()) {
            commands.run("JFR.configure stackdepth=" + settings.stackDepth());
        }
        Instant since = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        int id = command(settings, events);
        try {
            RecordingList.Entry begun =
                    list().stream()
                            .filter(entry -> entry.id() == id)
                            .findFirst()
                            .orElseThrow(
                                    () -> new JvmException(jvm + " stopped its recording at once"));
            String cpuTime = RecordingSettings.CPU_TIME_SAMPLE + "#enabled";
            if (events.containsKey(cpuTime) && !begun.settings().containsKey(cpuTime)) {
                // What a JVM does not know it leaves out without a word.
                FlightRecording byClock = begin(settings, reduction, settings.events(false));
                stop(List.of(begun));
                return byClock;
            }
            return describe(begun, since, reduction);
        } catch (RuntimeException e) {
            stopAfter(e, id);
            throw e;
        }
    }

    private void stopAfter(RuntimeException failure, int id) {
        try {
            commands.run("JFR.stop name=" + id);
        } catch (JvmException e) {
            failure.addSuppressed(e);
        }
    }

    /** Starts a recording and returns its id. */
    private int command(RecordingSettings settings, Map<String, String> events) {
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
        return Integer.parseInt(started.group(1));
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

    private FlightRecording describe(RecordingList.Entry entry, Instant since, String reduction) {
        String configuration = commands.run("JFR.configure");
        Matcher repository = REPOSITORY.matcher(configuration);
        if (!repository.find()) {
            throw new JvmException(
                    jvm + " does not tell where it records to: " + firstLine(configuration));
        }
        Matcher depth = DEPTH.matcher(configuration);
        Path folder = new RunningProcess(jvm.pid()).here(Path.of(repository.group(1)));
        requireOwn(jvm, folder);
        return new FlightRecording(
                folder,
                entry.settings(),
                depth.find() ? Integer.parseInt(depth.group(1)) : 0,
                since,
                reduction,
                Optional.empty());
    }

    /** A JVM must not make a collector that runs as root read what its own user could not. */
    private static void requireOwn(Jvm jvm, Path repository) {
        if (!new RunningProcess(jvm.pid()).owns(repository)) {
            throw new JvmException(
                    jvm + " records to " + repository + ", which is gone or another user's");
        }
    }

    private static String firstLine(String answer) {
        return answer.lines().filter(line -> !line.isBlank()).findFirst().orElse("no answer");
    }
}
