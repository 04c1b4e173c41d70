package dev.heatline.formats.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.formats.FormatException;
import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.FrameKind;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing is assumed about the order of fields, the coding of integers or the ids of types. */
class HandmadeChunkTest {
    private static final int SAMPLE = 70_000;
    private static final int SETTING = 70_001;
    private static final int LOG = 70_002;
    private static final int TRACE = 50;
    private static final int FRAME = 51;
    private static final int METHOD = 52;
    private static final int CLASS = 53;
    private static final int THREAD = 54;
    private static final int FRAME_TYPE = 55;
    private static final long LARGE_ID = -3;

    /** One sample in Hot.spin, line 7, called by itself from line 9, in thread "worker". */
    static byte[] chunk(boolean compressed) {
        return chunk(compressed, false);
    }

    /**
     * @param settings of async-profiler, each {@code type name value}
     */
    private static byte[] chunk(boolean compressed, boolean async, String... settings) {
        ChunkWriter writer = new ChunkWriter(compressed);
        for (String setting : settings) {
            String[] parts = setting.split(" ", 3);
            long type = Long.parseLong(parts[0]);
            writer.event(SETTING, f -> f.longValue(type).text(parts[1]).text(parts[2]));
        }
        writer.event(
                SAMPLE,
                f -> f.text("noise").longValue(LARGE_ID).byteValue(1).longValue(4).longValue(123));
        writer.event(
                ConstantPools.EVENT_TYPE,
                f -> {
                    f.longValue(0).longValue(0).longValue(0).byteValue(0).intValue(5);
                    f.longValue(TRACE).intValue(1).longValue(LARGE_ID);
                    f.intValue(2).intValue(7).longValue(LARGE_ID).longValue(1);
                    f.intValue(9).longValue(LARGE_ID).longValue(1).byteValue(0);
                    f.longValue(METHOD).intValue(1).longValue(LARGE_ID);
                    f.text("()V").text("spin").longValue(8);
                    f.longValue(CLASS).intValue(1).longValue(8).text("com/acme/Hot");
                    f.longValue(THREAD).intValue(1).longValue(4).text("worker");
                    f.longValue(FRAME_TYPE).intValue(1).longValue(1).text("Inlined");
                });
        return writer.finish(out -> metadata(writer, out, async));
    }

    private static void metadata(ChunkWriter writer, ChunkWriter.Fields out, boolean async) {
        List<Runnable> types = new ArrayList<>();
        types.add(type(writer, out, 1, "long"));
        types.add(type(writer, out, 2, "int"));
        types.add(type(writer, out, 3, "boolean"));
        types.add(type(writer, out, 4, "java.lang.String"));
        types.add(
                type(
                        writer,
                        out,
                        SAMPLE,
                        "jdk.ExecutionSample",
                        "note 4",
                        "stackTrace 50 pool",
                        "flag 3",
                        "sampledThread 54 pool",
                        "startTime 1"));
        types.add(
                type(writer, out, TRACE, "jdk.types.StackTrace", "frames 51 array", "truncated 3"));
        types.add(
                type(
                        writer,
                        out,
                        FRAME,
                        "jdk.types.StackFrame",
                        "lineNumber 2",
                        "method 52 pool",
                        "type 55 pool"));
        types.add(
                type(
                        writer,
                        out,
                        METHOD,
                        "jdk.types.Method",
                        "descriptor 4",
                        "name 4",
                        "type 53 pool"));
        types.add(type(writer, out, CLASS, "java.lang.Class", "name 4"));
        types.add(type(writer, out, THREAD, "java.lang.Thread", "javaName 4"));
        types.add(type(writer, out, FRAME_TYPE, "jdk.types.FrameType", "description 4"));
        types.add(type(writer, out, SETTING, "jdk.ActiveSetting", "id 1", "name 4", "value 4"));
        if (async) {
            types.add(type(writer, out, LOG, "profiler.Log", "message 4"));
        }
        writer.element(
                out,
                "root",
                List.of(),
                List.of(() -> writer.element(out, "metadata", List.of(), types)));
    }

    /**
     * @param fields each {@code name type}, and {@code pool} or {@code array} behind
     */
    private static Runnable type(
            ChunkWriter writer, ChunkWriter.Fields out, int id, String name, String... fields) {
        List<Runnable> children = new ArrayList<>();
        for (String field : fields) {
            String[] parts = field.split(" ", 3);
            List<String> attributes = new ArrayList<>(List.of("name", parts[0], "class", parts[1]));
            if (field.endsWith("pool")) {
                attributes.addAll(List.of("constantPool", "true"));
            } else if (field.endsWith("array")) {
                attributes.addAll(List.of("dimension", "1"));
            }
            children.add(() -> writer.element(out, "field", attributes, List.of()));
        }
        List<String> attributes =
                List.of(
                        "id",
                        String.valueOf(id),
                        "name",
                        name,
                        "superType",
                        id >= SAMPLE ? "jdk.jfr.Event" : "");
        return () -> writer.element(out, "class", attributes, children);
    }

