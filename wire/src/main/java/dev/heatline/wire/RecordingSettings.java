package dev.heatline.wire;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the flight recorder of a JVM is to write for Heatline: the same whether the agent or the
 * collector switches it on.
 *
 * @param cpuInterval between two samples of a running thread
 * @param cpuTime whether to sample by CPU time where the JDK can, instead of by the clock
 * @param allocationsPerSecond how many allocations are sampled at most; none if 0
 * @param waitThreshold how long a thread waits for a monitor or is parked before that is written;
 *     empty if it never is
 * @param stackDepth how many frames of a stack are kept
 * @param maxBytes what the finished chunks of the recording may take on disk
 */
public record RecordingSettings(
        Duration cpuInterval,
        boolean cpuTime,
        int allocationsPerSecond,
        Optional<Duration> waitThreshold,
        int stackDepth,
        long maxBytes) {

    /** The name of Heatline's recordings, by which they are told from other people's. */
    public static final String RECORDING = "heatline";

    public static final String EXECUTION_SAMPLE = "jdk.ExecutionSample";
    public static final String NATIVE_SAMPLE = "jdk.NativeMethodSample";
    public static final String CPU_TIME_SAMPLE = "jdk.CPUTimeSample";

    /** All that tells of running threads. */
    public static final Set<String> CPU_EVENTS =
            Set.of(EXECUTION_SAMPLE, NATIVE_SAMPLE, CPU_TIME_SAMPLE, "jdk.CPUTimeSamplesLost");

    public static final String ALLOCATION_SAMPLE = "jdk.ObjectAllocationSample";

    /** What each thread allocated before; without it, nobody can tell that from its samples. */
    public static final String THREAD_ALLOCATION = "jdk.ThreadAllocationStatistics";

    public static final String MONITOR_ENTER = "jdk.JavaMonitorEnter";
    public static final String PARK = "jdk.ThreadPark";

    /** How often the JVM brings what it has to disk, where the collector reads it. */
    public static final Duration FLUSH_INTERVAL = Duration.ofSeconds(1);

    /** The first JDK to have {@code jdk.CPUTimeSample}, on Linux. */
    private static final int CPU_TIME_JDK = 25;

    /**
     * A stack depth of 512 cuts hardly any stack that is not a runaway recursion (the JVM's own 64
     * cuts most stacks of a web framework), and costs a thread at most 20 kB. Allocations are
     * sampled as often as JFR's own default does.
     */
    public static final RecordingSettings DEFAULT =
            new RecordingSettings(
                    Duration.ofMillis(10),
                    true,
                    150,
                    Optional.of(Duration.ofMillis(10)),
                    512,
                    64L << 20);

    public RecordingSettings {
        if (cpuInterval.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException(
                    "a CPU interval of " + cpuInterval + " is shorter than JFR's 1 ms");
        }
    }

    /** Whether a JVM can sample by CPU time. */
    public static boolean hasCpuTime(int jdk, String operatingSystem) {
        return jdk >= CPU_TIME_JDK && operatingSystem.equals("Linux");
    }

    public RecordingSettings withCpuInterval(Duration interval) {
        return new RecordingSettings(
                interval, cpuTime, allocationsPerSecond, waitThreshold, stackDepth, maxBytes);
    }

    /** By the clock, as every JDK can. */
    public RecordingSettings withoutCpuTime() {
        return new RecordingSettings(
                cpuInterval, false, allocationsPerSecond, waitThreshold, stackDepth, maxBytes);
    }

    public RecordingSettings withAllocationsPerSecond(int atMost) {
        return new RecordingSettings(
                cpuInterval, cpuTime, atMost, waitThreshold, stackDepth, maxBytes);
    }

    public RecordingSettings withWaitThreshold(Optional<Duration> threshold) {
        return new RecordingSettings(
                cpuInterval, cpuTime, allocationsPerSecond, threshold, stackDepth, maxBytes);
    }

    public RecordingSettings withMaxBytes(long bytes) {
        return new RecordingSettings(
                cpuInterval, cpuTime, allocationsPerSecond, waitThreshold, stackDepth, bytes);
    }

    /**
     * The settings as the flight recorder takes them, {@code EVENT#SETTING} to value, with every
     * event that is not named off. CPU time and the clock are never sampled both: a thread would be
     * stopped and counted twice.
     */
    public Map<String, String> events(boolean cpuTimeAvailable) {
        Map<String, String> events = new LinkedHashMap<>();
        // What the reader needs to know about a chunk: the interval, the JVM, what was lost.
        enable(events, "jdk.ActiveSetting");
        enable(events, "jdk.JVMInformation");
        enable(events, "jdk.DataLoss");
        // Whose recordings a chunk belongs to, for whoever finds it when the JVM has ended.
        enable(events, "jdk.ActiveRecording");
        if (cpuTime && cpuTimeAvailable) {
            enable(events, CPU_TIME_SAMPLE);
            events.put(CPU_TIME_SAMPLE + "#throttle", text(cpuInterval));
            enable(events, "jdk.CPUTimeSamplesLost");
        } else {
            enable(events, EXECUTION_SAMPLE);
            events.put(EXECUTION_SAMPLE + "#period", text(cpuInterval));
            // Half as often, as JFR does it too: threads in native code mostly wait there.
            enable(events, NATIVE_SAMPLE);
            events.put(NATIVE_SAMPLE + "#period", text(cpuInterval.multipliedBy(2)));
        }
        if (allocationsPerSecond > 0) {
            enable(events, ALLOCATION_SAMPLE);
            events.put(ALLOCATION_SAMPLE + "#throttle", allocationsPerSecond + "/s");
            enable(events, THREAD_ALLOCATION);
            events.put(THREAD_ALLOCATION + "#period", "everyChunk");
        }
        waitThreshold.ifPresent(
                threshold -> {
                    enable(events, MONITOR_ENTER);
                    events.put(MONITOR_ENTER + "#threshold", text(threshold));
                    enable(events, PARK);
                    events.put(PARK + "#threshold", text(threshold));
                });
        return events;
    }

    /** The names of all events that are recorded, where CPU time can be sampled and where not. */
    public Set<String> eventNames() {
        Set<String> names = new TreeSet<>();
        for (boolean available : new boolean[] {false, true}) {
            for (String setting : events(available).keySet()) {
                names.add(setting.substring(0, setting.indexOf('#')));
            }
        }
        return names;
    }

    private static void enable(Map<String, String> events, String event) {
        events.put(event + "#enabled", "true");
    }

    private static String text(Duration duration) {
        long nanos = duration.toNanos();
        if (nanos % 1_000_000 == 0) {
            return nanos / 1_000_000 + "ms";
        }
        return nanos % 1_000 == 0 ? nanos / 1_000 + "us" : nanos + "ns";
    }
}
