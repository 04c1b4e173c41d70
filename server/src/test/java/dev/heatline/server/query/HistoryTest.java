package dev.heatline.server.query;

import static dev.heatline.server.query.QueryServer.encoded;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.Moments;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import dev.heatline.store.RocksStore;
import dev.heatline.store.StoreOptions;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is asked about time: one method in {@code /history}, all threads in {@code /states}. */
class HistoryTest {
    private static final Resource PARKED = Resource.seconds("parked", "parks");

    private final Path directory;
    @AutoClose private final QueryServer server;

    HistoryTest(@TempDir Path directory) {
        this.directory = directory;
        this.server = QueryServer.start(directory);
    }

    /**
     * A minute in which {@code Shop.order()} ran on thread web for so many seconds, in {@code
     * Db.read()} that it called for as many, in {@code Db.read(int)} below that for as many, and in
     * {@code Jobs.run()} on thread jobs for as many; both threads were parked for the rest.
     */
    private static Profile minute(int order, int read, int readMore, int jobs) {
        ProfileBuilder builder = new ProfileBuilder();
        int web = builder.consumer(Consumer.thread("main", "web"));
        int job = builder.consumer(Consumer.thread("main", "jobs"));
        int orders = child(builder, Profile.ROOT, Consumer.method("Shop", "order", "()V"));
        int reads = child(builder, orders, Consumer.method("Db", "read", "()V"));
        int more = child(builder, reads, Consumer.method("Db", "read", "(I)V"));
        int runs = child(builder, Profile.ROOT, Consumer.method("Jobs", "run", "()V"));
        use(builder, Resource.CPU, orders, web, order);
        use(builder, Resource.CPU, reads, web, read);
        use(builder, Resource.CPU, more, web, readMore);
        use(builder, Resource.CPU, runs, job, jobs);
        use(builder, PARKED, orders, web, 60 - order - read - readMore);
        use(builder, PARKED, runs, job, 60 - jobs);
        builder.column(Resource.bytes("allocated", "allocations")).add(runs, job, 7);
        return builder.build(Provenance.NONE);
    }

    private static int child(ProfileBuilder builder, int parent, Consumer method) {
        return builder.child(parent, builder.consumer(method), Site.NONE);
    }

    private static void use(
            ProfileBuilder builder, Resource resource, int node, int thread, int seconds) {
        if (seconds > 0) {
            builder.column(resource).add(node, thread, seconds * Resource.NANOS_PER_SECOND);
            if (resource.equals(Resource.CPU)) {
                builder.column(Resource.SAMPLES).add(node, thread, seconds);
            }
        }
    }

    private void twoVersions() {
        server.upload("shop", "1", "a", minute(8, 2, 0, 10));
        server.upload("shop", "2", "a", minute(8, 20, 10, 2));
    }

    @Test
    void aMethodHasItsHistory() {
        twoVersions();
        Map<String, Object> answer = server.get("/history?app=shop&name=Shop::order&pieces=2");
        assertThat(answer)
                .containsEntry("view", "history")
                .containsEntry("total", 60.0)
                .containsEntry("resource", Map.of("name", "cpu", "unit", "s"))
                .containsEntry(
                        "rows",
                        List.of(
                                Map.of(
                                        "from",
                                        "2026-11-15T10:00:00Z",
                                        "until",
                                        "2026-11-15T10:01:00Z",
                                        "value",
                                        10.0,
                                        "percent",
                                        50.0),
                                Map.of(
                                        "from",
                                        "2026-11-15T10:01:00Z",
                                        "until",
                                        "2026-11-15T10:02:00Z",
                                        "value",
                                        38.0,
                                        "percent",
                                        95.0)))
                .containsEntry(
                        "versions",
                        List.of(
                                Map.of(
                                        "version",
                                        "1",
                                        "first",
                                        "2026-11-15T10:00:00Z",
                                        "value",
                                        10.0,
                                        "percent",
                                        50.0),
                                Map.of(
                                        "version",
                                        "2",
                                        "first",
                                        "2026-11-15T10:01:00Z",
                                        "value",
                                        38.0,
                                        "percent",
                                        95.0)));
    }

    /** Ten samples a second, {@code odd()} in every other second. */
    @Test
    void piecesOfSecondsAreWholeSeconds() {
        ProfileBuilder builder = new ProfileBuilder();
        int even = child(builder, Profile.ROOT, Consumer.method("Shop", "even", "()V"));
        int odd = child(builder, Profile.ROOT, Consumer.method("Shop", "odd", "()V"));
        long begin = Instant.parse("2026-11-15T10:00:00Z").getEpochSecond();
        for (int second = 0; second < 60; second++) {
            int node = second % 2 == 0 ? even : odd;
            builder.column(Resource.SAMPLES).add(node, Column.NO_THREAD, 10, begin + second);
        }
        server.upload("shop", "1", "a", builder.build(Provenance.NONE));

        Map<String, Object> answer =
                server.get(
                        "/history?app=shop&name=Shop::odd&pieces=24"
                                + "&from=2026-11-15T10:00:10Z&until=2026-11-15T10:00:16Z");

        assertThat(JsonText.objects(answer.get("rows")))
                .extracting(row -> row.get("percent"))
                .containsExactly(0.0, 100.0, 0.0, 100.0, 0.0, 100.0);
    }

