package dev.heatline.formats.jfr;

import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What one kind of event means: which resources its occurrences and fields add to.
 *
 * <p>The TLAB events of the JDK tell of every buffer it hands out and have resources of their own.
 * Those of async-profiler are samples, each standing for the bytes in its {@code tlabSize}, as the
 * JDK's allocation samples do with their {@code weight}: both are {@code allocations} and {@code
 * allocated}, so that they can be compared.
 *
 * @param event the name of its type
 * @param writer whose events mean this
 * @param measures what it adds to columns of the Profile
 * @param notes fields whose sum goes to a count of the provenance, by field
 */
record EventKind(String event, Writer writer, List<Measure> measures, Map<String, String> notes) {

    /** Who writes recordings. Events of the same name do not always mean the same. */
    enum Writer {
        ANY,
        JDK,
        ASYNC_PROFILER
    }

    /**
     * Where a measure's amount comes from.
     *
     * @param resource what it adds to
     * @param origin how an event becomes an amount
     * @param field the field that is summed, or, for an interval, the field that counts the samples
     *     of an event (empty: each event is one)
     */
    record Measure(Resource resource, Origin origin, String field) {}

    enum Origin {
        /** One per event. */
        EVENTS,
        /** The value of a field, its unit taken from the metadata. */
        FIELD,
        /**
         * The sampling interval that was set for this event, once per sample. Where a recording
         * does not tell its settings there is no time, only samples.
         */
        INTERVAL
    }

    private static final String SAMPLES = Resource.SAMPLES.name();
    private static final String WALL_SAMPLES = "wall-samples";
    private static final String WALL = "wall";
    private static final String DURATION = "duration";

    /** Every event that is always read. */
    static final List<EventKind> KNOWN =
            List.of(
                    sampled("jdk.ExecutionSample", SAMPLES, "cpu"),
                    sampled("jdk.NativeMethodSample", "native-samples", "native"),
                    of("jdk.CPUTimeSample", "cpu-samples")
                            .time("cpu-time", "samplingPeriod")
                            .note("failed", about(Provenance.UNDECODABLE, "cpu-samples"))
                            .note("biased", "biased"),
                    of("jdk.CPUTimeSamplesLost", "")
                            .note("lostSamples", about(Provenance.LOST, "cpu-samples")),
                    of("jdk.DataLoss", "").note("amount", "lost bytes"),
                    weighted("profiler.WallClockSample", WALL_SAMPLES, WALL, "samples"),
                    of("jdk.ObjectAllocationSample", "allocations").bytes("allocated", "weight"),
                    of("jdk.ObjectAllocationInNewTLAB", "tlab-allocations")
                            .bytes("tlab-allocated", "tlabSize")
                            .writtenBy(Writer.JDK),
                    of("jdk.ObjectAllocationOutsideTLAB", "outside-tlab-allocations")
                            .bytes("outside-tlab-allocated", "allocationSize")
                            .writtenBy(Writer.JDK),
                    of("jdk.ObjectAllocationInNewTLAB", "allocations")
                            .bytes("allocated", "tlabSize")
                            .writtenBy(Writer.ASYNC_PROFILER),
                    of("jdk.ObjectAllocationOutsideTLAB", "allocations")
                            .bytes("allocated", "allocationSize")
                            .writtenBy(Writer.ASYNC_PROFILER),
                    of("profiler.LiveObject", "live-objects").bytes("live", "allocationSize"),
                    of("profiler.Malloc", "mallocs").bytes("malloced", "size"),
                    of("profiler.Free", "frees"),
                    of("jdk.JavaMonitorEnter", "contentions").time("blocked", DURATION),
                    of("profiler.NativeLock", "native-contentions")
                            .time("native-blocked", DURATION),
                    of("jdk.JavaMonitorWait", "waits").time("waited", DURATION),
                    of("jdk.ThreadPark", "parks").time("parked", DURATION),
                    of("jdk.ThreadSleep", "sleeps").time("slept", DURATION),
                    of("jdk.FileRead", "file-reads")
                            .time("file-read-time", DURATION)
                            .bytes("file-read-bytes", "bytesRead"),
                    of("jdk.FileWrite", "file-writes")
                            .time("file-write-time", DURATION)
                            .bytes("file-write-bytes", "bytesWritten"),
                    of("jdk.SocketRead", "socket-reads")
                            .time("socket-read-time", DURATION)
                            .bytes("socket-read-bytes", "bytesRead"),
                    of("jdk.SocketWrite", "socket-writes")
                            .time("socket-write-time", DURATION)
                            .bytes("socket-write-bytes", "bytesWritten"),
                    of("jdk.JavaExceptionThrow", "exceptions"),
                    of("jdk.JavaErrorThrow", "errors"),
                    of("jdk.MethodTrace", "traced-calls").time("traced", DURATION));

