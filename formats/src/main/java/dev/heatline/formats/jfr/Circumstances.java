package dev.heatline.formats.jfr;

import dev.heatline.formats.Intervals;
import dev.heatline.model.Provenance;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a chunk was recorded: by which JVM, with which settings, after what. Read from its few events
 * on that.
 */
final class Circumstances {
    private static final String SETTING = "jdk.ActiveSetting";
    private static final String EXECUTION_SAMPLE = "jdk.ExecutionSample";

    /** The setting of async-profiler that names its engine. */
    private static final String ENGINE = "event";

    /** The engine for wall-clock time, and the setting of its interval beside another engine. */
    private static final String WALL = "wall";

    private static final String JVM = "jdk.JVMInformation";
    private static final String RECORDING = "jdk.ActiveRecording";
    private static final String ALLOCATED = "jdk.ThreadAllocationStatistics";

    /** What async-profiler samples at when nothing else is asked for. */
    private static final long ASYNC_DEFAULT_NANOS = 10_000_000;

    private static final long ASYNC_DEFAULT_WALL_NANOS = 50_000_000;

    /** Nothing is sampled less often than once a day: what is longer is damage. */
    private static final long MAX_INTERVAL_NANOS = 86_400_000_000_000L;

    /** The engines of async-profiler whose interval is a time. */
    private static final Set<String> ASYNC_CLOCKS =
            Set.of("cpu", "itimer", "ctimer", WALL, "cpu-clock", "task-clock");

    private final Metadata metadata;
    private final boolean async;
    private final long executionSample;
    private final List<Kept> kept = new ArrayList<>();

    /** By event type id and setting name. */
    private final Map<Long, Map<String, String>> settings = new HashMap<>();

    /** By name, whatever the event type: how async-profiler describes its whole run. */
    private final Map<String, String> asyncSettings = new HashMap<>();

    private final Set<String> recordings = new HashSet<>();

    private final AllocatedBefore allocatedBefore = new AllocatedBefore();

    private String jvm = "";
    private String application = "";

    /** An event to be decoded when the constants are there: strings may be constants. */
    private record Kept(Metadata.Type type, int offset) {}

    Circumstances(Metadata metadata) {
        this.metadata = metadata;
        this.async = writer(metadata) == EventKind.Writer.ASYNC_PROFILER;
        Metadata.Type sample = metadata.named(EXECUTION_SAMPLE);
        this.executionSample = sample == null ? -1 : sample.id();
    }

    /** Who writes chunks with such metadata. */
    static EventKind.Writer writer(Metadata metadata) {
        boolean async =
                metadata.named("profiler.Log") != null
                        || metadata.named("profiler.types.LogLevel") != null;
        return async ? EventKind.Writer.ASYNC_PROFILER : EventKind.Writer.JDK;
    }

    static boolean isWanted(Metadata.Type type) {
        return Set.of(SETTING, JVM, RECORDING, ALLOCATED).contains(type.name());
    }

    /** Remembers an event of a wanted type whose bytes were kept at this offset. */
    void keep(Metadata.Type type, int offset) {
        kept.add(new Kept(type, offset));
    }

    /** Decodes what was kept since the last time. */
    void decode(ConstantPools pools) {
        Texts texts = new Texts(metadata, pools);
        for (Kept event : kept) {
            Cursor in = pools.cursor();
            in.at = event.offset;
            in.readInt();
            in.readLong();
            if (event.type.name().equals(SETTING)) {
                setting(in, event.type, texts);
            } else if (event.type.name().equals(RECORDING)) {
                recording(in, event.type, texts);
            } else if (event.type.name().equals(ALLOCATED)) {
                allocated(in, event.type);
            } else {
                jvm(in, event.type, texts);
            }
        }
        kept.clear();
    }

    private void setting(Cursor in, Metadata.Type type, Texts texts) {
        List<String> wanted = List.of("id", "name", "value");
        long[] slots = new long[wanted.size()];
        metadata.planUpTo(type, wanted).run(in, slots);
        String name = texts.of(type.field("name"), slots[1]);
        String value = texts.of(type.field("value"), slots[2]);
        settings.computeIfAbsent(slots[0], _ -> new HashMap<>()).put(name, value);
        asyncSettings.put(name, value);
    }

