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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Comparing two versions of which each has a thread and a method that the other does not have. */
class SidesTest {
    private static final String NEWER = "app=shop&version=2&baseline=1";
    private static final String OLDER = "app=shop&version=1&baseline=2";

    @TempDir Path directory;
    private QueryServer server;

    @BeforeEach
    void start() {
        server = QueryServer.start(directory);
        server.upload("shop", "1", "a", profile("a.Old", "old-thread", 7));
        server.upload("shop", "2", "a", profile("a.New", "new-thread", 3));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** {@code a.Main.x()} on thread main for 10 s, and {@code y()} of another class on another. */
    private static Profile profile(String className, String thread, int seconds) {
        ProfileBuilder builder = new ProfileBuilder();
        use(builder, "a.Main", "x", "main", 10);
        use(builder, className, "y", thread, seconds);
        return builder.build(Provenance.NONE);
    }

    private static void use(
            ProfileBuilder builder, String className, String method, String thread, int seconds) {
        int consumer = builder.consumer(Consumer.method(className, method, "()V"));
        int node = builder.child(Profile.ROOT, consumer, Site.NONE);
        int on = builder.consumer(Consumer.thread("main", thread));
        builder.column(Resource.CPU).add(node, on, seconds * Resource.NANOS_PER_SECOND);
        builder.column(Resource.SAMPLES).add(node, on, seconds);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "root=a.New.y",
                "thread=new-thread",
                "task=new%3Dprefix:a.New",
                "thread=new&root=New::y&task=new%3Dprefix:a.New",
                "root=a.New.y&resource=cpu"
            })
    void whatTheBaselineDoesNotHaveIsNew(String part) {
        Map<String, Object> flames = server.get("/flamegraph?" + NEWER + "&" + part);
        assertThat(flames).containsEntry("total", 3.0).containsEntry("baselineTotal", 0.0);
        assertThat(resource(flames)).isEqualTo("cpu");
        assertThat(JsonText.list(JsonText.object(flames.get("nodes")), "depth"))
                .isEqualTo(List.of(0.0, 1.0));

        Map<String, Object> changes = server.get("/compare?" + NEWER + "&" + part);
        assertThat(changes)
                .containsEntry("total", 3.0)
                .containsEntry("totalCalls", 3.0)
                .containsEntry("baselineTotal", 0.0)
                .containsEntry("baselineCalls", 0.0)
                .containsEntry("rows", List.of())
                .containsEntry(
                        "remarks",
                        List.of(
                                "all of this is new: the baseline has no such thread, method or"
                                        + " task"));

        Map<String, Object> method = server.get("/method?name=New::y&" + NEWER + "&" + part);
        assertNew(method);
        assertNew(server.get("/classes?class=a.New&" + NEWER + "&" + part));
    }

    private static void assertNew(Map<String, Object> answer) {
        List<Map<String, Object>> stanzas = JsonText.objects(answer.get("stanzas"));
        assertThat(stanzas).hasSize(1);
        Map<String, Object> self = JsonText.object(stanzas.getFirst().get("self"));
        assertThat(self).containsEntry("cum", 3.0).containsEntry("angle", -45.0);
        assertThat(self).containsEntry("noise", null);
        assertThat(self.get("baseline")).isEqualTo(Map.of("cum", 0.0, "methodTime", 0.0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "root=a.New.y",
                "thread=new-thread",
                "task=new%3Dprefix:a.New",
                "root=a.New.y&resource=cpu"
            })
    void whatOnlyTheBaselineHasIsGone(String part) {
        Map<String, Object> flames = server.get("/flamegraph?" + OLDER + "&" + part);
        assertThat(flames).containsEntry("total", 3.0);
        assertThat(resource(flames)).isEqualTo("cpu@baseline");
        assertThat(JsonText.list(JsonText.object(flames.get("nodes")), "depth"))
                .isEqualTo(List.of(0.0, 1.0));

        Map<String, Object> changes = server.get("/compare?" + OLDER + "&" + part);
        assertThat(resource(changes)).isEqualTo("cpu");
        assertThat(changes)
                .containsEntry("total", 0.0)
                .containsEntry("totalCalls", 0.0)
                .containsEntry("baselineTotal", 3.0)
                .containsEntry("baselineCalls", 3.0)
                .containsEntry(
                        "remarks",
                        List.of(
                                "all of this is gone: only the baseline has such a thread, method"
                                        + " or task"));
        assertThat(server.get("/method?name=New::y&" + OLDER + "&" + part))
                .containsEntry("stanzas", List.of());
    }

    private static String resource(Map<String, Object> answer) {
        return String.valueOf(JsonText.object(answer.get("resource")).get("name"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/flamegraph?", "/compare?", "/method?name=Main::x&"})
    void whatNeitherHasIsAMistake(String question) {
        assertThat(server.refusal(question + NEWER + "&root=a.Neww.y"))
                .isEqualTo("400 no method a.Neww.y in this profile; did you mean a.New.y?");
        assertThat(server.refusal(question + NEWER + "&thread=nobody"))
                .startsWith("400 no thread matches nobody; threads here: ");
        assertThat(server.refusal(question + NEWER + "&task=x%3Dprefix:b."))
                .startsWith("400 no method begins any of the tasks x=prefix:b.");
        assertThat(server.refusal(question + NEWER + "&resource=cpus&root=a.New.y"))
                .startsWith("400 the profile has no resource cpus");
        String past = "&baselineUntil=2020-01-01";
        assertThat(server.refusal(question + NEWER + past + "&root=a.Old.y"))
                .startsWith("400 no method a.Old.y in this profile");
    }

    @Test
    void anExpressionThatIsTooComplexForOneSideIsNoEmptySide() {
        server.upload("shop", "3", "a", profile("a.Other", "x".repeat(3_000), 1));
        String bomb = encoded("(x+x+)+y|main|new");
        for (String versions : List.of("version=2&baseline=3", "version=3&baseline=2")) {
            assertThat(server.refusal("/flamegraph?app=shop&" + versions + "&thread=" + bomb))
                    .contains("too complex");
        }
    }

    @Test
    void whatIsOnlyInTheBaselineBelowAPathIsShown() {
        Map<String, Object> below =
                server.get("/flamegraph?" + NEWER + "&node=" + encoded("a.Old.y()"));
        assertThat(resource(below)).isEqualTo("cpu@baseline");
        assertThat(below).containsEntry("total", 7.0);
    }
}
