package dev.heatline.server.query;

import static dev.heatline.server.query.QueryServer.encoded;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.formats.Formats;
import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import dev.heatline.model.Execution;
import dev.heatline.model.Profile;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Questions over HTTP that no report answers: what there is, what is not, and what is refused. */
class QueryBoundsTest {
    @AutoClose private final QueryServer server;

    QueryBoundsTest(@TempDir Path directory) {
        server = QueryServer.start(directory);
    }

    @Test
    void tasksAreSavedListedUsedAndDeleted() {
        server.upload("thesis", "1", "a", QueryServer.example("ac_test.trace"));
        String definition = encoded("work=regex:^[AB]$");
        assertThat(server.get("/tasks?app=thesis")).containsEntry("rows", List.of());
        assertThat(server.ask("PUT", "/tasks?app=thesis&task=" + definition).statusCode())
                .isEqualTo(200);
        assertThat(server.get("/tasks?app=thesis"))
                .containsEntry(
                        "saved",
                        List.of(Map.of("task", "work", "definition", "work=regex:^[AB]$")));
        assertThat(only(server.get("/tasks?app=thesis"), "rows"))
                .containsEntry("task", "work")
                .containsEntry("cum", 10.0);
        Map<String, Object> saved = server.get("/methods?app=thesis&task=work");
        Map<String, Object> adHoc = server.get("/methods?app=thesis&task=" + definition);
        assertThat(saved.get("rows")).isEqualTo(adHoc.get("rows"));
        assertThat(names(saved)).doesNotContain("Main");
        assertThat(server.refusal("/methods?app=thesis&task=werk"))
                .startsWith("400 no saved task werk; did you mean work? Write NAME=prefix:");
        assertThat(server.refusal("/methods?app=thesis&task=bad"))
                .startsWith("400 no saved task bad. Write NAME=prefix:");
        assertThat(server.ask("DELETE", "/tasks?app=thesis&task=work").statusCode()).isEqualTo(200);
        assertThat(server.ask("DELETE", "/tasks?app=thesis&task=work").statusCode()).isEqualTo(404);
    }

    @Test
    void profilesCanBeDeletedByASelection() throws Exception {
        Profile profile = QueryServer.example("workload.heat");
        server.upload("wrong", "1", "a", profile);
        server.upload("wrong", "2", "a", profile);
        assertThat(server.get("/methods?app=wrong")).containsEntry("profiles", 2.0);

        assertThat(server.ask("DELETE", "/profiles?app=wrong&version=1").body())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("{\"deleted\":1}\n");

        assertThat(server.get("/methods?app=wrong")).containsEntry("profiles", 1.0);
        assertThat(server.ask("GET", "/methods?app=wrong&version=1").statusCode()).isEqualTo(400);
        assertThat(server.ask("DELETE", "/profiles?app=wrong").statusCode()).isEqualTo(200);
        assertThat(server.ask("GET", "/methods?app=wrong").statusCode()).isEqualTo(404);
    }

    @Test
    void applicationsVersionsAndInstancesAreListed() {
        Profile profile = QueryServer.example("ac_test.trace");
        server.upload("a/b <i>", "1", "x", profile);
        server.upload(
                new Execution("a/b <i>", "2", "y", new TreeMap<>(Map.of("zone", "eu"))), profile);
        assertThat(only(server.get("/applications"), "rows"))
                .containsEntry("app", "a/b <i>")
                .containsEntry("versions", 2.0)
                .containsEntry("instances", 2.0)
                .containsEntry("profiles", 2.0)
                .containsEntry("first", "2026-11-15T10:00:00Z")
                .containsEntry("last", "2026-11-15T10:02:00Z");
        String path = "/applications/" + encoded("a/b <i>");
        assertThat(JsonText.objects(server.get(path + "/versions").get("rows")))
                .extracting(row -> row.get("version"))
                .containsExactly("1", "2");
        assertThat(JsonText.objects(server.get(path + "/instances").get("rows")))
                .extracting(row -> row.get("labels"))
                .containsExactly(Map.of(), Map.of("zone", "eu"));
        assertThat(server.get("/methods?label=zone:eu&app=" + encoded("a/b <i>")))
                .containsEntry("profiles", 1.0);
    }

    @Test
    void aTimeLineAddsUpToTheTotal() {
        Profile profile = QueryServer.example("ac_test.trace");
        server.upload("thesis", "1", "a", profile);
        server.upload("thesis", "1", "a", profile);
        Map<String, Object> answer = server.get("/timeline?app=thesis&pieces=2");
        assertThat(JsonText.objects(answer.get("rows")))
                .extracting(row -> row.get("value"))
                .containsExactly(10.0, 10.0);
        assertThat(answer).containsEntry("total", 20.0);
    }

    @Test
    void aSelectionIsExportedWhole() {
        Profile profile = QueryServer.example("workload.heat");
        server.upload("shop", "1", "a", profile);
        HttpResponse<byte[]> answer = server.ask("GET", "/export?app=shop");
        assertThat(answer.headers().firstValue("Content-Length")).as("streamed").isEmpty();
        byte[] heat = answer.body();
        Profile read = Formats.read(Source.of("shop.heat", heat), ReadOptions.DEFAULT);
        assertThat(read.withProvenance(profile.provenance())).isEqualTo(profile);
        assertThat(server.refusal("/export?app=shop&format=trace")).startsWith("400 ");
        for (String format : List.of("heat", "pprof", "otlp", "speedscope", "collapsed")) {
            assertThat(server.ask("GET", "/export?app=shop&format=" + format).statusCode())
                    .as(format)
                    .isEqualTo(200);
        }
        assertThat(
                        new String(
                                server.ask("GET", "/export?app=shop&format=collapsed").body(),
                                StandardCharsets.UTF_8))
                .contains("org/h2/mvstore/Page");
    }

