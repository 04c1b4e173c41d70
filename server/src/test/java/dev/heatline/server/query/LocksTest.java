package dev.heatline.server.query;

import static dev.heatline.server.query.QueryServer.encoded;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.CallChain;
import dev.heatline.model.Consumer;
import dev.heatline.model.ContentionBuilder;
import dev.heatline.model.ContentionBuilder.Lock;
import dev.heatline.model.ContentionBuilder.Owner;
import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.report.ReportOptions;
import dev.heatline.report.View;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The product search of 001 §4.3.3, asked over HTTP. */
class LocksTest {
    private static final Lock LOCK = new Lock("monitor", "shop.Products", "Products@3ae26333");
    private static final Consumer WORKER = Consumer.thread("", "worker-1");
    private static final CallChain BY_NUMBER = chain("shop.Products.byNumber", "shop.Main.run");
    private static final CallChain BY_NAME =
            chain("shop.Products.byName", "shop.Search.find", "shop.Main.run");

    /** Worker 1 waits 9 ms for the number, 8 of them because of worker 2, who waited 2 ms. */
    static final Profile CONTENTIONS = contentions();

    @AutoClose private final QueryServer server;

    LocksTest(@TempDir Path directory) {
        server = QueryServer.start(directory);
    }

    private static CallChain chain(String... methods) {
        return CallChain.of(Stream.of(methods).map(Consumer::method).toList());
    }

    private static Profile contentions() {
        ProfileBuilder builder = new ProfileBuilder();
        ContentionBuilder contentions = new ContentionBuilder(builder);
        Consumer other = Consumer.thread("", "worker-2");
        Owner guilty = new Owner(other, BY_NAME);
        blocked(contentions, 9, WORKER, BY_NUMBER, guilty, true, 8);
        blocked(contentions, 9, WORKER, BY_NUMBER, Owner.NOBODY, false, 1);
        blocked(contentions, 2, other, BY_NAME, new Owner(WORKER, BY_NUMBER), true, 2);
        contentions.addHold(LOCK, guilty, 8_000_000);
        return builder.build(Provenance.NONE);
    }

    private static void blocked(
            ContentionBuilder contentions,
            long millis,
            Consumer thread,
            CallChain chain,
            Owner owner,
            boolean counted,
            long part) {
        contentions.add(
                ContentionBuilder.BLOCKED,
                LOCK,
                millis * 1_000_000,
                thread,
                chain,
                owner,
                counted,
                new ContentionBuilder.Span(0, part * 1_000_000));
    }

    /** A row as {@code path = contentions, blocked}. */
    private static List<String> rows(Map<String, Object> answer) {
        String time = String.valueOf(JsonText.object(answer.get("resource")).get("name"));
        return JsonText.objects(answer.get("rows")).stream()
                .map(
                        row ->
                                JsonText.list(row, "path").stream()
                                                .map(String::valueOf)
                                                .reduce((a, b) -> a + " / " + b)
                                                .orElse("")
                                        + " = "
                                        + Math.round(1e3 * JsonText.number(row, time)))
                .toList();
    }

    private static Map<String, Object> reported(Profile profile) throws IOException {
        StringWriter text = new StringWriter();
        View.LOCKS.of(profile, ReportOptions.DEFAULTS).json(text);
        return JsonText.object(text.toString());
    }

    @Test
    void theRowsAreThoseOfTheReport() throws IOException {
        server.upload("shop", "1", "a", CONTENTIONS);
        Map<String, Object> report = reported(CONTENTIONS);
        assertThat(server.get("/locks?app=shop"))
                .containsEntry("rows", report.get("rows"))
                .containsEntry("by", report.get("by"))
                .containsEntry("total", 0.011)
                .containsEntry("totalCalls", 2.0)
                .containsEntry("recordedCalls", 2.0)
                .containsEntry("resource", Map.of("name", "blocked", "unit", "s"));
    }

    @Test
    void aspectsComeInTheOrderThatIsAskedFor() {
        server.upload("shop", "1", "a", CONTENTIONS);
        assertThat(rows(server.get("/locks?app=shop&by=owner-method,blocked-thread")))
                .containsExactly(
                        "shop.Products.byName = 8",
                        "shop.Products.byName / worker-1 = 8",
                        "shop.Products.byNumber = 2",
                        "shop.Products.byNumber / worker-2 = 2",
                        "[handed over] = 1",
                        "[handed over] / worker-1 = 1");
    }

