package dev.heatline.collector.jvm;

import dev.heatline.wire.RecordingSettings;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Heatline's recording in a JVM, as the JVM says it is.
 *
 * @param repository the folder its chunks are in
 * @param settings of the events that are really on, {@code EVENT#SETTING} to value
 * @param stackDepth how many frames of a stack are kept; 0 if unknown
 * @param since when these settings were made
 */
public record FlightRecording(
        Path repository, Map<String, String> settings, int stackDepth, Instant since) {

    public FlightRecording {
        settings = Map.copyOf(settings);
    }

    public String name() {
        return RecordingSettings.RECORDING;
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
