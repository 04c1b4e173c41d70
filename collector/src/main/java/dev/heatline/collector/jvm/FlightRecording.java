package dev.heatline.collector.jvm;

import dev.heatline.wire.Announcement;
import dev.heatline.wire.RecordingSettings;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Heatline's recording in a JVM, as the JVM says it is.
 *
 * @param repository the folder its chunks are in
 * @param settings of the events that are really on, {@code EVENT#SETTING} to value
 * @param stackDepth how many frames of a stack are kept; 0 if unknown
 * @param since when these settings were made; {@link Instant#EPOCH} if nobody knows
 * @param remark what went wrong and did no harm, for people
 */
public record FlightRecording(
        Path repository,
        Map<String, String> settings,
        int stackDepth,
        Instant since,
        Optional<String> remark) {

    public FlightRecording {
        settings = Map.copyOf(settings);
    }

    FlightRecording(Path repository, Map<String, String> settings, int stackDepth, Instant since) {
        this(repository, settings, stackDepth, since, Optional.empty());
    }

    /** As it was announced. A time in the future is from before the clock was put back. */
    static FlightRecording of(Announcement told) {
        Instant since = Instant.ofEpochMilli(told.sinceMillis());
        return new FlightRecording(
                new RunningProcess(told.process().pid()).here(Path.of(told.repository())),
                told.settings(),
                told.stackDepth(),
                since.isAfter(Instant.now()) ? Instant.EPOCH : since);
    }

    FlightRecording with(Optional<String> other) {
        return new FlightRecording(repository, settings, stackDepth, since, other);
    }

    /** The names of the events that are on. */
    public SortedSet<String> events() {
        SortedSet<String> events = new TreeSet<>();
        settings.forEach(
                (name, value) -> {
                    if (name.endsWith("#enabled") && value.equals("true")) {
                        events.add(name.substring(0, name.indexOf('#')));
                    }
                });
        return events;
    }

    /** The interval of the CPU samples as the JVM was told it, such as {@code 10ms}. */
    public String cpuInterval() {
        String byClock = settings.getOrDefault(RecordingSettings.EXECUTION_SAMPLE + "#period", "");
        return settings.getOrDefault(RecordingSettings.CPU_TIME_SAMPLE + "#throttle", byClock);
    }

    /** What is not recorded although it is by default, for people; empty if nothing is missing. */
    public String reduction() {
        SortedSet<String> events = events();
        List<String> less = new ArrayList<>();
        if (!events.contains(RecordingSettings.ALLOCATION_SAMPLE)) {
            less.add("no allocations");
        }
        if (!events.contains(RecordingSettings.MONITOR_ENTER)) {
            less.add("no waits");
        }
        String usual = RecordingSettings.DEFAULT.cpuInterval().toMillis() + "ms";
        if (!cpuInterval().equals(usual)) {
            less.add("samples every " + cpuInterval() + " instead of " + usual);
        }
        return String.join(", ", less);
    }
}
