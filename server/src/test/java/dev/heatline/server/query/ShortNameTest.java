package dev.heatline.server.query;

import static dev.heatline.server.query.QueryServer.encoded;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Consumer;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShortNameTest {
    private static final Consumer LONG = Consumer.method("Shop", "long".repeat(1_000), "()V");
    private static final String SHORT = encoded("Shop.long…" + ShortName.key(LONG.display()));

    @AutoClose private final QueryServer server;

    ShortNameTest(@TempDir Path directory) {
        server = QueryServer.start(directory);
        server.upload("shop", "1", "a", profile());
    }

    /** {@code Shop.long…()} used 3 seconds, {@code Db.read()} that it called 4, others 13. */
    private static Profile profile() {
        ProfileBuilder builder = new ProfileBuilder();
        int thread = builder.consumer(Consumer.thread("main", "web"));
        int caller = builder.child(Profile.ROOT, builder.consumer(LONG), Site.NONE);
        Consumer read = Consumer.method("Db", "read", "()V");
        int reads = builder.child(caller, builder.consumer(read), Site.NONE);
        Consumer jobs = Consumer.method("Jobs", "run", "()V");
        int others = builder.child(Profile.ROOT, builder.consumer(jobs), Site.NONE);
        int[] nodes = {caller, reads, others};
        long[] seconds = {3, 4, 13};
        for (int i = 0; i < nodes.length; i++) {
            builder.column(Resource.CPU)
                    .add(nodes[i], thread, seconds[i] * Resource.NANOS_PER_SECOND);
            builder.column(Resource.SAMPLES).add(nodes[i], thread, seconds[i]);
        }
        return builder.build(Provenance.NONE);
    }

    /** The page makes them too: the same values are in its own tests. */
    @Test
    void keysAreThoseOfThePage() {
        assertThat(ShortName.key("")).isEqualTo("wvjl67o803");
        assertThat(ShortName.key("dev.heatline.shop.Search.find(String)")).isEqualTo("2aa85tr49tf");
        assertThat(ShortName.key("\u00fc\u202e\ud83d\ude00")).isEqualTo("1jzmbkz90zu");
    }

    @Test
    void aMethodIsFoundByTheKeyOfItsName() {
        Map<String, Object> answer = server.get("/method?app=shop&name=" + SHORT);
        List<Map<String, Object>> stanzas = JsonText.objects(answer.get("stanzas"));
        assertThat(stanzas).hasSize(1);
        assertThat(JsonText.object(stanzas.getFirst().get("self")))
                .containsEntry("consumer", LONG.display())
                .containsEntry("cum", 7.0);
        Map<String, Object> history = server.get("/history?app=shop&pieces=1&name=" + SHORT);
        assertThat(JsonText.objects(history.get("rows")).getFirst()).containsEntry("value", 7.0);
    }

    @Test
    void aRootAndAPathAreFoundByKeysToo() {
        assertThat(server.get("/tree?app=shop&root=" + SHORT)).containsEntry("total", 7.0);
        assertThat(server.get("/flamegraph?app=shop&root=" + SHORT)).containsEntry("total", 7.0);
        Map<String, Object> below = server.get("/tree?app=shop&depth=1&node=" + SHORT);
        List<Map<String, Object>> rows = JsonText.objects(below.get("rows"));
        assertThat(String.valueOf(rows.getLast().get("path"))).endsWith("(), Db.read()]");
    }

    @Test
    void aKeyThatNoNameHasIsTold() {
        assertThat(server.refusal("/method?app=shop&name=" + encoded("Shop.long…1a2b")))
                .startsWith("400 no method Shop.long…1a2b in this profile");
    }
}
