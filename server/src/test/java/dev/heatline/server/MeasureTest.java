package dev.heatline.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Consumer;
import dev.heatline.model.ConsumerType;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import dev.heatline.wire.CallOrder;
import dev.heatline.wire.CallReport;
import dev.heatline.wire.CallReport.State;
import dev.heatline.wire.CallSnapshot;
import dev.heatline.wire.FollowedJvm;
import dev.heatline.wire.RegionSnapshot;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Asking for measurements, over HTTP, with a collector that the test plays. */
class MeasureTest {
    private static final FollowedJvm JVM =
            new FollowedJvm("j-1", "shop", "1.0", "host:1", "shop.jar", 1);

    @TempDir private Path directory;

    private static String follow(Running server) {
        return server.post("/api/v1/collectors", FollowedJvm.written(List.of(JVM))).body();
    }

    private static String order(Running server, String more) {
        return server.post("/api/v1/measurements?jvm=j-1" + more, "").body();
    }

    private static String id(String answer) {
        Matcher id = Pattern.compile("\"id\":\"([^\"]+)\"").matcher(answer);
        assertThat(id.find()).as(answer).isTrue();
        return id.group(1);
    }

    private static byte[] calls() {
        ProfileBuilder builder = new ProfileBuilder();
        int thread = builder.consumer(Consumer.thread("", "worker"));
        int find = builder.consumer(Consumer.method("shop.Search", "find", "()V"));
        int node = builder.child(Profile.ROOT, find, Site.NONE);
        builder.column(Resource.CALLS).add(node, thread, 54);
        builder.column(Resource.seconds("elapsed", Resource.CALLS.name()))
                .add(node, thread, 2_000_000_000L);
        return Running.written(builder.build(Provenance.NONE), "heat");
    }

    private static HttpResponse<String> report(
            Running server, String id, CallReport.State state, byte[] profile) {
        CallReport report =
                new CallReport(id, state, "", List.of("a call costs 1 ns"), 1_000_000, 2_000_000);
        return server.post("/api/v1/collectors/measurements", report.written(profile));
    }

    @Test
    void aMeasurementFromItsOrderToItsEnd() throws IOException {
        try (Running server = new Running(directory)) {
            assertThat(server.get("/api/v1/jvms?app=shop").body()).contains("\"found\":0");
            assertThat(follow(server)).isEmpty();
            assertThat(server.get("/api/v1/jvms?app=shop").body())
                    .contains("\"jvm\":\"j-1\"", "\"main\":\"shop.jar\"", "\"pid\":1");

            String id = id(order(server, "&root=Search::find&seconds=5&timing=sampled&budget=7"));
            List<CallOrder> orders = CallOrder.read(follow(server));
            assertThat(orders).hasSize(1);
            CallOrder order = orders.get(0);
            assertThat(order.id()).isEqualTo(id);
            assertThat(order.seconds()).isEqualTo(5);
            assertThat(order.request().roots()).containsExactly("Search::find");
            assertThat(order.request().sampled()).isTrue();
            assertThat(order.request().budget()).isEqualTo(0.07);

            assertThat(report(server, id, State.RUNNING, calls()).body()).isEqualTo("go on");
            String seen = server.get("/api/v1/measurement?id=" + id).body();
            assertThat(seen)
                    .contains("\"state\":\"running\"", "\"said\":[\"a call costs 1 ns\"]")
                    .contains("shop.Search.find()", "\"calls\":54", "\"cum\":2");

            assertThat(server.delete("/api/v1/measurements?id=" + id).statusCode()).isEqualTo(200);
            assertThat(follow(server)).isEmpty();
            assertThat(report(server, id, State.ENDED, new byte[0]).body()).isEqualTo("end");
            assertThat(server.get("/api/v1/measurements?app=shop").body())
                    .contains("\"state\":\"ended\"", "\"until\":\"1970-01-01T00:33:20Z\"");
            assertThat(server.get("/api/v1/measurement?id=" + id).body()).contains("\"calls\":54");
        }
    }

