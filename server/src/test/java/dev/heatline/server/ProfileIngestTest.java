package dev.heatline.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.Execution;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import dev.heatline.store.Store;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProfileIngestTest {
    private static final String STACKS = "main;A;B 3\nmain;A 2\n";

    @TempDir private Path directory;

    @Test
    void aHeatFileKnowsEverythingItself() {
        try (Running running = new Running(directory)) {
            HttpResponse<String> answer =
                    running.post("/api/v1/profiles", Running.written(profile(), "heat"));

            assertThat(answer.statusCode()).isEqualTo(201);
            assertThat(answer.body())
                    .contains("\"application\":\"shop\"", "\"samples\":5", "\"repeat\":false");
            assertThat(running.store().executions())
                    .extracting(Store.Seen::execution)
                    .containsExactly(new Execution("shop", "1.2", "a"));
            assertThat(running.stored("shop").requireColumn("samples").total()).isEqualTo(5);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"heat", "pprof", "otlp", "speedscope", "collapsed"})
    void everyFormatIsFoundByContent(String format) {
        try (Running running = new Running(directory)) {
            HttpResponse<String> answer =
                    running.post(
                            "/api/v1/profiles?app=till" + Running.TIMES,
                            Running.written(profile(), format));

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
            assertThat(running.stored("till").requireColumn("samples").total()).isEqualTo(5);
            assertThat(
                            running.metric(
                                    "heatline_uploads_total{outcome=\"stored\",format=\""
                                            + format
                                            + "\"}"))
                    .isEqualTo(1);
        }
    }

    @Test
    void whatIsCalledOtherwiseInEveryRunIsOneMethod() {
        try (Running running = new Running(directory)) {
            for (String run : List.of("0x00007f12", "0x00007f34")) {
                String stacks = "main;shop.Cart$$Lambda." + run + ".run;shop.Cart.add 4\n";
                HttpResponse<String> answer =
                        running.post("/api/v1/profiles?app=till" + Running.TIMES, stacks);
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
            }
            Profile stored = running.stored("till");
            assertThat(stored.nodeCount()).as("root, main, lambda, add").isEqualTo(4);
            assertThat(stored.requireColumn("samples").total()).isEqualTo(8);
        }
    }

    @Test
    void aRecordingIsStoredUnderTheNameItIsSentWith() throws IOException {
        Path file = directory.resolve("x.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.ExecutionSample");
            recording.start();
            recording.stop();
            recording.dump(file);
        }
        try (Running running = new Running(directory.resolve("store"))) {
            HttpResponse<String> answer =
                    running.post("/api/v1/profiles?app=shop", Files.readAllBytes(file));

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
            assertThat(running.stored("shop").provenance().fact(Provenance.APPLICATION))
                    .isEqualTo("shop");
        }
    }

    /** A collector whose clock is ahead keeps it until then, or until its clock is right again. */
    @Test
    void whatIsMoreThanADayAheadIsNotTakenYet() {
        long now = System.currentTimeMillis();
        long day = Duration.ofDays(1).toMillis();
        try (Running running = new Running(directory)) {
            HttpResponse<String> ahead = upTo(running, now + 2 * day);
            assertThat(ahead.statusCode()).isEqualTo(409);
            assertThat(ahead.body()).contains("more than a day ahead of this server's clock");
            assertThat(running.store().executions()).isEmpty();
            assertThat(upTo(running, now + day / 2).statusCode()).isEqualTo(201);
        }
    }

    private static HttpResponse<String> upTo(Running running, long millis) {
        String times = "&from=" + (millis - 60_000) + "&until=" + millis;
        return running.post("/api/v1/profiles?app=shop" + times, "main;A 1\n");
    }

    /** In alphabetical order, allocations come first. */
    @Test
    void samplesAreThoseOfTheMainColumn() {
        ProfileBuilder builder = new ProfileBuilder();
        int node = builder.child(Profile.ROOT, builder.consumer(Consumer.method("A")), Site.NONE);
        builder.column(Resource.count("allocations")).add(node, Column.NO_THREAD, 1);
        builder.column(Resource.count("cpu-samples")).add(node, Column.NO_THREAD, 7);
        builder.column(Resource.seconds("cpu-time", "cpu-samples"))
                .add(node, Column.NO_THREAD, 70_000_000);
        byte[] heat = Running.written(builder.build(Provenance.NONE), "heat");
        try (Running running = new Running(directory)) {
            assertThat(running.post("/api/v1/profiles?app=shop" + Running.TIMES, heat).body())
                    .contains("\"samples\":7,");
            assertThat(running.metric("heatline_samples_total")).isEqualTo(7);
            assertThat(running.storedSamples("shop")).isEqualTo(7);
        }
    }

    @Test
    void packedContentIsUnpacked() throws IOException {
        byte[] heat = Running.written(profile(), "collapsed");
        ByteArrayOutputStream gzip = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(gzip)) {
            out.write(heat);
        }
        try (Running running = new Running(directory)) {
            String path = "/api/v1/profiles?app=shop" + Running.TIMES;
            assertThat(
                            running.post(path, gzip.toByteArray(), "Content-Encoding", "gzip")
                                    .statusCode())
                    .isEqualTo(201);
            assertThat(
                            running.post(path, Zstd.compress(heat), "Content-Encoding", "zstd")
                                    .statusCode())
                    .isEqualTo(201);
            assertThat(running.post(path, heat, "Content-Encoding", "br").statusCode())
                    .isEqualTo(400);
            assertThat(running.storedSamples("shop")).isEqualTo(10);
        }
    }

    @Test
    void theQueryWinsOverTheProfile() {
        try (Running running = new Running(directory)) {
            running.post(
                    "/api/v1/profiles?app=till&version=2&instance=b&label=zone:eu&label=rack:7",
                    Running.written(profile(), "heat"));

            Execution expected =
                    new Execution(
                            "till", "2", "b", new TreeMap<>(Map.of("zone", "eu", "rack", "7")));
            assertThat(running.store().executions())
                    .extracting(Store.Seen::execution)
                    .containsExactly(expected);
            Provenance stored = running.stored("till").provenance();
            assertThat(stored.fact(Provenance.APPLICATION)).isEqualTo("till");
            assertThat(stored.fact(Provenance.VERSION)).isEqualTo("2");
        }
    }

    @Test
    void aRepeatChangesNothing() {
        byte[] heat = Running.written(profile(), "heat");
        try (Running running = new Running(directory)) {
            String[] id = {"Heatline-Upload-Id", "minute-1"};
            assertThat(running.post("/api/v1/profiles", heat, id).statusCode()).isEqualTo(201);
            HttpResponse<String> again = running.post("/api/v1/profiles", heat, id);

            assertThat(again.statusCode()).isEqualTo(200);
            assertThat(again.body()).contains("\"id\":\"minute-1\"", "\"repeat\":true");
            assertThat(running.storedSamples("shop")).isEqualTo(5);
        }
    }

    @Test
    void withoutAnIdTheSameRequestIsARepeat() {
        byte[] stacks = Running.written(profile(), "collapsed");
        String path = "/api/v1/profiles?app=shop" + Running.TIMES;
        try (Running running = new Running(directory)) {
            assertThat(running.post(path, stacks).statusCode()).isEqualTo(201);
            assertThat(running.post(path, stacks).statusCode()).isEqualTo(200);
            assertThat(running.post(path + "&instance=b", stacks).statusCode()).isEqualTo(201);
        }
    }

    @Test
    void aRestartKeepsEverything() {
        byte[] heat = Running.written(profile(), "heat");
        try (Running running = new Running(directory)) {
            running.post("/api/v1/profiles", heat);
        }
        try (Running running = new Running(directory)) {
            assertThat(running.stored("shop").requireColumn("samples").total()).isEqualTo(5);
            assertThat(running.post("/api/v1/profiles", heat).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void whatIsMissingIsAskedFor() {
        String stacks = "main;A 1\n";
        try (Running running = new Running(directory)) {
            for (String path :
                    List.of(
                            "/api/v1/profiles?from=1700000000000&until=1700000060000",
                            "/api/v1/profiles?app=shop",
                            "/api/v1/profiles?app=shop&from=now&until=1700000060000",
                            "/api/v1/profiles?app=shop&from=1700000060000&until=1700000000000",
                            "/api/v1/profiles?app=shop&label=zone" + Running.TIMES)) {
                HttpResponse<String> answer = running.post(path, stacks);
                assertThat(answer.statusCode()).as(path).isEqualTo(400);
                assertThat(answer.body()).as(path).matches("\\{\"error\":\"[^\n]+\"}\n");
            }
            HttpResponse<String> empty = running.post("/api/v1/profiles?app=shop", "");
            assertThat(empty.statusCode()).isEqualTo(400);
            assertThat(running.store().executions()).isEmpty();
        }
    }

    @Test
    void whatIsNoProfileIsRefused() {
        try (Running running = new Running(directory)) {
            String path = "/api/v1/profiles?app=shop" + Running.TIMES;
            byte[] heat = Running.written(profile(), "heat");
            byte[] half = java.util.Arrays.copyOf(heat, heat.length / 2);

            assertThat(running.post(path, "<html>hello</html>").statusCode()).isEqualTo(422);
            assertThat(running.post(path, half).statusCode()).isEqualTo(422);
            assertThat(
                            running.metric(
                                    "heatline_uploads_total{outcome=\"refused\",format=\"heat\"}"))
                    .isEqualTo(1);
            assertThat(running.get("/ready").statusCode()).isEqualTo(200);
        }
    }

    private static Profile profile() {
        return Running.profile(STACKS);
    }
}
