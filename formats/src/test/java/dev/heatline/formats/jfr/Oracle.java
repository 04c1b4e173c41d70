package dev.heatline.formats.jfr;

import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.Profile;
import dev.heatline.model.RowSeconds;
import dev.heatline.model.Site;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/** What the JDK's own reader makes of a recording, in rows that can be compared with a Profile. */
final class Oracle {

    /** A value of a resource by thread and stack, each written out. */
    record Row(String resource, String thread, String stack) {}

    private record Expected(String resource, ToLongFunction<RecordedEvent> amount) {}

    private static final Map<String, List<Expected>> EVENTS =
            Map.ofEntries(
                    Map.entry("jdk.ExecutionSample", List.of(new Expected("samples", Oracle::one))),
                    Map.entry(
                            "jdk.NativeMethodSample",
                            List.of(new Expected("native-samples", Oracle::one))),
                    Map.entry(
                            "jdk.CPUTimeSample",
                            List.of(
                                    new Expected("cpu-samples", Oracle::one),
                                    new Expected(
                                            "cpu-time",
                                            e -> e.getDuration("samplingPeriod").toNanos()))),
                    Map.entry(
                            "profiler.WallClockSample",
                            List.of(new Expected("wall-samples", e -> e.getLong("samples")))),
                    Map.entry(
                            "jdk.ObjectAllocationSample",
                            List.of(
                                    new Expected("allocations", Oracle::one),
                                    new Expected("allocated", e -> e.getLong("weight")))),
                    Map.entry(
                            "jdk.ObjectAllocationInNewTLAB",
                            List.of(
                                    new Expected("tlab-allocations", Oracle::one),
                                    new Expected("tlab-allocated", e -> e.getLong("tlabSize")))),
                    Map.entry(
                            "jdk.ObjectAllocationOutsideTLAB",
                            List.of(
                                    new Expected("outside-tlab-allocations", Oracle::one),
                                    new Expected(
                                            "outside-tlab-allocated",
                                            e -> e.getLong("allocationSize")))),
                    timed("jdk.JavaMonitorEnter", "contentions", "blocked"),
                    timed("jdk.JavaMonitorWait", "waits", "waited"),
                    timed("jdk.ThreadPark", "parks", "parked"),
                    timed("jdk.ThreadSleep", "sleeps", "slept"),
                    transfer("jdk.FileRead", "file-read", "bytesRead"),
                    transfer("jdk.FileWrite", "file-write", "bytesWritten"),
                    transfer("jdk.SocketRead", "socket-read", "bytesRead"),
                    transfer("jdk.SocketWrite", "socket-write", "bytesWritten"),
                    Map.entry(
                            "jdk.JavaExceptionThrow",
                            List.of(new Expected("exceptions", Oracle::one))),
                    Map.entry("jdk.JavaErrorThrow", List.of(new Expected("errors", Oracle::one))));

    private static final Map<String, String> KINDS =
            Map.of(
                    "Interpreted", "interpreted",
                    "JIT compiled", "compiled",
                    "Inlined", "inlined",
                    "Native", "native",
                    "C1 compiled", "c1-compiled",
                    "C++", "vm",
                    "Kernel", "kernel");

    /** Events that are one observation each, and take no time. */
    private static final Set<String> MOMENTS =
            Set.of(
                    "jdk.ExecutionSample",
                    "jdk.NativeMethodSample",
                    "jdk.CPUTimeSample",
                    "jdk.ObjectAllocationSample",
                    "jdk.ObjectAllocationInNewTLAB",
                    "jdk.ObjectAllocationOutsideTLAB",
                    "jdk.JavaExceptionThrow",
                    "jdk.JavaErrorThrow");

    private Oracle() {}

    private static long one(RecordedEvent event) {
        return 1;
    }

    private static long durationNanos(RecordedEvent event) {
        return event.getDuration().toNanos();
    }

    private static Map.Entry<String, List<Expected>> timed(String event, String n, String time) {
        return Map.entry(
                event,
                List.of(new Expected(n, Oracle::one), new Expected(time, Oracle::durationNanos)));
    }

    private static Map.Entry<String, List<Expected>> transfer(
            String event, String prefix, String field) {
        return Map.entry(
                event,
                List.of(
                        new Expected(prefix + "s", Oracle::one),
                        new Expected(prefix + "-time", Oracle::durationNanos),
                        new Expected(prefix + "-bytes", e -> e.getLong(field))));
    }