    @Test
    void whatWasCountedOnlyIsToldLiveAndStored() {
        ProfileBuilder builder = new ProfileBuilder();
        int thread = builder.consumer(Consumer.thread("", "worker"));
        int find = builder.consumer(Consumer.method("shop.Search", "find", "()V"));
        int often = builder.consumer(Consumer.method("shop.Product", "id", "()I"));
        int root = builder.child(Profile.ROOT, find, Site.NONE);
        int child = builder.child(root, often, Site.NONE);
        builder.column(Resource.CALLS).add(root, thread, 1);
        builder.column(Resource.CALLS).add(child, thread, 700);
        builder.column(Resource.COUNTED_ONLY).add(child, thread, 600);
        builder.column(Resource.seconds("elapsed", Resource.CALLS.name()))
                .add(root, thread, 2_000_000_000L);
        byte[] heat = Running.written(builder.build(Provenance.NONE), "heat");
        String row = "\"consumer\":\"shop.Product.id()\",\"calls\":%d,\"countedOnly\":%d,";
        try (Running server = new Running(directory)) {
            follow(server);
            String id = id(order(server, "&root=Search::find"));
            report(server, id, State.RUNNING, heat);
            assertThat(server.get("/api/v1/measurement?id=" + id).body())
                    .contains("\"calls\":700,\"countedOnly\":600,");

            for (int piece = 0; piece < 2; piece++) {
                String upload = "&id=" + piece + Running.TIMES;
                assertThat(server.post("/api/v1/profiles?app=shop" + upload, heat).statusCode())
                        .isEqualTo(201);
            }
            assertThat(server.get("/api/v1/methods?app=shop&resource=elapsed").body())
                    .contains(row.formatted(1400, 1200));
            assertThat(server.get("/api/v1/method?app=shop&resource=elapsed&name=find").body())
                    .contains(row.formatted(1400, 1200));
            assertThat(server.get("/api/v1/methods?app=shop&resource=calls").body())
                    .doesNotContain("countedOnly");
        }
    }

    @Test
    void theTimesOfOneMethodAreToldWhileTheyAreMeasuredAndAfter() throws IOException {
        byte[] times =
                new RegionSnapshot(
                                9_000,
                                List.of(
                                        new RegionSnapshot.Region(
                                                new CallSnapshot.Method(
                                                        "shop.Search", "find", "()V"),
                                                2,
                                                3_000,
                                                List.of(new RegionSnapshot.Bucket(1_000, 2_048, 2)),
                                                List.of(new RegionSnapshot.Call(7, 1_000)),
                                                List.of(
                                                        new RegionSnapshot.SlowCall(
                                                                2_000,
                                                                1_700_000_000_000L,
                                                                "worker",
                                                                List.of("shop.Cart"),
                                                                List.of("shop.Search.find"))))))
                        .written();
        try (Running server = new Running(directory)) {
            follow(server);
            String id = id(order(server, "&region=Search::find&seconds=5"));
            CallOrder order = CallOrder.read(follow(server)).get(0);
            assertThat(order.request().regions()).containsExactly("Search::find");
            assertThat(order.request().roots()).isEmpty();
            assertThat(order(server, "&root=A::b")).contains("being measured: Search::find");

            String question = "/api/v1/measurement?id=" + id;
            assertThat(server.get(question).body())
                    .contains("\"roots\":[],\"regions\":[\"Search::find\"]")
                    .doesNotContain("times");
            assertThat(report(server, id, State.RUNNING, times).body()).isEqualTo("go on");
            assertThat(server.get(question).body())
                    .contains("\"times\":{\"unit\":\"ns\",\"duration\":9000,")
                    .contains("\"method\":\"shop.Search.find()\",\"calls\":2,\"total\":3000")
                    .contains("\"50.0\":1524", "\"99.9\":2000")
                    .contains("\"arguments\":[\"shop.Cart\"],\"stack\":[\"shop.Search.find\"]")
                    .doesNotContain("\"tree\"");
            report(server, id, State.ENDED, new byte[0]);
            assertThat(server.get(question).body()).contains("\"ended\"", "\"total\":3000");
        }
    }