    private void recording(Cursor in, Metadata.Type type, Texts texts) {
        long[] slots = new long[1];
        metadata.planUpTo(type, List.of("name")).run(in, slots);
        recordings.add(texts.of(type.field("name"), slots[0]));
    }

    /** The names of the recordings that were on, as far as one of them wanted to know that. */
    Set<String> recordings() {
        return recordings;
    }

    private void allocated(Cursor in, Metadata.Type type) {
        long[] slots = new long[3];
        metadata.planUpTo(type, List.of("thread", "startTime", "allocated")).run(in, slots);
        allocatedBefore.add(slots[0], slots[1], slots[2]);
    }

    /** What threads had allocated when the chunk began, as far as it was read. */
    AllocatedBefore allocatedBefore() {
        return allocatedBefore;
    }

    private void jvm(Cursor in, Metadata.Type type, Texts texts) {
        List<String> wanted = List.of("jvmName", "jvmVersion", "javaArguments");
        long[] slots = new long[wanted.size()];
        metadata.planUpTo(type, wanted).run(in, slots);
        String name = texts.of(type.field("jvmName"), slots[0]);
        String version = texts.of(type.field("jvmVersion"), slots[1]);
        jvm = jvm(name, version);
        application = application(texts.of(type.field("javaArguments"), slots[2]));
    }

    /** HotSpot's version repeats the name and adds how it was built; async-profiler's is bare. */
    private static String jvm(String name, String version) {
        int platform = version.indexOf(" for ");
        String brief = platform < 0 ? version : version.substring(0, platform);
        return brief.startsWith(name) ? brief : (name + " (" + brief + ")");
    }

    /** The main class, or the name of the jar file. */
    private static String application(String javaArguments) {
        String main = javaArguments.split(" ", 2)[0];
        main = main.substring(main.lastIndexOf('/') + 1);
        return main.endsWith(".jar") ? main.substring(0, main.length() - 4) : main;
    }

    /**
     * What a kind of event means in this chunk: async-profiler's execution samples are of whatever
     * its engine measured.
     */
    EventKind meaning(EventKind kind) {
        String engine = asyncSettings.getOrDefault(ENGINE, "");
        boolean wallAlone = engine.isEmpty() && setting(executionSample, WALL) != null;
        return async && kind.event().equals(EXECUTION_SAMPLE) && (engine.equals(WALL) || wallAlone)
                ? kind.asWallClock()
                : kind;
    }

    /** The sampling interval that was set for a kind of event, 0 if that is unknown. */
    long intervalNanos(EventKind kind, Metadata.Type type) {
        if (async) {
            return asyncIntervalNanos(kind);
        }
        return nanos(setting(type.id(), "period"));
    }

    private long asyncIntervalNanos(EventKind kind) {
        String engine = asyncSettings.getOrDefault(ENGINE, "");
        String interval = setting(executionSample, "interval");
        if (kind.isWallClock()) {
            String wall = setting(executionSample, WALL);
            return orDefault(
                    wall == null && engine.equals(WALL) ? interval : wall,
                    ASYNC_DEFAULT_WALL_NANOS);
        }
        return ASYNC_CLOCKS.contains(engine) ? orDefault(interval, ASYNC_DEFAULT_NANOS) : 0;
    }

    private static long orDefault(@Nullable String setting, long defaultNanos) {
        long nanos = nanos(setting);
        return nanos > 0 ? nanos : defaultNanos;
    }

    private static long nanos(@Nullable String setting) {
        long nanos = Intervals.read(setting);
        return nanos <= MAX_INTERVAL_NANOS ? nanos : 0;
    }

    private @Nullable String setting(long eventType, String name) {
        return settings.getOrDefault(eventType, Map.of()).get(name);
    }

    /** What is known about the origin of this chunk. */
    Provenance provenance(Chunk chunk) {
        return provenance(chunk.startNanos(), chunk.startNanos() + chunk.durationNanos());
    }

    /** What is known about the origin of a part of the chunk. */
    Provenance provenance(long fromNanos, long untilNanos) {
        Provenance known =
                Provenance.NONE
                        .withFact(Provenance.COLLECTOR, async ? "async-profiler" : "jfr")
                        .covering(fromNanos, untilNanos);
        if (!jvm.isEmpty()) {
            known = known.withFact("jvm", jvm);
        }
        return application.isEmpty() ? known : known.withFact(Provenance.APPLICATION, application);
    }
}