    /**
     * @param async whether async-profiler wrote it, whose TLAB events are samples of allocation
     */
    static Map<Row, Long> rows(Path recording, boolean async) throws IOException {
        Map<Row, Long> rows = new HashMap<>();
        try (RecordingFile file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                for (Expected expected :
                        EVENTS.getOrDefault(event.getEventType().getName(), List.of())) {
                    long amount = expected.amount.applyAsLong(event);
                    if (amount > 0) {
                        rows.merge(
                                new Row(
                                        name(expected, async),
                                        thread(event),
                                        stack(event.getStackTrace())),
                                amount,
                                Long::sum);
                    }
                }
            }
        }
        return rows;
    }

    /** How many events were in each second, by the resource that counts them. */
    static Map<String, Map<Long, Long>> seconds(Path recording, boolean async) throws IOException {
        Map<String, Map<Long, Long>> seconds = new TreeMap<>();
        timed(recording, async)
                .forEach(
                        (timed, events) ->
                                seconds.computeIfAbsent(timed.row.resource, _ -> new TreeMap<>())
                                        .merge(timed.second, events, Long::sum));
        return seconds;
    }

    /** A row of those events that are of moments, and the second they were in. */
    record Timed(Row row, long second) {}

    /** How many events each row has of each second. */
    static Map<Timed, Long> timed(Path recording, boolean async) throws IOException {
        Map<Timed, Long> timed = new HashMap<>();
        try (RecordingFile file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                String type = event.getEventType().getName();
                List<Expected> expected = EVENTS.get(type);
                if (expected != null && MOMENTS.contains(type)) {
                    String resource = name(expected.getFirst(), async);
                    Row row = new Row(resource, thread(event), stack(event.getStackTrace()));
                    timed.merge(
                            new Timed(row, event.getStartTime().getEpochSecond()), 1L, Long::sum);
                }
            }
        }
        return timed;
    }

    /** The same of a Profile. */
    static Map<Timed, Long> timed(Profile profile) {
        Map<Timed, Long> timed = new HashMap<>();
        for (Column column : profile.columns()) {
            RowSeconds seconds = column.seconds();
            for (int row = 0; row < column.rows(); row++) {
                for (int part = seconds.start(row); part < seconds.end(row); part++) {
                    long second = seconds.second(part);
                    timed.merge(
                            new Timed(row(profile, column, row), second),
                            seconds.amount(part),
                            Long::sum);
                }
            }
        }
        return timed;
    }

    private static Row row(Profile profile, Column column, int row) {
        int thread = column.thread(row);
        return new Row(
                column.resource().name(),
                thread < 0 ? "-" : profile.consumerAt(thread).name(),
                stack(profile, column.node(row)));
    }

    private static String name(Expected expected, boolean async) {
        return async ? expected.resource.replaceFirst("^(outside-)?tlab-", "") : expected.resource;
    }

    private static String thread(RecordedEvent event) {
        RecordedThread thread =
                event.hasField("sampledThread")
                        ? event.getThread("sampledThread")
                        : event.getThread();
        if (thread == null) {
            return "-";
        }
        String name = thread.getJavaName();
        if (name != null && !name.isEmpty()) {
            return name;
        }
        return thread.isVirtual() ? "virtual threads" : thread.getOSName();
    }

    private static String stack(RecordedStackTrace trace) {
        if (trace == null || trace.getFrames().isEmpty()) {
            return "[no stack]";
        }
        List<String> frames = new ArrayList<>();
        for (RecordedFrame frame : trace.getFrames()) {
            RecordedMethod method = frame.getMethod();
            boolean isNative = method.getDescriptor().endsWith(")L;");
            frames.add(
                    frame(
                            isNative ? "" : method.getType().getName(),
                            method.getName(),
                            isNative ? "" : method.getDescriptor(),
                            Math.max(0, frame.getLineNumber()),
                            KINDS.getOrDefault(frame.getType(), "unknown")));
        }
        if (trace.isTruncated()) {
            frames.add("[truncated stacks]");
        }
        return String.join(" < ", frames);
    }

    private static String frame(String owner, String name, String descriptor, int line, String k) {
        return owner + "." + name + descriptor + ":" + line + " " + k;
    }

    /** The rows of the resources above in a Profile. */
    static Map<Row, Long> rows(Profile profile) {
        List<String> resources =
                EVENTS.values().stream().flatMap(List::stream).map(Expected::resource).toList();
        Map<Row, Long> rows = new HashMap<>();
        for (Column column : profile.columns()) {
            String resource = column.resource().name();
            if (resources.contains(resource)) {
                for (int row = 0; row < column.rows(); row++) {
                    rows.merge(row(profile, column, row), column.value(row), Long::sum);
                }
            }
        }
        return rows;
    }

    private static String stack(Profile profile, int node) {
        List<String> frames = new ArrayList<>();
        for (int at = node; at > Profile.ROOT; at = profile.parent(at)) {
            Consumer consumer = profile.consumerOf(at);
            int site = profile.site(at);
            frames.add(
                    consumer.isMethod()
                            ? frame(
                                    consumer.owner(),
                                    consumer.name(),
                                    consumer.descriptor(),
                                    Site.line(site),
                                    Site.kind(site).label())
                            : consumer.name());
        }
        return String.join(" < ", frames);
    }
}
