package dev.heatline.server;

import dev.heatline.formats.jfr.LiveRecording;
import dev.heatline.model.Provenance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * What the server counts of itself, in the text form that Prometheus reads. Labels only take values
 * from small fixed sets, so that no sender can make this grow.
 */
final class Metrics {

    /** Everything that is counted or measured. */
    enum Family {
        UPLOADS("uploads_total", "counter", "Uploads by how they ended and by format."),
        UPLOAD_BYTES("upload_bytes_total", "counter", "Bytes of uploads as they were sent."),
        SAMPLES("samples_total", "counter", "Samples of stored uploads."),
        PROVENANCE(
                "provenance_total",
                "counter",
                "What senders counted while collecting: lost samples, their own costs."),
        REDUCED(
                "profiles_reduced_total",
                "counter",
                "Profiles of which something was left out so that profiling stays cheap."),
        DECODE("decode_seconds", "histogram", "Time to read one upload."),
        STORE("store_add_seconds", "histogram", "Time to store one upload."),
        QUEUE("upload_queue", "gauge", "Uploads that are received and wait to be read."),
        REQUESTS("request_seconds", "histogram", "Requests by route and status."),
        REFUSALS("refusals_total", "counter", "Requests refused, by status."),
        SLOW("slow_clients_total", "counter", "Connections closed since the client was too slow."),
        CROWDS("crowds_total", "counter", "Connections closed since their address had too many."),
        MAINTENANCE("maintenance_total", "counter", "Rounds of rolling up and deleting."),
        APPLICATIONS("applications", "gauge", "Applications that there are profiles of."),
        EXECUTIONS("executions", "gauge", "Executions that were heard of within a week."),
        STORE_BYTES("store_bytes", "gauge", "Bytes of the store on disk."),
        STORE_NODES("store_nodes", "gauge", "Nodes of all stored trees."),
        STORE_PROFILES("store_profiles", "gauge", "Stored profiles by level of roll-up."),
        HEAP("heap_bytes", "gauge", "Memory of Java objects in use."),
        HEAP_MAX("heap_max_bytes", "gauge", "Memory that Java objects may use."),
        RESIDENT("resident_bytes", "gauge", "Memory of the whole process, where it is known."),
        CPU("cpu_seconds_total", "counter", "Processor time of the whole process."),
        UPTIME("uptime_seconds", "gauge", "Time since the server started.");

        private final String title;
        private final String type;
        private final String help;

        Family(String title, String type, String help) {
            this.title = "heatline_" + title;
            this.type = type;
            this.help = help;
        }
    }

    private static final double[] BOUNDS_SECONDS = {0.001, 0.005, 0.02, 0.1, 0.5, 2, 10};
    private static final double NANOS_PER_SECOND = 1e9;

    /** More names than any collector has, and longer ones. */
    private static final int MAX_NAMES = 64;

    /** What our collectors count, for which there is room whatever others send. */
    private static final Set<String> OWN_COUNTS =
            Set.of(
                    Provenance.PROFILING_MICROS,
                    Provenance.PROFILED_MICROS,
                    Provenance.PROFILING_BYTES,
                    Provenance.CORRECTED_MICROS,
                    Provenance.LOCKS_TRACED_MICROS,
                    Provenance.STEAL_MICROS,
                    Provenance.RUN_QUEUE_MICROS,
                    Provenance.THROTTLED_MICROS,
                    Provenance.CALLS_MEASURED_SECONDS,
                    Provenance.DROPPED_PROFILES,
                    Provenance.DROPPED_SAMPLES,
                    Provenance.LOST,
                    Provenance.LOST + " cpu-samples",
                    Provenance.UNDECODABLE,
                    Provenance.UNDECODABLE + " cpu-samples",
                    Provenance.TRUNCATED,
                    LiveRecording.LOST_CHUNKS,
                    LiveRecording.MISSING_MILLIS);

    private final long startedNanos = System.nanoTime();
    private final Map<Family, Map<String, LongAdder>> counters = new ConcurrentHashMap<>();
    private final Map<Family, Map<String, Histogram>> histograms = new ConcurrentHashMap<>();

    private static final class Histogram {
        private final LongAdder[] buckets =
                Stream.generate(LongAdder::new)
                        .limit(BOUNDS_SECONDS.length + 1L)
                        .toArray(LongAdder[]::new);
        private final LongAdder nanos = new LongAdder();

        void add(long amount) {
            int bucket = 0;
            while (bucket < BOUNDS_SECONDS.length
                    && amount > BOUNDS_SECONDS[bucket] * NANOS_PER_SECOND) {
                bucket++;
            }
            buckets[bucket].increment();
            nanos.add(amount);
        }
    }

