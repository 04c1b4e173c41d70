package dev.heatline.formats;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.DynamicMessage;
import dev.heatline.model.Profile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Shows that the body of a .heat file is what heat.proto says. */
class HeatSchemaTest {
    private static final Schema SCHEMA = Schema.of(Path.of("src/main/proto"), "heat.proto");

    @Property(tries = 50)
    void theSchemaExplainsEveryByte(@ForAll long seed, @ForAll boolean hostile) throws IOException {
        byte[] body = HeatWriter.write(RandomProfiles.profile(seed, 50, hostile));
        DynamicMessage message = SCHEMA.parse("HeatProfile", body);
        assertThat(message.toByteArray()).isEqualTo(body);
    }

    @Property(tries = 20)
    void whatProtobufWritesIsRead(@ForAll long seed) throws IOException {
        Profile profile = RandomProfiles.profile(seed, 50, false);
        byte[] rewritten =
                SCHEMA.parse("HeatProfile", HeatWriter.write(profile)).toBuilder()
                        .build()
                        .toByteArray();
        assertThat(new HeatReader("test", rewritten, 1 << 20).read()).isEqualTo(profile);
    }

    @Example
    void fieldsMeanWhatTheSchemaSays() throws IOException {
        Profile profile =
                new TraceFormat()
                        .read(
                                Source.of(
                                        "trace",
                                        "0 @ t\n0 > A\n1 > B\n2 < B\n2 < A\n2 > B\n4 < B\n"
                                                .getBytes(UTF_8)),
                                ReadOptions.DEFAULT);
        DynamicMessage message = SCHEMA.parse("HeatProfile", HeatWriter.write(profile));
        DynamicMessage consumers = (DynamicMessage) Schema.get(message, "consumers");
        assertThat(Schema.<Integer>list(consumers, "count_by_type"))
                .containsExactly(1, 2, 0, 0, 1, 0, 0, 0);
        DynamicMessage names = (DynamicMessage) Schema.get(consumers, "names");
        assertThat(((ByteString) Schema.get(names, "text")).toStringUtf8())
                .isEqualTo("all threadsABt");
        DynamicMessage tree = (DynamicMessage) Schema.get(message, "tree");
        assertThat(Schema.get(tree, "nodes")).isEqualTo(3);
        assertThat(Schema.<Integer>list(tree, "up")).containsExactly(0, 0, 2);
        assertThat(Schema.<Integer>list(tree, "consumers")).containsExactly(2, 3, 1);
        assertThat(Schema.<Integer>list(tree, "sites")).containsExactly(0, 0, 0);
        List<String> columns = new ArrayList<>();
        for (DynamicMessage column : Schema.<DynamicMessage>list(message, "columns")) {
            columns.add(
                    ((ByteString) Schema.get(column, "name")).toStringUtf8()
                            + " "
                            + Schema.list(column, "values")
                            + " x "
                            + Schema.get(column, "value_unit")
                            + " rows of "
                            + Schema.get(column, "rows_of"));
        }
        assertThat(columns)
                .containsExactly(
                        "calls [1, 1, 1] x 1 rows of 0", "cpu [1, 1, 2] x 1000000000 rows of 1");
    }
}
