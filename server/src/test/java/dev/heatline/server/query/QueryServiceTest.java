package dev.heatline.server.query;

import static dev.heatline.server.query.QueryServer.encoded;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
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
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Questions over HTTP to a store with profiles whose reports are known. */
class QueryServiceTest {
    @AutoClose private final QueryServer server;

    QueryServiceTest(@TempDir Path directory) {
        server = QueryServer.start(directory);
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
