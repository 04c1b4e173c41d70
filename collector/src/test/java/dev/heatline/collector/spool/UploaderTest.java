package dev.heatline.collector.spool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.heatline.collector.jvm.Target;
import dev.heatline.model.Execution;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a server that answers as it is told. */
class UploaderTest {

    /** What a request was, with its body read. */
    private record Received(
            URI uri, Map<String, List<String>> headers, int bodyBytes, Profile profile) {
        String header(String name) {
            return String.join(",", headers.getOrDefault(name, List.of()));
        }
    }

    /** How to answer the next request; the default is to take it. */
    private interface Reply {
        void to(HttpExchange exchange) throws IOException;
    }

    @TempDir private Path temporary;

    private final List<String> said = new CopyOnWriteArrayList<>();
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final BlockingQueue<Reply> replies = new LinkedBlockingQueue<>();

    /** How to answer requests that have this in their query, where nothing else was said. */
    private final Map<String, Reply> repliesTo = new ConcurrentHashMap<>();

    private final List<Uploader> uploaders = new ArrayList<>();
    private HttpServer server;
    private Spool spool;

    @BeforeEach
    void start() throws IOException {
        server = serve(0);
        spool = Spool.open(temporary.resolve("spool"), 1 << 20, said::add);
    }

    @AfterEach
    void stop() {
        uploaders.forEach(Uploader::close);
        server.stop(0);
        spool.close();
    }

    private HttpServer serve(int port) throws IOException {
        HttpServer made =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        made.createContext("/", this::handle);
        made.start();
        return made;
    }

    private void handle(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        received.add(
                new Received(
                        exchange.getRequestURI(),
                        Map.copyOf(exchange.getRequestHeaders()),
                        body.length,
                        Profiles.read(body)));
        Reply reply = replies.poll();
        if (reply == null) {
            String query = exchange.getRequestURI().getRawQuery();
            reply =
                    repliesTo.entrySet().stream()
                            .filter(each -> query.contains(each.getKey()))
                            .findFirst()
                            .map(Map.Entry::getValue)
                            .orElse(status(204, ""));
        }
        reply.to(exchange);
    }

    private static Reply status(int code, String text) {
        return exchange -> {
            byte[] bytes = text.getBytes(UTF_8);
            exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        };
    }

    private String address() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    private Uploader uploader() {
        return uploader(Optional.empty(), Duration.ofSeconds(30));
    }

    private Uploader uploader(Optional<Path> token, Duration timeout) {
        Uploader made =
                new Uploader(
                        spool,
                        new Ingest(address(), token, Optional.empty(), timeout),
                        new Backoff(new Random(1)),
                        said::add);
        uploaders.add(made);
        return made;
    }

