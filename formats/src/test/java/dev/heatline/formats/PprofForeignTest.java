package dev.heatline.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DynamicMessage;
import dev.heatline.model.Consumer;
import dev.heatline.model.FrameKind;
import dev.heatline.model.ModelException;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** pprof files of others are understood, and ours are what others expect. */
class PprofForeignTest {
    private static final Schema SCHEMA = Schema.of(Path.of("src/test/proto"), "profile.proto");

    private static final String FOREIGN =
            """
            sample { location_id: [ 2, 1 ] value: [ 2, 20 ] label { key: 6 str: 7 } }
            sample { location_id: [ 1 ] value: [ 1, 10 ] }
            sample { location_id: [ 3 ] value: [ 1, 10 ] label { key: 8 num: 17 } }
            sample_type { type: 1 unit: 2 }
            sample_type { type: 3 unit: 4 }
            location { id: 1 line { function_id: 70 line: 5 } }
            location { id: 2 line { function_id: 80 line: 9 } line { function_id: 90 line: 3 } }
            location { id: 3 mapping_id: 1 address: 4096 }
            mapping { id: 1 filename: 12 }
            function { id: 70 name: 9 }
            function { id: 80 name: 10 }
            function { id: 90 name: 11 }
            period_type { type: 3 unit: 5 }
            period: 10000000
            time_nanos: 1000
            duration_nanos: 500
            string_table: [ "", "samples", "count", "cpu", "microseconds", "nanoseconds",
                            "thread", "[main tid=3]", "thread_name", "java/lang/Thread.run",
                            "a.B.inlined", "a.B.c", "/usr/lib/libfoo.so" ]
            """;

    @Example
    void profilesOfOtherToolsAreUnderstood() {
        Profile profile = read(SCHEMA.fromText("Profile", FOREIGN).toByteArray());
        assertThat(profile.column("samples").orElseThrow().resource()).isEqualTo(Resource.SAMPLES);
        assertThat(profile.column("cpu").orElseThrow().resource()).isEqualTo(Resource.CPU);
        assertThat(Expected.totalsByThread(profile, "cpu"))
                .containsEntry("thread main", 20_000L)
                .containsEntry("thread 17", 10_000L)
                .containsEntry("no thread", 10_000L);
        assertThat(profile.provenance())
                .isEqualTo(
                        Provenance.NONE.covering(1000, 1500).withFact(Provenance.INTERVAL, "10ms"));
        int run = profile.nodeCount() - 3;
        assertThat(profile.path(run + 2))
                .containsExactly(
                        Consumer.method("java.lang.Thread", "run", ""),
                        Consumer.method("a.B", "c", ""),
                        Consumer.method("a.B", "inlined", ""));
        assertThat(profile.site(run + 2)).isEqualTo(Site.of(9, FrameKind.INLINED));
        assertThat(profile.consumerOf(1).name()).isEqualTo("libfoo.so 0x1000");
    }

    @Example
    void whatIsDamagedIsRefused() {
        assertWrong("location_id: [ 3 ]", "location_id: [ 9 ]", "there is no location 9");
        assertWrong("function_id: 80", "function_id: 81", "there is no function 81");
        assertWrong("name: 9", "name: 99", "there is no text 99");
        assertWrong("value: [ 1, 10 ]", "value: [ 1 ]", "has 1 values, not 2");
        assertWrong("id: 2 line", "id: 1 line", "location 1 is there twice");
        assertWrong("20 ]", "9223372036854775807 ]", "too large");
        assertThatThrownBy(
                        () ->
                                read(
                                        SCHEMA.fromText("Profile", FOREIGN.replace("20 ]", "-5 ]"))
                                                .toByteArray()))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("negative value");
    }

    @Example
    void stacksWithoutEndAreRefused() {
        String lines = " line { function_id: 70 }".repeat(50_000);
        String manyLines = FOREIGN.replace("location { id: 1", "location { id: 1" + lines);
        String deep = manyLines.replace("[ 1 ]", "[ " + "1, ".repeat(50_000) + "1 ]");
        String sample = "sample { location_id: [" + " 1,".repeat(10) + " 1 ] value: [ 1, 1 ] }\n";
        assertRefused(deep, "a stack has more than 1000000 frames");
        assertRefused(manyLines + sample.repeat(100), "more frames than a file of its size");
    }

    private static void assertRefused(String text, String message) {
        byte[] content = SCHEMA.fromText("Profile", text).toByteArray();
        assertThatThrownBy(() -> read(content))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining(message);
    }

    @Example
    void sumsThatAreTooLargeAreRefused() {
        String twice = FOREIGN.replace("value: [ 1, 10 ]", "value: [ 9223372036854775807, 1 ]");
        assertThatThrownBy(() -> read(SCHEMA.fromText("Profile", twice).toByteArray()))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("samples add up to more than 2^63-1");
    }

    @Property(tries = 30)
    void theSchemaExplainsWhatWeWrite(@ForAll long seed, @ForAll boolean hostile)
            throws IOException {
        Profile profile = RandomProfiles.profile(seed, 50, hostile);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new PprofWriter(profile, out).write();
        DynamicMessage written = SCHEMA.parse("Profile", out.toByteArray());
        assertThat(Schema.<String>list(written, "string_table")).startsWith("");
        Set<Object> locations = ids(written, "location");
        Set<Object> functions = ids(written, "function");
        assertThat(locations).doesNotContain(0L);
        assertThat(functions).doesNotContain(0L);
        long[] totals = new long[profile.columns().size()];
        for (DynamicMessage sample : Schema.<DynamicMessage>list(written, "sample")) {
            assertThat(locations).containsAll(Schema.list(sample, "location_id"));
            List<Long> values = Schema.list(sample, "value");
            assertThat(values).hasSize(totals.length);
            for (int i = 0; i < totals.length; i++) {
                totals[i] += values.get(i);
            }
        }
        for (int i = 0; i < totals.length; i++) {
            assertThat(totals[i]).isEqualTo(profile.columns().get(i).total());
        }
    }

    private static Set<Object> ids(DynamicMessage profile, String table) {
        List<DynamicMessage> entries = Schema.list(profile, table);
        Set<Object> ids = new HashSet<>();
        entries.forEach(entry -> ids.add(Schema.get(entry, "id")));
        assertThat(ids).hasSize(entries.size());
        return ids;
    }

    private static void assertWrong(String from, String to, String message) {
        byte[] content = SCHEMA.fromText("Profile", FOREIGN.replace(from, to)).toByteArray();
        assertThatThrownBy(() -> read(content))
                .isInstanceOf(FormatException.class)
                .hasMessageStartingWith("test: damaged pprof data: ")
                .hasMessageContaining(message);
    }

    private static Profile read(byte[] content) {
        return new PprofFormat().read(Source.of("test", content), ReadOptions.DEFAULT);
    }
}