    /** Busy for a second, and idle for the rest of the minute. */
    @Test
    void whereNothingWasUsedOfAResourceThatIsWhatAnswersSay() {
        ProfileBuilder builder = new ProfileBuilder();
        int busy = child(builder, Profile.ROOT, Consumer.method("Shop", "busy", "()V"));
        long begin = Instant.parse("2026-11-15T10:00:00Z").getEpochSecond();
        builder.column(Resource.SAMPLES).add(busy, Column.NO_THREAD, 10, begin + 5);
        builder.column(Resource.CPU).add(busy, Column.NO_THREAD, 100_000_000);
        builder.column(Resource.seconds("corrected", "")).add(Profile.ROOT, Column.NO_THREAD, 6);
        Moments when = Moments.of(1, begin + 5, new long[] {10});
        server.upload(
                "shop", "1", "a", builder.build(Provenance.NONE.plusMoments("samples", when)));
        String idle = "?app=shop&from=2026-11-15T10:00:20Z&until=2026-11-15T10:00:30Z";
        Map<String, String> cpu = Map.of("name", "cpu", "unit", "s");

        for (String asked : List.of("", "&resource=cpu")) {
            assertThat(server.get("/methods" + idle + asked))
                    .containsEntry("resource", cpu)
                    .containsEntry("total", 0.0)
                    .containsEntry("rows", List.of());
            for (String other : List.of("/flamegraph", "/threads", "/tasks", "/states")) {
                assertThat(server.get(other + idle + asked))
                        .as(other)
                        .containsEntry("resource", cpu)
                        .containsEntry("total", 0.0);
            }
            assertThat(JsonText.objects(server.get("/timeline" + idle + asked).get("rows")))
                    .extracting(row -> row.get("value"))
                    .hasSize(120)
                    .containsOnly(0.0);
        }
        String before = "&baselineFrom=2026-11-15T10:00:05Z&baselineUntil=2026-11-15T10:00:06Z";
        assertThat(server.get("/compare" + idle + before))
                .containsEntry("resource", cpu)
                .containsEntry("baselineTotal", 0.1);
        assertThat(server.get("/threads" + idle + "&resource=corrected"))
                .containsEntry("resource", Map.of("name", "corrected", "unit", "s"));
        assertThat(JsonText.objects(server.get("/resources" + idle).get("rows")))
                .extracting(row -> row.get("main"))
                .as("cpu is, of which there is nothing")
                .containsOnly(false);
    }

    @Test
    void overloadsThatCallOneAnotherCountOnce() {
        twoVersions();
        Map<String, Object> answer = server.get("/history?app=shop&name=Db::read&pieces=2");
        assertThat(values(answer, "rows", "value")).containsExactly(2.0, 30.0);
        Map<String, Object> one =
                server.get("/history?app=shop&pieces=2&name=" + encoded("Db.read(int)"));
        assertThat(values(one, "rows", "value")).containsExactly(0.0, 10.0);
    }

    @Test
    void aHistoryIsThatOfTheChosenPart() {
        twoVersions();
        for (String part :
                List.of(
                        "&thread=web",
                        "&root=Shop::order",
                        "&task=" + encoded("orders=prefix:Shop."),
                        "&thread=web&resource=parked",
                        "&version=2")) {
            Map<String, Object> stanza =
                    JsonText.objects(
                                    server.get("/method?app=shop&name=Shop::order" + part)
                                            .get("stanzas"))
                            .getFirst();
            Map<String, Object> self = JsonText.object(stanza.get("self"));
            Map<String, Object> whole =
                    server.get("/history?app=shop&name=Shop::order&pieces=1" + part);
            assertThat(values(whole, "rows", "value"))
                    .as(part)
                    .containsExactly(JsonText.number(self, "cum"));
            assertThat(values(whole, "rows", "percent"))
                    .as(part)
                    .containsExactly(JsonText.number(self, "cumPercent"));
        }
        Map<String, Object> web =
                server.get("/history?app=shop&name=Db::read&pieces=2&root=Db::read");
        assertThat(values(web, "rows", "percent")).containsExactly(100.0, 100.0);
        assertThat(values(web, "versions", "percent")).containsExactly(100.0, 100.0);
    }

