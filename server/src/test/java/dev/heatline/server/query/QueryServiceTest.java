package dev.heatline.server.query;

import static dev.heatline.server.query.QueryServer.encoded;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.formats.Formats;
import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.Execution;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import dev.heatline.report.DiffReport;
import dev.heatline.report.Report;
import dev.heatline.report.ReportOptions;
import dev.heatline.report.View;
import java.io.IOException;
import java.io.StringWriter;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Questions over HTTP to a store with profiles whose reports are known. */
class QueryServiceTest {
    @TempDir Path directory;
    private QueryServer server;

    @BeforeEach
    void start() {
        server = QueryServer.start(directory);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void methodsAreTheRowsOfXprof() throws IOException {
        Profile profile = QueryServer.example("ac_test.trace");
        server.upload("thesis", "1", "a", profile);
        Map<String, Object> answer = server.get("/methods?app=thesis");
        Map<String, Object> report = reported(View.XPROF.of(profile, ReportOptions.DEFAULTS));
        assertThat(answer)
                .containsEntry("rows", report.get("rows"))
                .containsEntry("total", 10.0)
                .containsEntry("totalCalls", report.get("totalCalls"))
                .containsEntry("recordedCalls", report.get("recordedCalls"))
                .containsEntry("resource", report.get("resource"))
                .containsEntry("found", 8.0)
                .containsKeys("asOf", "selection", "provenance");
    }

    @Test
    void methodsAreSortedFilteredAndPaged() {
        server.upload("thesis", "1", "a", QueryServer.example("ac_test.trace"));
        assertThat(names(server.get("/methods?app=thesis&sort=cum&limit=3")))
                .containsExactly("Main", "B", "A");
        assertThat(names(server.get("/methods?app=thesis&sort=name&limit=2&offset=2")))
                .containsExactly("C", "E");
        assertThat(names(server.get("/methods?app=thesis&filter=" + encoded("^[AB]$"))))
                .containsExactlyInAnyOrder("A", "B");
    }

    @Test
    void aRealRecordingHasTheNumbersOfItsReport() throws IOException {
        Profile profile = QueryServer.example("workload.heat");
        server.upload("shop", "1", "a", profile);
        ReportOptions options = ReportOptions.builder().foldLines(true).recorded(profile).build();
        assertThat(server.get("/methods?app=shop&limit=10000"))
                .containsEntry("rows", reported(View.XPROF.of(profile, options)).get("rows"));
        assertThat(server.get("/threads?app=shop"))
                .containsEntry("rows", reported(View.THREADS.of(profile, options)).get("rows"));
        Map<String, Object> flames = server.get("/flamegraph?app=shop&maxNodes=200000");
        Map<String, Object> reported = reported(View.FLAME.of(profile, options));
        assertThat(flames)
                .containsEntry("nodes", reported.get("nodes"))
                .containsEntry("values", reported.get("values"))
                .containsEntry("contexts", Map.of("shown", (double) nodes(flames), "hidden", 0.0));
    }

    @Test
    void aTreeHasTheRowsOfXtree() throws IOException {
        Profile profile = QueryServer.example("workload.heat");
        server.upload("shop", "1", "a", profile);
        Profile part =
                new Filter(Optional.empty(), Optional.of("Page::get"), List.of()).of(profile);
        ReportOptions options = ReportOptions.builder().foldLines(true).build();
        assertThat(server.get("/tree?app=shop&root=Page::get"))
                .containsEntry("rows", reported(View.XTREE.of(part, options)).get("rows"));
    }

    @Test
    void everyPathOfATreeIsAPathToAskFor() {
        server.upload("shop", "1", "a", QueryServer.example("workload.heat"));
        for (String part : List.of("", "&thread=database")) {
            String question = "/tree?app=shop&limit=5" + part;
            Map<String, Object> all = server.get(question);
            for (Map<String, Object> row : JsonText.objects(all.get("rows")).subList(0, 3)) {
                StringBuilder path = new StringBuilder();
                JsonText.list(row, "path")
                        .forEach(name -> path.append("&node=").append(encoded(name.toString())));
                Map<String, Object> below = server.get(question + path);
                assertThat(JsonText.objects(below.get("rows")))
                        .as(path.toString())
                        .anyMatch(
                                it -> JsonText.list(it, "path").equals(JsonText.list(row, "path")));
            }
            String root =
                    JsonText.list(JsonText.objects(all.get("rows")).getFirst(), "path")
                            .getFirst()
                            .toString();
            assertThat(server.get(question + "&node=" + encoded(root)))
                    .containsEntry("rows", all.get("rows"))
                    .containsEntry("total", all.get("total"));
        }
        assertThat(server.refusal("/tree?app=shop&node=all%20thread"))
                .startsWith("400 no context all thread at level 1");
    }

    @Test
    void rowsWithLongPathsAreFewer() {
        ProfileBuilder deep = new ProfileBuilder();
        int node = Profile.ROOT;
        for (int i = 0; i < 2_000; i++) {
            node = deep.child(node, deep.consumer(Consumer.method("A.m" + i)), Site.NONE);
        }
        deep.column(Resource.SAMPLES).add(node, Column.NO_THREAD, 1);
        server.upload("deep", "1", "a", deep.build(Provenance.NONE));
        Map<String, Object> contexts =
                JsonText.object(server.get("/tree?app=deep&limit=20000").get("contexts"));
        assertThat(JsonText.number(contexts, "shown")).isBetween(500.0, 1000.0);
        assertThat(JsonText.number(contexts, "hidden")).isPositive();
    }

    @Test
    void aPartOfARecordingHasTheNumbersOfItsReport() {
        server.upload("shop", "1", "a", QueryServer.example("workload.heat"));
        // docs/reports.md: heatline report examples/workload.heat --root Page::get --view xarc
        assertThat(server.get("/methods?app=shop&root=Page::get"))
                .containsEntry("total", 0.92)
                .containsEntry("totalCalls", 92.0)
                .containsEntry("recordedCalls", 1843.0);
        assertThat(server.get("/methods?app=shop&thread=database"))
                .containsEntry("recordedCalls", 1843.0);
    }

    @Test
    void aMethodHasItsStanzaOfXarc() throws IOException {
        Profile profile = QueryServer.example("ac_test.trace");
        server.upload("thesis", "1", "a", profile);
        Map<String, Object> stanza = only(server.get("/method?app=thesis&name=A"), "stanzas");
        Map<String, Object> reported =
                JsonText.objects(
                                reported(View.XARC.of(profile, ReportOptions.DEFAULTS))
                                        .get("stanzas"))
                        .stream()
                        .filter(it -> "A".equals(JsonText.object(it.get("self")).get("consumer")))
                        .findFirst()
                        .orElseThrow();
        assertThat(stanza)
                .containsEntry("parents", reported.get("parents"))
                .containsEntry("children", reported.get("children"));
        assertThat(JsonText.object(stanza.get("self")))
                .containsAllEntriesOf(JsonText.object(reported.get("self")));
    }

    @Test
    void theLinesOfAMethodAddUpToIt() {
        server.upload("shop", "1", "a", QueryServer.example("workload.heat"));
        Map<String, Object> stanza =
                only(
                        server.get(
                                "/method?app=shop&name="
                                        + encoded(
                                                "RowDataType.binarySearch(SearchRow,SearchRow[],int,int)")),
                        "stanzas");
        double base =
                JsonText.objects(stanza.get("lines")).stream()
                        .mapToDouble(line -> JsonText.number(line, "base"))
                        .sum();
        assertThat(base).isEqualTo(0.48, Offset.offset(1e-9));
        assertThat(JsonText.object(stanza.get("self"))).containsEntry("base", 0.48);
    }

    @Test
    void classesAreAskedWithTheirInnerClasses() {
        server.upload("shop", "1", "a", QueryServer.example("workload.heat"));
        Map<String, Object> answer =
                server.get(
                        "/classes?app=shop&class=org.h2.mvstore.Page&class=org.apache.xml.utils.IntStack&class=no.Such");
        List<String> classes =
                JsonText.objects(answer.get("stanzas")).stream()
                        .map(it -> (String) JsonText.object(it.get("self")).get("class"))
                        .distinct()
                        .toList();
        assertThat(classes)
                .contains("org.h2.mvstore.Page", "org.h2.mvstore.Page$Leaf")
                .contains("org.apache.xml.utils.IntStack")
                .allMatch(
                        it ->
                                it.equals("org.h2.mvstore.Page")
                                        || it.startsWith("org.h2.mvstore.Page$")
                                        || it.startsWith("org.apache.xml.utils.IntStack"));
    }

    @Test
    void classesHaveTheLinesOfTheirMethodsIfAsked() {
        server.upload("shop", "1", "a", QueryServer.example("workload.heat"));
        String question = "/classes?app=shop&class=org.h2.mvstore.Page";
        assertThat(JsonText.objects(server.get(question).get("stanzas")))
                .isNotEmpty()
                .noneMatch(stanza -> stanza.containsKey("lines"));
        List<Map<String, Object>> stanzas =
                JsonText.objects(server.get(question + "&lines=true").get("stanzas"));
        assertThat(stanzas).hasSizeGreaterThan(2);
        for (Map<String, Object> stanza : stanzas) {
            String name = String.valueOf(JsonText.object(stanza.get("self")).get("consumer"));
            assertThat(only(server.get("/method?app=shop&name=" + encoded(name)), "stanzas"))
                    .containsEntry("lines", stanza.get("lines"));
        }
        assertThat(server.refusal(question + "&lines=yes"))
                .isEqualTo("400 lines yes? write one of true, false");
    }

    @Test
    void aCutFlameGraphSaysWhatItHidesAndCanBeExpanded() {
        server.upload("shop", "1", "a", QueryServer.example("workload.heat"));
        Map<String, Object> whole = server.get("/flamegraph?app=shop&maxNodes=200000");
        Map<String, Object> cut = server.get("/flamegraph?app=shop&maxNodes=50");
        Map<String, Object> contexts = JsonText.object(cut.get("contexts"));
        assertThat(contexts).containsEntry("shown", 50.0);
        assertThat(JsonText.number(contexts, "hidden")).isEqualTo(nodes(whole) - 50.0);
        assertThat(cut).containsEntry("total", whole.get("total"));
        Map<String, Object> tree = server.get("/tree?app=shop&limit=3");
        List<?> path = JsonText.list(JsonText.objects(tree.get("rows")).get(2), "path");
        String nodes =
                "&node=" + encoded((String) path.get(1)) + "&node=" + encoded((String) path.get(2));
        Map<String, Object> below = server.get("/tree?app=shop&limit=20000" + nodes);
        assertThat(JsonText.number(below, "total")).isPositive().isLessThan(18.43);
    }

    @Test
    void comparingIsTheReportOfDifferences() throws IOException {
        Profile before = QueryServer.example("workload.heat");
        Profile after = QueryServer.example("workload-more-queries.heat");
        server.upload("shop", "1", "a", before);
        server.upload("shop", "2", "a", after);
        Map<String, Object> reported =
                reported(DiffReport.of(before, after, ReportOptions.builder().limit(100).build()));
        assertThat(server.get("/compare?app=shop&version=2&baseline=1"))
                .containsEntry("rows", reported.get("rows"))
                .containsEntry("paths", reported.get("paths"))
                .containsEntry("baselineTotal", reported.get("baselineTotal"));
        assertThat(
                        server.get(
                                "/compare?app=shop&from=2026-11-15T10:01:00Z&baselineFrom=2026-11-15T10:00:00Z"
                                        + "&baselineUntil=2026-11-15T10:01:00Z"))
                .containsEntry("rows", reported.get("rows"));
    }

    @Test
    void aMethodHasTheChangeThatComparingFinds() {
        server.upload("shop", "1", "a", QueryServer.example("workload.heat"));
        server.upload("shop", "2", "a", QueryServer.example("workload-more-queries.heat"));
        String versions = "app=shop&version=2&baseline=1";
        Map<String, Object> compared =
                JsonText.objects(server.get("/compare?" + versions).get("rows")).getFirst();
        String method = encoded(String.valueOf(compared.get("consumer")));
        Map<String, Object> stanza =
                only(server.get("/method?" + versions + "&name=" + method), "stanzas");
        Map<String, Object> self = JsonText.object(stanza.get("self"));
        assertThat(self)
                .containsEntry("angle", compared.get("angle"))
                .containsEntry("noise", compared.get("noise"));
        assertThat(JsonText.object(self.get("baseline")))
                .containsEntry("cum", JsonText.object(compared.get("baseline")).get("value"));
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
                .startsWith("400 no saved task werk; did you mean work?");
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

    private static int nodes(Map<String, Object> flames) {
        return JsonText.list(JsonText.object(flames.get("nodes")), "depth").size();
    }

    private static Map<String, Object> reported(Report report) throws IOException {
        StringWriter text = new StringWriter();
        report.json(text);
        return JsonText.object(text.toString());
    }
}