    @Test
    void waitsAndHoldsMakeHistograms() {
        server.upload("shop", "1", "a", CONTENTIONS);
        assertThat(rows(server.get("/locks?app=shop&by=lock,duration")))
                .containsExactly(
                        "Products@3ae26333 = 11",
                        "Products@3ae26333 / 5-10 ms = 9",
                        "Products@3ae26333 / 2-5 ms = 2");
        assertThat(rows(server.get("/locks?app=shop&by=lock,duration&resource=held")))
                .containsExactly("Products@3ae26333 = 8", "Products@3ae26333 / 5-10 ms = 8");
    }

    @Test
    void contentionsOfTwoInstancesAddUpBesideOtherProfiles() throws IOException {
        server.upload("shop", "1", "a", CONTENTIONS);
        server.upload("shop", "1", "b", CONTENTIONS);
        server.upload("shop", "1", "b", QueryServer.example("workload.heat"));
        Profile both = Operations.merge(List.of(CONTENTIONS, CONTENTIONS));
        assertThat(server.get("/locks?app=shop"))
                .containsEntry("rows", reported(both).get("rows"))
                .containsEntry("totalCalls", 4.0)
                .containsEntry("recordedCalls", 4.0);
        assertThat(server.get("/locks?app=shop&instance=a")).containsEntry("totalCalls", 2.0);
    }

    /** The 11 ms were blocked in 44 ms of CPU time; nobody knows of the 900 ms before and after. */
    @Test
    void pressureIsThatOfTheTimeInWhichLocksWereTraced() {
        Profile traced =
                CONTENTIONS.withProvenance(
                        Provenance.NONE
                                .plusCount(Provenance.CORRECTED_MICROS, 44_000)
                                .plusCount(Provenance.LOCKS_TRACED_MICROS, 44_000));
        Profile untraced =
                new ProfileBuilder()
                        .build(Provenance.NONE.plusCount(Provenance.CORRECTED_MICROS, 900_000));
        server.upload("shop", "1", "a", untraced);
        server.upload("shop", "1", "a", traced);
        server.upload("shop", "1", "a", untraced);
        Map<String, Object> answer = server.get("/locks?app=shop&by=lock");
        assertThat(JsonText.objects(answer.get("rows")))
                .singleElement()
                .satisfies(row -> assertThat(JsonText.number(row, "pressure")).isEqualTo(0.25));
    }

    /** As of a trace that was kept: its time would be compared with what ran in the other. */
    @Test
    void withATraceOfWhichNobodyKnowsHowMuchRanThereIsNoPressure() {
        Provenance traced = Provenance.NONE.withFact(Provenance.COLLECTOR, Provenance.LOCK_TRACER);
        server.upload(
                "shop",
                "1",
                "a",
                CONTENTIONS.withProvenance(
                        traced.plusCount(Provenance.LOCKS_TRACED_MICROS, 44_000)));
        assertThat(JsonText.objects(server.get("/locks?app=shop&by=lock").get("rows")))
                .allMatch(row -> row.containsKey("pressure"));
        server.upload("shop", "1", "b", CONTENTIONS.withProvenance(traced));
        assertThat(JsonText.objects(server.get("/locks?app=shop&by=lock").get("rows")))
                .singleElement()
                .satisfies(row -> assertThat(row).doesNotContainKey("pressure"));
    }

    @Test
    void whatLiesBelowARowIsAskedForByItsPathWholeOrShort() {
        server.upload("shop", "1", "a", CONTENTIONS);
        String chain = "shop.Products.byNumber() ← shop.Main.run()";
        String question = "/locks?app=shop&by=blocked-chain,owner-thread,kind";
        String named = rows(server.get(question)).getFirst().replace(" = 9", "");
        List<String> expected =
                List.of(
                        named + " = 9",
                        named + " / worker-2 = 8",
                        named + " / worker-2 / monitor = 8",
                        named + " / [handed over] = 1",
                        named + " / [handed over] / monitor = 1");
        assertThat(named).startsWith(chain.substring(0, "shop.Products.byNumber".length()));
        assertThat(rows(server.get(question + "&node=" + encoded(named)))).isEqualTo(expected);
        assertThat(rows(server.get(question + "&node=" + encoded("shop…" + ShortName.key(named)))))
                .isEqualTo(expected);
        assertThat(rows(server.get(question + "&node=" + encoded(named) + "&node=worker-2")))
                .containsExactly(
                        named + " = 8",
                        named + " / worker-2 = 8",
                        named + " / worker-2 / monitor = 8");
        assertThat(server.refusal(question + "&node=nobody"))
                .isEqualTo("400 no blocked-chain nobody at level 1 of these contentions");
    }

