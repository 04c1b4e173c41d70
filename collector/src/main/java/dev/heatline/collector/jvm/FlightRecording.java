package dev.heatline.collector.jvm;

import dev.heatline.wire.Announcement;
import dev.heatline.wire.RecordingSettings;
import java.nio.file.Path;
import java.time.Instant;
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
 * @param reduction what a collector left out to keep to its budget, for people; empty if nothing
 * @param remark what went wrong and did no harm, for people
 */
public record FlightRecording(
        Path repository,
        Map<String, String> settings,
        int stackDepth,
        Instant since,
        String reduction,
        Optional<String> remark) {

    public FlightRecording {
        settings = Map.copyOf(settings);
    }

    /** As it was announced. A time in the future is from before the clock was put back. */
    static FlightRecording of(Announcement told) {
        Instant since = Instant.ofEpochMilli(told.sinceMillis());
        return new FlightRecording(
                new RunningProcess(told.process().pid()).here(Path.of(told.repository())),
                told.settings(),
                told.stackDepth(),
                since.isAfter(Instant.now()) ? Instant.EPOCH : since,
                told.reduction(),
                Optional.empty());
    }

    FlightRecording with(Optional<String> other) {
        return new FlightRecording(repository, settings, stackDepth, since, reduction, other);
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
}