    @Test
    void objectsAreSeenWhileTheyAreCounted() throws IOException {
        ProfileBuilder builder = new ProfileBuilder();
        int thread = builder.consumer(Consumer.thread("", "worker"));
        int find = builder.consumer(Consumer.method("shop.Search", "find", "()V"));
        int node = builder.child(Profile.ROOT, find, Site.NONE);
        int type = builder.consumer(new Consumer(ConsumerType.CLASS, "", "shop.Hit", ""));
        int made = builder.child(node, type, Site.NONE);
        builder.column(Resource.CALLS).add(node, thread, 4);
        builder.column(Resource.count("allocations")).add(made, thread, 30);
        builder.column(Resource.bytes("allocated", "allocations")).add(made, thread, 720);
        byte[] heat = Running.written(builder.build(Provenance.NONE), "heat");
        try (Running server = new Running(directory)) {
            follow(server);
            String id = id(order(server, "&root=Search::find&survival=true"));
            CallOrder order = CallOrder.read(follow(server)).get(0);
            assertThat(order.request().survival()).isTrue();
            assertThat(order.request().allocations()).isTrue();
            String question = "/api/v1/measurement?resource=allocated&id=" + id;
            report(server, id, State.RUNNING, calls());
            assertThat(server.get(question).body()).contains("\"name\":\"elapsed\"");
            report(server, id, State.RUNNING, heat);
            assertThat(server.get(question).body())
                    .contains("\"resources\":[\"allocated\",\"allocations\",\"calls\"]")
                    .contains("\"name\":\"allocated\",\"unit\":\"bytes\"")
                    .contains("\"shop.Hit\"],\"depth\":2,\"calls\":30,\"base\":720");
            HttpResponse<String> none = server.get("/api/v1/measurement?resource=alloc&id=" + id);
            assertThat(none.statusCode()).isEqualTo(400);
            assertThat(none.body()).contains("no resource alloc", "allocated");
        }
    }

    private static byte[] samples() {
        ProfileBuilder builder = new ProfileBuilder();
        int thread = builder.consumer(Consumer.thread("", "worker"));
        int find = builder.consumer(Consumer.method("shop.Search", "find", "()V"));
        int node = builder.child(Profile.ROOT, find, Site.NONE);
        builder.column(Resource.SAMPLES).add(node, thread, 6);
        builder.column(Resource.CPU).add(node, thread, 60_000_000);
        return Running.written(builder.build(Provenance.NONE), "heat");
    }

    @Test
    void aMethodThatWasSampledAndMeasuredHasBoth() {
        byte[] sampled = samples();
        try (Running server = new Running(directory)) {
            server.post("/api/v1/profiles?app=shop&version=1&id=s" + Running.TIMES, sampled);
            String question = "/api/v1/method?app=shop&name=find";
            assertThat(server.get(question).body()).doesNotContain("beside");
            server.post("/api/v1/profiles?app=shop&version=1&id=m" + Running.TIMES, calls());
            for (String resource : List.of("cpu", "elapsed")) {
                assertThat(server.get(question + "&from=now-9000d&resource=" + resource).body())
                        .contains("\"beside\":{\"calls\":54,\"samples\":6,\"callsPerSample\":9.0,")
                        .contains("\"timePerCall\":0.037");
            }
        }
    }

