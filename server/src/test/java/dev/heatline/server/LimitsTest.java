package dev.heatline.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heatline.model.Execution;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import dev.heatline.store.RocksStore;
import dev.heatline.store.StoreOptions;
import dev.heatline.store.Upload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uploads that are meant to harm: each is refused, and the next one is served. */
class LimitsTest {
    private static final String PATH = "/api/v1/profiles?app=shop" + Running.TIMES;
    private static final String STACKS = "main;A 1\n";

    @TempDir private Path directory;

    @Test
    void aBombIsDefused() throws IOException {
        ByteArrayOutputStream bomb = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bomb)) {
            byte[] line = "main;A 1\n".repeat(10_000).getBytes(StandardCharsets.US_ASCII);
            for (int i = 0; i < 100; i++) {
                out.write(line);
            }
        }
        try (Running running = limited(limits -> limits.withUnpackedBytes(1 << 20))) {
            assertThat(running.post(PATH, bomb.toByteArray()).statusCode()).isEqualTo(422);
            assertThat(
                            running.post("/v1development/profiles", bomb.toByteArray(), protobuf())
                                    .statusCode())
                    .isEqualTo(413);
            assertServes(running);
        }
    }

    @Test
    void anUploadMayNotBeTooLarge() {
        try (Running running = limited(limits -> limits.withBodyBytes(100))) {
            HttpResponse<String> answer = running.post(PATH, STACKS.repeat(20));

            assertThat(answer.statusCode()).isEqualTo(413);
            assertThat(answer.body()).startsWith("{\"error\":");
            assertServes(running);
        }
    }

    @Test
    void aForgedLengthStoresNothing() throws IOException {
        try (Running running = limited(limits -> limits)) {
            String answer =
                    raw(
                            running,
                            "POST "
                                    + PATH
                                    + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\n"
                                    + STACKS);

            assertThat(answer)
                    .satisfiesAnyOf(
                            text -> assertThat(text).isEmpty(),
                            text -> assertThat(text).startsWith("HTTP/1.1 400"));
            assertThat(running.store().executions()).isEmpty();
            assertThat(
                            raw(
                                    running,
                                    "POST "
                                            + PATH
                                            + " HTTP/1.1\r\nHost: localhost\r\n"
                                            + "Content-Length: 99999999999\r\n\r\n"))
                    .startsWith("HTTP/1.1 413");
            assertThat(
                            raw(
                                    running,
                                    "POST "
                                            + PATH
                                            + " HTTP/1.1\r\nHost: localhost\r\n"
                                            + "Content-Length: -1\r\n\r\n"))
                    .startsWith("HTTP/1.1 400");
            assertServes(running);
        }
    }

    /** An upload that grows is there twice, as it was and as it will be. */
    @Test
    void receivedUploadsTakeNoMoreMemoryThanTheyMay() throws IOException {
        int most = 8 << 16;
        byte[] large = STACKS.repeat(40_000).getBytes(StandardCharsets.US_ASCII);
        assertThat(large).hasSizeBetween(5 << 16, 6 << 16);
        try (Running running =
                        limited(limits -> limits.withBodyBytes(most).withReceivedBytes(most));
                Socket socket =
                        new Socket(InetAddress.getLoopbackAddress(), running.address().getPort())) {
            String head =
                    "POST " + PATH + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + most;
            socket.getOutputStream().write((head + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(large);

            // Until the server has come as far with the first as that one goes.
            long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
            int status = running.post(PATH, large).statusCode();
            while (status != 503 && System.nanoTime() < end) {
                status = running.post(PATH, large).statusCode();
            }
            assertThat(status).as("half of the memory is taken").isEqualTo(503);
            assertServes(running);
        }
    }

    @Test
    void inventedApplicationsRunIntoALimit() {
        try (Running running = limited(limits -> limits.withNames(50, 1000))) {
            int stored = 0;
            int refused = 0;
            for (int i = 0; i < 80; i++) {
                int status =
                        running.post("/api/v1/profiles?app=a" + i + Running.TIMES, STACKS)
                                .statusCode();
                stored += status == 201 ? 1 : 0;
                refused += status == 429 ? 1 : 0;
            }
            assertThat(stored).isEqualTo(50);
            assertThat(refused).isEqualTo(30);
            assertThat(running.metric("heatline_applications")).isEqualTo(50);
            assertThat(running.metric("heatline_refusals_total{status=\"429\"}")).isEqualTo(30);
            assertThat(
                            running.post(
                                            "/api/v1/profiles?app=a1&version=2" + Running.TIMES,
                                            STACKS)
                                    .statusCode())
                    .isEqualTo(201);
        }
    }

    @Test
    void aServerFullOfApplicationsServesThemAndNoOther() {
        int applications = 3_000;
        Instant from = Instant.now().minusSeconds(120);
        try (RocksStore store = RocksStore.open(directory, StoreOptions.DEFAULT)) {
            Profile profile = Running.profile(STACKS);
            IntStream.range(0, applications)
                    .parallel()
                    .mapToObj(i -> new Execution("app" + i, "1", "a"))
                    .map(it -> new Upload("" + it, it, from, from.plusSeconds(60), profile))
                    .forEach(upload -> assertThat(store.add(upload)).isTrue());
        }
        try (Running running =
                limited(limits -> limits.withNames(applications, 2 * applications))) {
            assertThat(running.metric("heatline_applications")).isEqualTo(applications);
            assertThat(post(running, "another")).isEqualTo(429);
            assertThat(post(running, "app7")).isEqualTo(201);
            assertThat(running.get("/api/v1/applications?limit=10000").body())
                    .startsWith("{\"found\":" + applications + ",\"leftOut\":0,");
            assertThat(running.get("/api/v1/methods?app=app2999").statusCode()).isEqualTo(200);

            running.store().maintain(Instant.now().plus(Duration.ofDays(3)));
            assertThat(running.store().usage().profiles()).containsEntry("minute", 0L);
            running.store().maintain(Instant.now().plus(Duration.ofDays(500)));
            assertThat(running.store().executions()).isEmpty();
        }
        try (Running running = limited(limits -> limits.withNames(applications, applications))) {
            assertThat(post(running, "another")).isEqualTo(201);
        }
    }

    private static int post(Running running, String application) {
        return running.post("/api/v1/profiles?version=1&app=" + application + Running.TIMES, STACKS)
                .statusCode();
    }

    @Test
    void executionsThatAreGoneDoNotCount() {
        AtomicReference<Instant> time =
                new AtomicReference<>(Instant.parse("2026-11-15T12:00:00Z"));
        KnownExecutions known =
                new KnownExecutions(Limits.DEFAULT.withNames(10, 2), () -> time.get());
        try (RocksStore store = RocksStore.open(directory, StoreOptions.DEFAULT)) {
            for (String instance : List.of("a", "b")) {
                Execution execution = new Execution("shop", "1", instance);
                known.admit(execution);
                Instant from = time.get().minusSeconds(60);
                store.add(
                        new Upload(
                                instance, execution, from, time.get(), Running.profile("A 1\n")));
            }
            Execution third = new Execution("shop", "1", "c");
            known.refresh(store);
            assertThat(known.executions()).isEqualTo(2);
            assertThatThrownBy(() -> known.admit(third))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("--max-executions");

            time.set(time.get().plus(Duration.ofDays(6)));
            known.admit(new Execution("shop", "1", "b"));
            time.set(time.get().plus(Duration.ofDays(2)));
            known.refresh(store);
            assertThat(known.executions()).as("b was heard of two days ago").isEqualTo(1);
            known.admit(third);
            assertThatThrownBy(() -> known.admit(new Execution("shop", "1", "d")))
                    .isInstanceOf(Refusal.class);
        }
    }

    @Test
    void valuesThatNothingCanBeAddedToAreRefused() {
        try (Running running = limited(limits -> limits)) {
            HttpResponse<String> answer = running.post(PATH, "main;A 9223372036854775807\n");
            assertThat(answer.statusCode()).isEqualTo(422);
            assertThat(answer.body()).contains("more than can be measured");
            byte[] counted =
                    Running.written(
                            Running.profile(STACKS)
                                    .withProvenance(
                                            Provenance.NONE.withCount("lost", Long.MAX_VALUE)),
                            "heat");
            assertThat(running.post(PATH, counted).statusCode()).isEqualTo(422);
            assertServes(running);
            assertThat(running.get("/api/v1/methods?app=shop").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void descriptionsAndNamesAreBounded() {
        Provenance facts = Provenance.NONE;
        for (int i = 0; i < 100; i++) {
            facts = facts.withFact("fact", i + "x".repeat(1_000));
        }
        try (Running running = limited(limits -> limits)) {
            byte[] described =
                    Running.written(Running.profile(STACKS).withProvenance(facts), "heat");
            assertThat(described).hasSizeLessThan(5_000);
            assertThat(running.post(PATH, described).statusCode()).isEqualTo(422);
            HttpResponse<String> named = running.post(PATH, STACKS + "x".repeat(17_000) + " 1\n");
            assertThat(named.statusCode()).isEqualTo(422);
            assertThat(named.body()).contains("16384 fit");
            StringBuilder labels = new StringBuilder(PATH);
            for (int i = 0; i < 5; i++) {
                labels.append("&label=l").append(i).append(':').append("v".repeat(500));
            }
            assertThat(running.post(labels.toString(), STACKS).body()).contains("2048 fit");
            assertServes(running);
        }
    }

    @Test
    void whoeverTookTheMemoryTheUploadIsKeptBySender() {
        Metrics metrics = new Metrics();
        KnownExecutions known = new KnownExecutions(Limits.DEFAULT, InstantSource.system());
        Claim claim =
                new Claim(
                        Optional.of("shop"),
                        Optional.empty(),
                        Optional.empty(),
                        new TreeMap<>(),
                        Optional.empty(),
                        Optional.empty());
        try (RocksStore store = RocksStore.open(directory, StoreOptions.DEFAULT);
                Intake intake = new Intake(store, known, metrics, Limits.DEFAULT)) {
            assertThatThrownBy(
                            () ->
                                    intake.take(
                                            "id",
                                            claim,
                                            "heat",
                                            1,
                                            _ -> {
                                                throw new OutOfMemoryError("as if");
                                            }))
                    .isInstanceOfSatisfying(
                            Refusal.class,
                            refusal -> {
                                assertThat(refusal.status()).isEqualTo(503);
                                assertThat(refusal.retryAfterSeconds()).isPositive();
                            });
        }
    }

    @Test
    void namesAreNamesAndNothingElse() {
        try (Running running = limited(limits -> limits)) {
            for (String name :
                    new String[] {
                        "<script>alert(1)</script>",
                        "../../etc/passwd",
                        "..",
                        "a\nb",
                        "a\u0000b",
                        "a\u202eb",
                        "x".repeat(513)
                    }) {
                String encoded = URLEncoder.encode(name, StandardCharsets.UTF_8);
                HttpResponse<String> answer =
                        running.post("/api/v1/profiles?app=" + encoded + Running.TIMES, STACKS);
                assertThat(answer.statusCode()).as(name).isEqualTo(400);
                assertThat(running.post(PATH + "&label=zone:" + encoded, STACKS).statusCode())
                        .as(name)
                        .isEqualTo(400);
            }
            StringBuilder labels = new StringBuilder(PATH);
            for (int i = 0; i < 33; i++) {
                labels.append("&label=l" + i + ":v");
            }
            assertThat(running.post(labels.toString(), STACKS).statusCode()).isEqualTo(400);
            assertThat(running.store().executions()).isEmpty();
            assertServes(running);
        }
    }

    @Test
    void longHeadersAndRequestLinesAreRefused() throws IOException {
        try (Running running = limited(limits -> limits)) {
            String line =
                    "GET /ready?" + "x".repeat(20_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
            String header =
                    "GET /ready HTTP/1.1\r\nHost: localhost\r\nA: "
                            + "x".repeat(20_000)
                            + "\r\n\r\n";

            assertThat(raw(running, line)).startsWith("HTTP/1.1 4");
            assertThat(raw(running, header)).startsWith("HTTP/1.1 4");
            assertServes(running);
        }
    }

    @Test
    void whoAsksTooOftenHasToWait() {
        try (Running running = limited(limits -> limits.withRequestsPerSecond(1))) {
            assertThat(running.get("/ready").statusCode()).isEqualTo(200);
            assertThat(running.get("/ready").statusCode()).isEqualTo(200);
            HttpResponse<String> third = running.get("/ready");

            assertThat(third.statusCode()).isEqualTo(429);
            assertThat(third.headers().firstValue("Retry-After")).hasValue("1");
        }
    }

    private Running limited(UnaryOperator<Limits> change) {
        return new Running(directory, options -> options.withLimits(change.apply(Limits.DEFAULT)));
    }

    private static String[] protobuf() {
        return new String[] {"Content-Type", "application/x-protobuf"};
    }

    private static void assertServes(Running running) {
        assertThat(running.post(PATH, STACKS).statusCode()).isEqualTo(201);
    }

    /** Sends this, closes its side, and returns all that is answered. */
    private static String raw(Running running, String request) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), running.address().getPort())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