    @Test
    void theRequestSaysAllThatTheServerNeeds() throws Exception {
        TreeMap<String, String> labels = new TreeMap<>(Map.of("zone", "a&b", "näme", "x:y z"));
        Execution execution = new Execution("shop+1", "1.2 rc", "a/b", labels);
        Entry entry =
                new Entry(
                        "id-1",
                        execution,
                        Instant.ofEpochMilli(1234),
                        Instant.ofEpochMilli(61234),
                        "s",
                        "p");
        spool.append(entry, Profiles.of(42));
        Path token = Files.writeString(temporary.resolve("token"), "secret\n");
        assertThat(uploader(Optional.of(token), Duration.ofSeconds(30)).uploadOne()).isZero();
        Received request = received.getFirst();
        assertThat(request.uri.getPath()).isEqualTo("/api/v1/profiles");
        assertThat(request.uri.getRawQuery())
                .isEqualTo(
                        "app=shop%2B1&version=1.2%20rc&instance=a%2Fb&label=n%C3%A4me%3Ax%3Ay%20z"
                                + "&label=zone%3Aa%26b&from=1234&until=61234");
        assertThat(request.header("Heatline-upload-id")).isEqualTo("id-1");
        assertThat(request.header("Content-type")).isEqualTo("application/vnd.heatline.heat");
        assertThat(request.header("Authorization")).isEqualTo("Bearer secret");
        assertThat(request.header("Content-length")).isEqualTo("" + request.bodyBytes);
        assertThat(request.profile).isEqualTo(Profiles.of(42));
        assertThat(spool.counts().entries()).isZero();
        assertThat(said).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 413, 415, 422})
    void whatTheServerWillNeverTakeIsSetAsideAndTheNextTellsIt(int code) throws Exception {
        spool.append(Profiles.entry("a", "1"), Profiles.of(5));
        spool.append(Profiles.entry("a", "2"), Profiles.of(6));
        replies.add(status(code, "not\nthis \u001b[31mone"));
        Uploader uploader = uploader();
        assertThat(uploader.uploadOne()).isZero();
        assertThat(said)
                .singleElement()
                .asString()
                .contains("status " + code, "not this [31mone", "refused.heat")
                .doesNotContain("\n", "\u001b");
        assertThat(uploader.uploadOne()).isZero();
        assertThat(spool.counts().entries()).isZero();
        assertThat(spool.counts().setAside()).isEqualTo(1);
        spool.append(Profiles.entry("a", "3"), Profiles.of(7));
        uploader.uploadOne();
        Profile third = received.getLast().profile;
        assertThat(third.provenance().count(Provenance.DROPPED_SAMPLES)).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403})
    void aWrongTokenIsSaidOnceAndTheNextTokenIsUsed(int code) throws Exception {
        Path token = Files.writeString(temporary.resolve("token"), "old");
        spool.append(Profiles.entry("a", "1"), Profiles.of(5));
        Uploader uploader = uploader(Optional.of(token), Duration.ofSeconds(30));
        for (int i = 0; i < 3; i++) {
            replies.add(status(code, ""));
            assertThat(uploader.uploadOne()).isPositive();
        }
        String wrong =
                code == 401 ? "does not know the token in " : "takes no uploads with the token in ";
        assertThat(said)
                .singleElement()
                .asString()
                .startsWith(address() + " " + wrong + token + " (status " + code + ")")
                .contains("; give another with --token-file");
        assertThat(spool.counts().entries()).isEqualTo(1);
        Files.writeString(token, "new");
        assertThat(uploader.uploadOne()).isZero();
        assertThat(received.getLast().header("Authorization")).isEqualTo("Bearer new");
        assertThat(said).hasSize(2).last().asString().contains("takes profiles again");
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403})
    void aMissingTokenIsAskedFor(int code) throws Exception {
        spool.append(Profiles.entry("a", "1"), Profiles.of(5));
        replies.add(status(code, ""));
        uploader().uploadOne();
        assertThat(said)
                .singleElement()
                .asString()
                .contains("wants a token for uploads", "; give one with --token-file");
    }

    @Test
    void aTokenThatCannotBeReadAnyMoreIsAReasonToWait() throws Exception {
        Path token = Files.writeString(temporary.resolve("token"), "secret");
        spool.append(Profiles.entry("a", "1"), Profiles.of(5));
        Uploader uploader = uploader(Optional.of(token), Duration.ofSeconds(30));
        Files.delete(token);
        assertThat(uploader.uploadOne()).isPositive();
        assertThat(said)
                .containsExactly(
                        token + ": cannot be read: no such file; profiles are kept meanwhile");
        Files.writeString(token, "secret");
        assertThat(uploader.uploadOne()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 404, 408, 500, 502, 503})
    void whatMayPassIsTriedAgainWithTheSameId(int code) throws Exception {
        spool.append(Profiles.entry("the-id", "a", "1"), Profiles.of(5));
        Uploader uploader = uploader();
        for (int i = 0; i < 3; i++) {
            replies.add(status(code, "busy"));
            assertThat(uploader.uploadOne()).isPositive();
        }
        assertThat(uploader.uploadOne()).isZero();
        assertThat(received)
                .hasSize(4)
                .allMatch(request -> request.header("Heatline-upload-id").equals("the-id"));
        assertThat(said).hasSize(2);
        assertThat(spool.counts().entries()).isZero();
    }

    @Test
    void aServerThatAsksForTimeGetsIt() throws Exception {
        spool.append(Profiles.entry("a", "1"), Profiles.of(5));
        for (String seconds : List.of("30", "99999", "soon")) {
            replies.add(
                    exchange -> {
                        exchange.getResponseHeaders().set("Retry-After", seconds);
                        status(503, "").to(exchange);
                    });
        }
        Uploader uploader = uploader();
        assertThat(uploader.uploadOne()).isEqualTo(Duration.ofSeconds(30));
        assertThat(uploader.uploadOne()).isEqualTo(Duration.ofSeconds(60));
        assertThat(uploader.uploadOne()).isPositive().isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void anAnswerThatGetsLostIsAskedForAgain() throws Exception {
        spool.append(Profiles.entry("a", "1"), Profiles.of(5));
        replies.add(HttpExchange::close);
        Uploader uploader = uploader();
        assertThat(uploader.uploadOne()).isPositive();
        assertThat(uploader.uploadOne()).isZero();
        assertThat(spool.counts().entries()).isZero();
    }

    @Test
    void aServerThatNeverAnswersIsGivenUp() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        spool.append(Profiles.entry("a", "1"), Profiles.of(5));
        replies.add(
                exchange -> {
                    try {
                        end.await();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                    exchange.close();
                });
        Uploader uploader = uploader(Optional.empty(), Duration.ofMillis(200));
        assertThat(uploader.uploadOne()).isPositive();
        end.countDown();
        assertThat(said).singleElement().asString().contains("does not answer");
        assertThat(spool.counts().entries()).isEqualTo(1);
    }

    @Test
    void everythingArrivesOnceTheServerIsBack() throws Exception {
        int port = server.getAddress().getPort();
        for (int i = 0; i < 20; i++) {
            spool.append(Profiles.entry("a", "" + i), Profiles.of(i));
        }
        Uploader uploader = uploader();
        server.stop(0);
        for (int i = 0; i < 4; i++) {
            assertThat(uploader.uploadOne()).isPositive();
        }
        assertThat(said).singleElement().asString().contains("connection refused");
        Thread thread = Thread.ofPlatform().start(uploader::run);
        server = serve(port);
        while (spool.counts().entries() > 0) {
            assertThat(thread.isAlive()).isTrue();
            TimeUnit.MILLISECONDS.sleep(5);
        }
        uploader.close();
        thread.join();
        assertThat(received.stream().mapToLong(it -> Profiles.samples(it.profile)))
                .containsExactlyElementsOf(LongStream.range(0, 20).boxed().toList());
    }

    @Test
    void closingEndsAnUploadUnderWayAndKeepsItsProfile() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        spool.append(Profiles.entry("a", "1"), Profiles.of(5));
        replies.add(
                exchange -> {
                    arrived.countDown();
                    try {
                        end.await();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                    exchange.close();
                });
        Uploader uploader = uploader();
        Thread thread = Thread.ofPlatform().start(uploader::run);
        arrived.await();
        uploader.close();
        thread.join();
        end.countDown();
        assertThat(spool.counts().entries()).isEqualTo(1);
        assertThat(uploader.uploadOne()).as("closed").isZero();
        assertThat(said).isEmpty();
    }

    @Test
    void aProfileTheServerFailsAtDoesNotBlockTheOthersAndComesBack() throws Exception {
        for (int i = 1; i <= 3; i++) {
            spool.append(Profiles.entry("id-" + i, "a", "" + i), Profiles.of(i));
        }
        Uploader uploader = uploader();
        for (int i = 0; i < 3; i++) {
            replies.add(status(500, "bug"));
            assertThat(uploader.uploadOne()).isPositive();
        }
        assertThat(uploader.uploadOne()).isZero();
        assertThat(uploader.uploadOne()).isZero();
        assertThat(spool.counts().entries()).isEqualTo(1);
        replies.add(status(500, "bug"));
        assertThat(uploader.uploadOne()).isPositive();
        assertThat(uploader.uploadOne()).isZero();
        assertThat(received.stream().map(it -> it.header("Heatline-upload-id")))
                .containsExactly("id-1", "id-1", "id-1", "id-2", "id-3", "id-1", "id-1");
        assertThat(spool.counts()).isEqualTo(new Spool.Counts(0, 0, Loss.NONE, 0));
    }

    /** Such as one application too many, for which it says to come again in a minute. */
    @ParameterizedTest
    @ValueSource(ints = {409, 429})
    void whatTheServerDoesNotTakeYetKeepsNoOthersAndIsTakenLater(int code) throws Exception {
        repliesTo.put(
                "app=late",
                exchange -> {
                    exchange.getResponseHeaders().set("Retry-After", "1");
                    status(code, "not yet").to(exchange);
                });
        append("late-1", "late");
        append("shop-1", "shop");
        append("late-2", "late");
        append("shop-2", "shop");
        Uploader uploader = uploader();
        Thread thread = Thread.ofPlatform().start(uploader::run);
        awaitEntries(2);
        append("shop-3", "shop");
        awaitEntries(2);
        assertThat(ids()).containsSubsequence("late-1", "shop-1", "late-2", "shop-2", "shop-3");
        assertThat(said)
                .singleElement()
                .asString()
                .contains("the profile of late", "postponed", "status " + code, "not yet");
        int before = received.size();
        Target.await("another try", () -> ids().stream().skip(before).findFirst());
        repliesTo.clear();
        awaitEntries(0);
        uploader.close();
        thread.join();
        assertThat(ids().subList(received.size() - 2, received.size()))
                .containsExactlyInAnyOrder("late-1", "late-2");
        assertThat(said).hasSize(2).last().isEqualTo("no profile is postponed any more");
        assertThat(spool.counts()).isEqualTo(new Spool.Counts(0, 0, Loss.NONE, 0));
    }

    @Test
    void whatTheServerDoesNotTakeYetIsLeftAloneAsLongAsItAsksFor() throws Exception {
        append("late-1", "late");
        replies.add(
                exchange -> {
                    exchange.getResponseHeaders().set("Retry-After", "60");
                    status(429, "").to(exchange);
                });
        Uploader uploader = uploader();
        uploader.uploadOne();
        for (int i = 0; i < 10; i++) {
            assertThat(uploader.uploadOne()).isPositive();
        }
        assertThat(ids()).containsExactly("late-1");
        append("shop-1", "shop");
        assertThat(uploader.uploadOne()).as("others come at once").isZero();
        assertThat(ids()).containsExactly("late-1", "shop-1");
    }

    @Test
    void finishingSendsTheOthersToo() throws Exception {
        repliesTo.put("app=late", status(429, "not yet"));
        append("late-1", "late");
        append("late-2", "late");
        append("shop-1", "shop");
        Uploader uploader = uploader();
        uploader.finish();
        uploader.run();
        assertThat(ids()).contains("shop-1");
        assertThat(spool.counts().entries()).isEqualTo(2);
    }

    private void append(String id, String application) {
        Entry entry = Profiles.entry(id, application, id);
        Execution execution = new Execution(application, "1", "a");
        spool.append(
                new Entry(id, execution, entry.from(), entry.until(), application, id),
                Profiles.of(1));
    }

    private List<String> ids() {
        return received.stream().map(it -> it.header("Heatline-upload-id")).toList();
    }

    private void awaitEntries(int wanted) {
        Target.await(
                wanted + " entries",
                () -> Optional.of(spool.counts().entries()).filter(it -> it == wanted));
    }

    @Test
    void finishingSendsWhatWasAppendedLast() throws Exception {
        Uploader uploader = uploader();
        Thread thread = Thread.ofPlatform().start(uploader::run);
        for (int i = 0; i < 5; i++) {
            spool.append(Profiles.entry("a", "" + i), Profiles.of(i));
        }
        uploader.finish();
        thread.join();
        assertThat(received).hasSize(5);
        assertThat(spool.counts().entries()).isZero();
    }

    @Test
    void finishingDoesNotWaitForAServerInTrouble() throws Exception {
        spool.append(Profiles.entry("a", "1"), Profiles.of(1));
        server.stop(0);
        Uploader uploader = uploader();
        uploader.finish();
        uploader.run();
        assertThat(spool.counts().entries()).isEqualTo(1);
    }

    @Test
    void waitsGrowToTenSecondsAndStartAnewAfterASuccess() {
        Backoff backoff = new Backoff(new Random(7));
        for (int round = 0; round < 2; round++) {
            assertThat(backoff.failed()).isBetween(Duration.ofMillis(100), Duration.ofMillis(200));
            for (int i = 0; i < 20; i++) {
                backoff.failed();
            }
            assertThat(backoff.failed()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10));
            backoff.succeeded();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "localhost:4040", "ftp://host", "http://", "http://h/?a=b", "a b"})
    void wrongAddressesAreSaid(String address) {
        assertThatThrownBy(() -> new Ingest(address, Optional.empty(), Optional.empty()))
                .isInstanceOf(SpoolException.class)
                .hasMessageContaining("http://localhost:4040");
    }
}