    @Test
    void aPieceWithoutTheChosenPartHasNothingOfIt() {
        server.upload("shop", "1", "a", minute(0, 0, 0, 10));
        server.upload("shop", "1", "a", minute(8, 0, 0, 10));
        Map<String, Object> answer =
                server.get(
                        "/history?app=shop&name=Shop::order&pieces=2&resource=cpu&root=Shop::order");
        assertThat(values(answer, "rows", "value")).containsExactly(0.0, 8.0);
        assertThat(values(answer, "rows", "percent")).containsExactly(0.0, 100.0);
    }

    @Test
    void aProfileLongerThanAPieceIsSpreadOverAllItCovers() {
        twoVersions();
        Map<String, Object> history =
                server.get("/history?app=shop&name=Shop::order&pieces=8&thread=web");
        List<Double> values = values(history, "rows", "value");
        assertThat(values).hasSize(8);
        assertThat(values.subList(0, 4)).containsOnly(2.5);
        assertThat(values.subList(4, 8)).containsOnly(9.5);
        Map<String, Object> states = server.get("/states?app=shop&pieces=7&thread=web");
        assertThat(states(states, "cpu").stream().mapToDouble(it -> it).sum())
                .isCloseTo(48.0, Offset.offset(1e-6));
    }

    @Test
    void whatMeansNothingIsToldWithWhatDoes() {
        twoVersions();
        assertThat(server.refusal("/history?app=shop&name=Shop::orders"))
                .startsWith("400 no method Shop::orders in this profile; did you mean ");
        assertThat(server.refusal("/history?app=shop"))
                .isEqualTo("400 parameter name is missing: write name=Class::method");
        assertThat(server.refusal("/history?app=shop&name=Shop::order&pieces=101"))
                .isEqualTo("400 pieces 101 is no number from 1 to 100");
        assertThat(server.refusal("/states?app=shop&pieces=0"))
                .isEqualTo("400 pieces 0 is no number from 1 to 100");
        assertThat(server.refusal("/states?app=shop&thread=nobody"))
                .startsWith("400 no thread matches nobody");
    }

    @Test
    void nothingHasNoHistory() {
        twoVersions();
        assertThat(server.get("/history?app=shop&name=Shop::order&until=2020-01-01"))
                .containsEntry("rows", List.of())
                .containsEntry("versions", List.of());
        assertThat(server.get("/states?app=shop&until=2020-01-01"))
                .containsEntry("rows", List.of())
                .containsEntry("resources", List.of());
    }

    @Test
    void statesAreAllTimesPieceByPiece() {
        twoVersions();
        Map<String, Object> answer = server.get("/states?app=shop&pieces=2");
        assertThat(answer)
                .containsEntry("view", "states")
                .containsEntry(
                        "resources",
                        List.of(
                                Map.of("name", "cpu", "unit", "s"),
                                Map.of("name", "parked", "unit", "s")))
                .containsEntry(
                        "rows",
                        List.of(
                                Map.of(
                                        "from",
                                        "2026-11-15T10:00:00Z",
                                        "until",
                                        "2026-11-15T10:01:00Z",
                                        "values",
                                        Map.of("cpu", 20.0, "parked", 100.0)),
                                Map.of(
                                        "from",
                                        "2026-11-15T10:01:00Z",
                                        "until",
                                        "2026-11-15T10:02:00Z",
                                        "values",
                                        Map.of("cpu", 40.0, "parked", 80.0))));
        assertThat(JsonText.objects(server.get("/states?app=shop").get("rows"))).hasSize(24);
    }

    @Test
    void whatTheBudgetLeftOutIsToldByTheTimeItDid() {
        server.upload("shop", "1", "a", minute(8, 2, 0, 10));
        server.upload("shop", "1", "a", reduced("no locks"));
        server.upload("shop", "1", "a", reduced("no locks, no allocations"));
        server.upload("shop", "1", "a", minute(8, 2, 0, 10));
        server.upload("shop", "1", "a", reduced("no locks"));

        assertThat(server.get("/reductions?app=shop&pieces=5"))
                .containsEntry(
                        "rows",
                        List.of(
                                reduction("no allocations", 2, 3),
                                reduction("no locks", 1, 3),
                                reduction("no locks", 4, 5)));
        assertThat(server.get("/reductions?app=shop&until=2026-11-15T10:01:00Z"))
                .containsEntry("rows", List.of());
    }

    private static Profile reduced(String without) {
        return minute(8, 2, 0, 10)
                .withProvenance(Provenance.NONE.withFact(Provenance.REDUCED, without));
    }

    private static Map<String, Object> reduction(String without, int from, int until) {
        String minute = "2026-11-15T10:0%d:00Z";
        return Map.of(
                "reduction",
                without,
                "from",
                minute.formatted(from),
                "until",
                minute.formatted(until));
    }