    @Test
    void callsOfAMinuteAreNotDividedBySamplesOfAnHourOrOfAnotherInstance() {
        String calls = "\"beside\":{\"calls\":54,";
        String perSample = calls + "\"samples\":6,\"callsPerSample\":9.0,\"timePerCall\":0.037";
        String alone = calls + "\"timePerCall\":0.037";
        try (Running server = new Running(directory)) {
            server.post("/api/v1/profiles?app=shop&instance=b&id=b" + Running.TIMES, samples());
            for (int minute = 0; minute < 10; minute++) {
                long from = 1_700_000_000_000L + minute * 60_000L;
                String when = "&from=" + from + "&until=" + (from + 60_000);
                String upload = "/api/v1/profiles?app=shop&instance=a&id=" + minute + when;
                assertThat(server.post(upload, samples()).statusCode()).isEqualTo(201);
            }
            server.post("/api/v1/profiles?app=shop&instance=a&id=m" + Running.TIMES, calls());
            String question = "/api/v1/method?app=shop&name=find&resource=elapsed";
            assertThat(server.get(question + "&instance=a").body()).contains(alone);
            String measured = question + Running.TIMES;
            assertThat(server.get(measured + "&instance=a").body()).contains(perSample);
            assertThat(server.get(measured).body()).contains(alone);
        }
    }

    @Test
    void whatIsNoTimeOfAMethodIsRefused() {
        try (Running server = new Running(directory)) {
            follow(server);
            String id = id(order(server, "&region=A::b"));
            assertThat(report(server, id, State.RUNNING, calls()).statusCode()).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "&root=",
                "&root=A::b&seconds=0",
                "&root=A::b&seconds=100000",
                "&root=A::b&budget=none",
                "&root=A::b&timing=wild",
                "&root=A::b&unknown=1",
                "&root=A::b&region=A::c",
                "&region=",
                "&region=A::b&alloc=true",
                "&region=A::b&survival=true",
                "&root=A::b&survival=perhaps",
                "&region=A::b&timing=exact"
            })
    void whatMakesNoSenseIsRefused(String parameters) {
        try (Running server = new Running(directory)) {
            follow(server);
            HttpResponse<String> answer =
                    server.post("/api/v1/measurements?jvm=j-1" + parameters, "");
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
            assertThat(answer.body()).contains("\"error\":\"");
            assertThat(follow(server)).isEmpty();
        }
    }

    @Test
    void whatIsNotThereIsSaidToBeSo() {
        try (Running server = new Running(directory)) {
            assertThat(server.post("/api/v1/measurements?jvm=x&root=A::b", "").statusCode())
                    .isEqualTo(404);
            assertThat(server.get("/api/v1/measurement?id=x").statusCode()).isEqualTo(404);
            assertThat(server.delete("/api/v1/measurements?id=x").statusCode()).isEqualTo(404);
            assertThat(report(server, "x", State.RUNNING, calls()).body()).isEqualTo("end");
        }
    }

    @Test
    void whatNoCollectorWouldSayIsRefused() {
        try (Running server = new Running(directory)) {
            follow(server);
            String id = id(order(server, "&root=A::b"));
            assertThat(
                            server.post("/api/v1/collectors/measurements", "state wild\n\n")
                                    .statusCode())
                    .isEqualTo(400);
            byte[] damaged = calls();
            damaged[damaged.length / 2] ^= 0x55;
            assertThat(report(server, id, State.RUNNING, damaged).statusCode()).isEqualTo(422);
            assertThat(report(server, id, State.RUNNING, new byte[5 << 20]).statusCode())
                    .isEqualTo(413);
            FollowedJvm sly = new FollowedJvm("j", "<script>", "", "", "", 1);
            assertThat(
                            server.post("/api/v1/collectors", FollowedJvm.written(List.of(sly)))
                                    .statusCode())
                    .isEqualTo(400);
            assertThat(server.post("/api/v1/collectors", "jvm x\npid many").statusCode())
                    .isEqualTo(400);
            assertThat(server.get("/api/v1/measurement?id=" + id).body())
                    .contains("\"state\":\"waiting\"");
        }
    }
}