    /**
     * Adds to a counter.
     *
     * @param labels as Prometheus writes them, such as {@code outcome="stored"}; may be empty
     */
    void add(Family family, String labels, long amount) {
        counters.computeIfAbsent(family, _ -> new ConcurrentSkipListMap<>())
                .computeIfAbsent(labels, _ -> new LongAdder())
                .add(amount);
    }

    /** What a sender counted, and what it left out. */
    void addProvenance(Provenance provenance) {
        provenance
                .counts()
                .forEach((name, amount) -> addNamed(Family.PROVENANCE, "count", name, amount));
        String reduced = provenance.fact(Provenance.REDUCED);
        if (!reduced.isEmpty()) {
            addNamed(Family.REDUCED, "reduction", reduced, 1);
        }
    }

    /** Names are the sender's own, so only so many others are kept apart. */
    private void addNamed(Family family, String label, String name, long amount) {
        Map<String, LongAdder> known =
                counters.computeIfAbsent(family, _ -> new ConcurrentSkipListMap<>());
        String labels = label(label, name);
        boolean room =
                known.containsKey(labels) || known.size() < MAX_NAMES || OWN_COUNTS.contains(name);
        if (name.length() <= MAX_NAMES && room) {
            add(family, labels, amount);
        }
    }

    /** Adds a duration to a histogram. */
    void observe(Family family, String labels, long nanos) {
        histograms
                .computeIfAbsent(family, _ -> new ConcurrentSkipListMap<>())
                .computeIfAbsent(labels, _ -> new Histogram())
                .add(nanos);
    }

    static String label(String name, String value) {
        return name
                + "=\""
                + value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n")
                + "\"";
    }

    /**
     * All series.
     *
     * @param gauges what is measured at this moment, by family and labels
     */
    String text(Map<Family, Map<String, Long>> gauges) {
        StringBuilder text = new StringBuilder();
        for (Family family : Family.values()) {
            StringBuilder series = new StringBuilder();
            counters.getOrDefault(family, Map.of())
                    .forEach(
                            (labels, value) ->
                                    line(series, family, "", labels, Long.toString(value.sum())));
            gauges.getOrDefault(family, Map.of())
                    .forEach(
                            (labels, value) ->
                                    line(series, family, "", labels, Long.toString(value)));
            histograms
                    .getOrDefault(family, Map.of())
                    .forEach((labels, value) -> histogram(series, family, labels, value));
            process(series, family);
            if (!series.isEmpty()) {
                text.append("# HELP " + family.title + " " + family.help + "\n");
                text.append("# TYPE " + family.title + " " + family.type + "\n");
                text.append(series);
            }
        }
        return text.toString();
    }

    private void process(StringBuilder text, Family family) {
        Runtime runtime = Runtime.getRuntime();
        switch (family) {
            case HEAP -> value(text, family, runtime.totalMemory() - runtime.freeMemory());
            case HEAP_MAX -> value(text, family, runtime.maxMemory());
            case RESIDENT -> {
                long bytes = residentBytes();
                if (bytes > 0) {
                    value(text, family, bytes);
                }
            }
            case CPU -> line(text, family, "", "", seconds(cpu().toNanos()));
            case UPTIME -> line(text, family, "", "", seconds(System.nanoTime() - startedNanos));
            default -> {
                // Counted or measured elsewhere.
            }
        }
    }

    private static Duration cpu() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** As the kernel counts it; 0 where it does not say. */
    private static long residentBytes() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }

    private static void histogram(
            StringBuilder text, Family family, String labels, Histogram histogram) {
        long count = 0;
        String before = labels.isEmpty() ? "" : labels + ",";
        for (int i = 0; i < histogram.buckets.length; i++) {
            count += histogram.buckets[i].sum();
            String bound = i < BOUNDS_SECONDS.length ? Double.toString(BOUNDS_SECONDS[i]) : "+Inf";
            line(text, family, "_bucket", before + label("le", bound), Long.toString(count));
        }
        line(text, family, "_sum", labels, seconds(histogram.nanos.sum()));
        line(text, family, "_count", labels, Long.toString(count));
    }

    private static String seconds(long nanos) {
        return Double.toString(nanos / NANOS_PER_SECOND);
    }

    private static void value(StringBuilder text, Family family, long value) {
        line(text, family, "", "", Long.toString(value));
    }

    private static void line(
            StringBuilder text, Family family, String ending, String labels, String value) {
        text.append(family.title).append(ending);
        if (!labels.isEmpty()) {
            text.append('{').append(labels).append('}');
        }
        text.append(' ').append(value).append('\n');
    }
}