    @Test
    void aThreadChoosesWhatItWaitedFor() {
        server.upload("shop", "1", "a", CONTENTIONS);
        Map<String, Object> answer = server.get("/locks?app=shop&by=owner-thread&thread=worker-1");
        assertThat(rows(answer)).containsExactly("worker-2 = 8", "[handed over] = 1");
        assertThat(answer).containsEntry("recordedCalls", 2.0).containsEntry("totalCalls", 1.0);
        assertThat(JsonText.list(answer, "remarks"))
                .isEqualTo(
                        List.of(
                                "thread, root and task choose by the thread that had to wait, not"
                                        + " by the owner"));
    }

    @Test
    void rootAndTaskChooseByTheChainThatWaitedAndCountItOnce() {
        server.upload("shop", "1", "a", CONTENTIONS);
        String question = "/locks?app=shop&by=owner-method";
        assertThat(rows(server.get(question + "&root=Products::byName")))
                .containsExactly("shop.Products.byNumber = 2");
        // In both chains of every contention.
        assertThat(server.get(question + "&root=Main::run")).containsEntry("total", 0.011);
        assertThat(rows(server.get(question + "&task=search%3Dprefix:shop.Search")))
                .containsExactly("shop.Products.byNumber = 2");
        assertThat(rows(server.get(question + "&root=Search::find&resource=held")))
                .containsExactly("shop.Products.byName = 8");
        assertThat(server.get(question + "&root=Products::byNumber&resource=held"))
                .containsEntry("rows", List.of());
        assertThat(server.refusal(question + "&root=Products::byNam"))
                .startsWith("400 no method Products::byNam");
    }

    @Test
    void whereNothingWasTracedTheAnswerSaysHowTo() {
        server.upload("shop", "1", "a", QueryServer.example("workload.heat"));
        Map<String, Object> answer = server.get("/locks?app=shop&by=lock");
        assertThat(answer)
                .containsEntry("rows", List.of())
                .containsEntry("by", List.of("lock"))
                .containsEntry("total", 0.0);
        assertThat(String.valueOf(answer.get("remarks")))
                .contains("heatline locks PID -o locks.heat")
                .contains("heatline collect --locks");
        assertThat(server.get("/locks?app=shop&until=2020-01-01")).containsEntry("rows", List.of());
    }

    @Test
    void whereNothingOfAPartWasTracedTheAnswerSaysSo() {
        server.upload("shop", "1", "a", CONTENTIONS);
        server.upload("shop", "1", "a", QueryServer.example("workload.heat"));
        assertThat(JsonText.list(server.get("/locks?app=shop&resource=waited"), "remarks"))
                .isEqualTo(List.of("locks were traced, but there is nothing waited in this part"));
        assertThat(String.valueOf(server.get("/locks?app=shop&thread=database").get("remarks")))
                .contains("nothing blocked in this part")
                .contains("the thread that had to wait");
    }

    @Test
    void rowsCanBeFewer() {
        server.upload("shop", "1", "a", CONTENTIONS);
        String question = "/locks?app=shop&by=owner-method";
        assertThat(server.get(question + "&limit=2")).containsEntry("leftOut", 2.0);
        Map<String, Object> pruned = server.get(question + "&prune=10%25");
        assertThat(rows(pruned)).doesNotContain("[handed over] = 1");
        assertThat(pruned).containsEntry("hidden", 1.0);
        assertThat(rows(server.get(question + "&prune=0.1"))).isEqualTo(rows(pruned));
    }

    @Test
    void whatMeansNothingIsRefusedInALine() {
        server.upload("shop", "1", "a", CONTENTIONS);
        assertThat(server.refusal("/locks?app=shop&by=owner"))
                .startsWith("400 no aspect owner of contentions; there are kind, lock-class");
        assertThat(server.refusal("/locks?app=shop&by=lock,lock")).contains("twice");
        assertThat(server.refusal("/locks?app=shop&resource=cpu"))
                .isEqualTo("400 resource cpu? write one of blocked, waited, held");
        assertThat(server.refusal("/locks?app=shop&prune=much"))
                .isEqualTo("400 prune much is no share: write 0.01 or 1%");
        assertThat(server.refusal("/locks?app=shop&prune=2")).startsWith("400 prune 2");
        assertThat(server.refusal("/locks?app=shop&limit=0")).startsWith("400 limit 0");
    }
}