    /** An event counted under a name; an empty name means that it is not counted at all. */
    private static EventKind of(String event, String count) {
        List<Measure> measures =
                count.isEmpty()
                        ? List.of()
                        : List.of(new Measure(Resource.count(count), Origin.EVENTS, ""));
        return new EventKind(event, Writer.ANY, measures, Map.of());
    }

    /** A sample taken at regular intervals. */
    private static EventKind sampled(String event, String samples, String time) {
        return of(event, samples)
                .plus(new Measure(Resource.seconds(time, samples), Origin.INTERVAL, ""));
    }

    /** An event that stands for as many samples as its field says. */
    private static EventKind weighted(String event, String samples, String time, String field) {
        return of(event, "")
                .plus(new Measure(Resource.count(samples), Origin.FIELD, field))
                .plus(new Measure(Resource.seconds(time, samples), Origin.INTERVAL, field));
    }

    private EventKind time(String resource, String field) {
        return plus(new Measure(Resource.seconds(resource, occurrences()), Origin.FIELD, field));
    }

    private EventKind bytes(String resource, String field) {
        return plus(new Measure(Resource.bytes(resource, occurrences()), Origin.FIELD, field));
    }

    private EventKind note(String field, String count) {
        Map<String, String> more = new HashMap<>(notes);
        more.put(field, count);
        return new EventKind(event, writer, measures, Map.copyOf(more));
    }

    private EventKind writtenBy(Writer whose) {
        return new EventKind(event, whose, measures, notes);
    }

    /**
     * The name of a provenance count that is about one resource. Counts about plain samples have no
     * addition, as those of other collectors.
     */
    static String about(String count, String resource) {
        return resource.equals(SAMPLES) ? count : count + " " + resource;
    }

    /**
     * The same events as samples of wall-clock time. Before version 4, async-profiler wrote those
     * as execution samples.
     */
    EventKind asWallClock() {
        List<Measure> renamed = new ArrayList<>();
        for (Measure measure : measures) {
            Resource resource = measure.resource();
            String name = resource.name();
            if (resource.equals(Resource.CPU)) {
                name = WALL;
            } else if (name.equals(SAMPLES)) {
                name = WALL_SAMPLES;
            }
            String occurrences = resource.occurrences();
            renamed.add(
                    new Measure(
                            new Resource(
                                    name,
                                    resource.unit(),
                                    resource.kind(),
                                    resource.perUnit(),
                                    occurrences.equals(SAMPLES) ? WALL_SAMPLES : occurrences),
                            measure.origin(),
                            measure.field()));
        }
        return new EventKind(event, writer, List.copyOf(renamed), notes);
    }

    boolean isWallClock() {
        return !measures.isEmpty() && occurrences().equals(WALL_SAMPLES);
    }

    /** This kind with one more measure. */
    EventKind plus(Measure measure) {
        List<Measure> more = new ArrayList<>(measures);
        more.add(measure);
        return new EventKind(event, writer, List.copyOf(more), notes);
    }

    /**
     * Whether each event is one observation, made at a moment. Others stand for several, or for a
     * time of which they tell the end.
     */
    boolean isOfMoments() {
        return !measures.isEmpty()
                && measures.getFirst().origin() == Origin.EVENTS
                && measures.stream().noneMatch(measure -> measure.field().equals(DURATION));
    }

    /** The resource that counts how often this event was seen. */
    String occurrences() {
        return measures.getFirst().resource().name();
    }

    /** The name of the fact that tells the interval of its samples; empty if it has none. */
    String intervalFact() {
        for (Measure measure : measures) {
            if (measure.origin() == Origin.INTERVAL) {
                return measure.resource().equals(Resource.CPU)
                        ? Provenance.INTERVAL
                        : measure.resource().name() + " " + Provenance.INTERVAL;
            }
        }
        return "";
    }
}