    private static Profile read(byte[] content) {
        try (Source source = Source.of("hand.jfr", content)) {
            return new JfrFormat().read(source, ReadOptions.DEFAULT);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void fieldsMayComeInAnyOrderAndIntegersInBothCodings(boolean compressed) {
        Profile profile = read(chunk(compressed));

        Consumer spin = Consumer.method("com.acme.Hot", "spin", "()V");
        int leaf = profile.column("samples").orElseThrow().node(0);
        assertThat(profile.path(leaf)).containsExactly(spin, spin);
        assertThat(Site.line(profile.site(leaf))).isEqualTo(7);
        assertThat(Site.line(profile.site(profile.parent(leaf)))).isEqualTo(9);
        assertThat(Site.kind(profile.site(leaf))).isEqualTo(FrameKind.INLINED);
        assertThat(profile.consumerAt(profile.column("samples").orElseThrow().thread(0)).name())
                .isEqualTo("worker");
        assertThat(profile.column("cpu")).isEmpty();
    }

    @Test
    void executionSamplesOfAsyncProfilersWallClockAreWallClockSamples() {
        Profile profile = read(chunk(true, true, "109 event wall", SAMPLE + " interval 20000000"));
        assertThat(profile.column("samples")).isEmpty();
        assertThat(profile.column("cpu")).isEmpty();
        assertThat(profile.column("wall-samples").orElseThrow().total()).isEqualTo(1);
        Column wall = profile.column("wall").orElseThrow();
        assertThat(wall.total()).isEqualTo(20_000_000);
        assertThat(wall.resource()).isEqualTo(Resource.seconds("wall", "wall-samples"));
        assertThat(profile.provenance().fact("wall interval")).isEqualTo("20ms");
        assertThat(profile.provenance().fact(Provenance.INTERVAL)).isEmpty();

        Profile byDefault = read(chunk(true, true, "109 event wall", SAMPLE + " interval 0"));
        assertThat(byDefault.column("wall").orElseThrow().total()).isEqualTo(50_000_000);
    }

    @Test
    void executionSamplesOfOtherEnginesAreCpuSamples() {
        Profile async = read(chunk(true, true, "109 event itimer", SAMPLE + " interval 20000000"));
        assertThat(async.column("cpu").orElseThrow().total()).isEqualTo(20_000_000);
        assertThat(async.column("wall-samples")).isEmpty();

        Profile jdk = read(chunk(true, false, "109 event wall", SAMPLE + " period 20 ms"));
        assertThat(jdk.column("cpu").orElseThrow().total()).isEqualTo(20_000_000);
    }

    @Test
    void missingStacksAreCountedForTheirResource() {
        byte[] wall = withoutStack(chunk(true, true, "109 event wall"));
        assertThat(read(wall).provenance().count("undecodable wall-samples")).isEqualTo(1);
        byte[] cpu = withoutStack(chunk(true, true, "109 event cpu"));
        assertThat(read(cpu).provenance().count(Provenance.UNDECODABLE)).isEqualTo(1);
    }

    /** The chunk with another id of the trace in its sample, behind the text before it. */
    private static byte[] withoutStack(byte[] chunk) {
        String text = new String(chunk, StandardCharsets.ISO_8859_1);
        chunk[text.indexOf("noise") + "noise".length()] ^= 1;
        return chunk;
    }

    @Test
    void everyByteMayBeWrong() {
        for (boolean compressed : new boolean[] {true, false}) {
            byte[] good = chunk(compressed);
            for (int at = 0; at < good.length; at++) {
                for (int value = 0; value < 256; value += 17) {
                    byte[] content = good.clone();
                    content[at] = (byte) value;
                    readOrRefused(content, "byte " + at + " is " + value);
                }
            }
        }
    }

    @Test
    void anyTwentyBytesMayBeWrong() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] good = chunk(true);
        for (int i = 0; i < 5_000; i++) {
            byte[] content = good.clone();
            for (int n = 1 + random.nextInt(20); n > 0; n--) {
                content[random.nextInt(content.length)] = (byte) random.nextInt();
            }
            readOrRefused(content, "seed " + seed + ", mutation " + i);
        }
    }

    private static void readOrRefused(byte[] content, String what) {
        try {
            read(content);
        } catch (FormatException e) {
            assertThat(e).hasMessageStartingWith("hand.jfr: ");
        } catch (RuntimeException e) {
            throw new AssertionError(what, e);
        }
    }
}