    @Test
    void anEmptySelectionIsAnAnswer() {
        server.upload("shop", "1", "a", QueryServer.example("workload.heat"));
        String past = "app=shop&until=2020-01-01&root=Foo::bar&thread=x&resource=cpu";
        assertThat(server.get("/methods?" + past))
                .containsEntry("rows", List.of())
                .containsEntry("total", 0.0);
        for (String path :
                List.of("flamegraph", "tree", "threads", "resources", "tasks", "export")) {
            assertThat(server.ask("GET", "/" + path + "?" + past).statusCode())
                    .as(path)
                    .isEqualTo(200);
        }
        assertThat(server.get("/method?name=Foo::bar&" + past)).containsEntry("stanzas", List.of());
        assertThat(server.get("/classes?class=Foo&" + past)).containsEntry("stanzas", List.of());
        assertThat(server.get("/timeline?app=shop&until=2020-01-01"))
                .containsEntry("rows", List.of());
        assertThat(server.get("/compare?baseline=1&" + past)).containsEntry("rows", List.of());
    }

    @Test
    void whatDoesNotExistIsToldWithWhatDoes() {
        server.upload("shop", "1.10", "node-a", QueryServer.example("workload.heat"));
        assertThat(server.refusal("/methods")).startsWith("400 parameter app is missing");
        assertThat(server.refusal("/methods?app=shp"))
                .isEqualTo("404 no application shp; did you mean shop?");
        assertThat(server.refusal("/applications/shp/versions")).startsWith("404 ");
        assertThat(server.refusal("/methods?app=shop&version=1.11"))
                .isEqualTo("400 shop has no version 1.11; did you mean 1.10?");
        assertThat(server.refusal("/methods?app=shop&instance=node-b"))
                .isEqualTo("400 shop has no instance node-b; did you mean node-a?");
        assertThat(server.refusal("/methods?app=shop&label=zone:eu"))
                .isEqualTo("400 shop has no label zone:eu");
        assertThat(server.refusal("/methods?app=shop&resource=cpus"))
                .startsWith("400 the profile has no resource cpus; it has ");
        assertThat(server.refusal("/methods?app=shop&root=Page::gett"))
                .startsWith("400 no method Page::gett in this profile; did you mean ");
        assertThat(server.refusal("/methods?app=shop&thread=nobody"))
                .startsWith("400 no thread matches nobody; threads here: ");
        assertThat(server.refusal("/methods?app=shop&frm=now-1h"))
                .isEqualTo("400 no parameter frm; did you mean from?");
        assertThat(server.refusal("/methods?app=shop&from=yesterday"))
                .startsWith("400 from yesterday is no time: write now-1h");
        assertThat(server.refusal("/methods?app=shop&from=now-1h&until=now-2h"))
                .contains("is not before until");
        assertThat(server.refusal("/methods?app=shop&limit=0"))
                .isEqualTo("400 limit 0 is no number from 1 to 10000");
        assertThat(server.refusal("/methods?app=shop&sort=size"))
                .isEqualTo("400 sort size? write one of base, cum, calls, name");
        assertThat(server.refusal("/compare?app=shop")).startsWith("400 compare with what?");
        assertThat(server.refusal("/export?app=shop&format=jfr")).startsWith("400 format jfr?");
        assertThat(server.refusal("/tree?app=shop&node=a&node=b"))
                .startsWith("400 no context b at level 2");
    }

    @Test
    void hostileParametersAreRefusedInALine() {
        server.upload("shop", "1", "a", QueryServer.example("workload.heat"));
        String bomb = encoded("(.*.*)*(.*.*)*(.*.*)*!");
        assertThat(server.refusal("/methods?app=shop&filter=" + bomb)).contains("too complex");
        assertThat(server.refusal("/methods?app=shop&task=x%3Dregex:" + bomb))
                .contains("too complex");
        String empty = encoded("(?:(?:){2147483647}){2147483647}x");
        assertThat(server.refusal("/methods?app=shop&thread=" + empty)).contains("may be empty");
        assertThat(server.refusal("/methods?app=shop&filter=" + empty)).contains("may be empty");
        assertThat(server.refusal("/methods?app=shop&task=x%3Dregex:" + empty))
                .contains("may be empty");
        assertThat(server.refusal("/methods?app=shop&thread=" + encoded("(((")))
                .contains("does not compile");
        assertThat(server.refusal("/methods?app=shop&thread=" + "(".repeat(10_000)))
                .isEqualTo("400 thread has 10000 characters; at most 2000");
        assertThat(server.refusal("/methods?app=" + encoded("<script>alert(1)</script>\n")))
                .startsWith("404 no application <script>");
        assertThat(server.refusal("/methods?app=" + encoded("../../etc/passwd\0")))
                .startsWith("404 ");
        assertThat(server.refusal("/classes?app=shop" + "&class=a".repeat(1_000)))
                .isEqualTo("400 1000 values of class; at most 200");
        assertThat(server.refusal("/methods?app=%ff")).startsWith("404 ");
        assertThat(server.get("/methods?app=shop&limit=1")).containsKey("rows");
    }

    private static List<Object> names(Map<String, Object> answer) {
        return JsonText.objects(answer.get("rows")).stream()
                .map(row -> row.get("consumer"))
                .toList();
    }

    private static Map<String, Object> only(Map<String, Object> answer, String name) {
        List<Map<String, Object>> all = JsonText.objects(answer.get(name));
        assertThat(all).hasSize(1);
        return all.getFirst();
    }
}