    @Test
    void statesAreThoseOfTheChosenPart() {
        twoVersions();
        Map<String, Object> web = server.get("/states?app=shop&pieces=2&thread=web");
        assertThat(states(web, "cpu")).containsExactly(10.0, 38.0);
        assertThat(states(web, "parked")).containsExactly(50.0, 22.0);
        Map<String, Object> reads = server.get("/states?app=shop&pieces=2&root=Db::read");
        assertThat(states(reads, "cpu")).containsExactly(2.0, 30.0);
        assertThat(states(reads, "parked")).containsExactly(0.0, 0.0);
        Map<String, Object> jobs =
                server.get("/states?app=shop&pieces=2&task=" + encoded("jobs=prefix:Jobs."));
        assertThat(states(jobs, "cpu")).containsExactly(10.0, 2.0);
        Map<String, Object> late =
                server.get("/states?app=shop&pieces=1&from=2026-11-15T10:01:00Z&version=2");
        assertThat(states(late, "cpu")).containsExactly(40.0);
    }

    @Test
    void statesOfAllThreadsTakeNoReadingOfProfiles() {
        CountingStore store =
                new CountingStore(
                        RocksStore.open(directory.resolve("counted"), StoreOptions.DEFAULT));
        try (QueryServer counted = QueryServer.start(store, QueryServer.FRESH)) {
            counted.upload("shop", "1", "a", minute(8, 2, 0, 10));
            counted.get("/states?app=shop&pieces=100");
            assertThat(store.collected()).hasSize(1);
            counted.get("/states?app=shop&pieces=3&thread=web");
            assertThat(store.collected()).filteredOn(it -> it.after() == 0).hasSize(4);
        }
    }

    @Test
    void piecesAreReadOnceUntilSomethingIsNew() {
        CountingStore store =
                new CountingStore(
                        RocksStore.open(directory.resolve("counted"), StoreOptions.DEFAULT));
        try (QueryServer counted = QueryServer.start(store, QueryServer.FRESH)) {
            counted.upload("shop", "1", "a", minute(8, 2, 0, 10));
            counted.upload("shop", "2", "a", minute(8, 20, 10, 2));
            counted.get("/history?app=shop&name=Shop::order&pieces=2");
            long read = wholeReadings(store);
            assertThat(read).as("all, two pieces, two versions").isEqualTo(5);
            counted.get("/history?app=shop&name=Db::read&pieces=2");
            assertThat(wholeReadings(store)).isEqualTo(read);
            counted.upload("shop", "2", "a", minute(1, 0, 0, 0));
            Map<String, Object> later =
                    counted.get("/history?app=shop&name=Shop::order&pieces=2&version=2");
            assertThat(values(later, "rows", "value")).containsExactly(38.0, 1.0);
            counted.upload("shop", "1", "a", minute(5, 0, 0, 5));
            Map<String, Object> other =
                    counted.get("/history?app=shop&name=Shop::order&pieces=2&version=2");
            assertThat(values(other, "versions", "value")).containsExactly(15.0, 39.0);
        }
    }

    private static long wholeReadings(CountingStore store) {
        return store.collected().stream().filter(it -> it.after() == 0).count();
    }

    @Test
    void aFlameGraphHasItsBaselineBesideIt() {
        twoVersions();
        Map<String, Object> answer = server.get("/flamegraph?app=shop&version=2&baseline=1");
        assertThat(answer)
                .containsEntry("selection", Map.of("app", "shop", "version", "2"))
                .containsEntry("baselineSelection", Map.of("app", "shop", "version", "1"))
                .containsEntry("total", 40.0)
                .containsEntry("baselineTotal", 20.0);
        Map<String, Object> graph = JsonText.object(answer.get("graph"));
        List<Object> columns =
                JsonText.objects(graph.get("columns")).stream().map(it -> it.get("name")).toList();
        Map<String, Object> compared = JsonText.object(graph.get("compare"));
        int current = (int) JsonText.number(compared, "current");
        int baseline = (int) JsonText.number(compared, "baseline");
        assertThat(columns.get(current)).isEqualTo("cpu");
        assertThat(columns.get(baseline)).isEqualTo("cpu@baseline");
        List<Map<String, Object>> values = JsonText.objects(answer.get("values"));
        // Shop.order(), Db.read(), Db.read(int), Jobs.run(): the third only in the newer version.
        assertThat(JsonText.list(values.get(current), "value")).hasSize(4);
        assertThat(JsonText.list(values.get(baseline), "value")).hasSize(3);
    }

    private static List<Double> values(Map<String, Object> answer, String rows, String name) {
        return JsonText.objects(answer.get(rows)).stream()
                .map(row -> JsonText.number(row, name))
                .toList();
    }

    private static List<Double> states(Map<String, Object> answer, String resource) {
        return JsonText.objects(answer.get("rows")).stream()
                .map(row -> JsonText.number(JsonText.object(row.get("values")), resource))
                .toList();
    }
}
