package dev.heatline.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heatline.store.RocksStore;
import dev.heatline.store.StoreOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecurityTest {
    private static final String READ = "0123456789abcdef-read";
    private static final String INGEST = "0123456789abcdef-ingest";
    private static final String MEASURE = "0123456789abcdef-measure";
    private static final String ADMIN = "0123456789abcdef-admin";
    private static final String STACKS = "main;A 1\n";

    @TempDir private Path directory;

    @ParameterizedTest
    @CsvSource({
        "0123456789abcdef-read, 200, 403, 403, 403, 403, 403, 403",
        "0123456789abcdef-ingest, 403, 201, 200, 422, 403, 200, 403",
        "0123456789abcdef-measure, 200, 403, 403, 403, 403, 403, 404",
        "0123456789abcdef-admin, 200, 201, 200, 422, 404, 200, 404",
        "0123456789abcdef-wrong, 401, 401, 401, 401, 401, 401, 401"
    })
    void aTokenIsForOneThing(
            String token,
            int metrics,
            int profiles,
            int pyroscope,
            int otlp,
            int change,
            int follow,
            int measure) {
        String[] bearer = {"Authorization", "Bearer " + token};
        try (Running running = guarded()) {
            assertThat(running.get("/metrics", bearer).statusCode()).isEqualTo(metrics);
            assertThat(
                            running.post("/api/v1/profiles?app=a" + Running.TIMES, STACKS, bearer)
                                    .statusCode())
                    .isEqualTo(profiles);
            assertThat(
                            running.post(
                                            "/ingest?name=a&from=1700000000&until=1700000010",
                                            STACKS,
                                            bearer)
                                    .statusCode())
                    .isEqualTo(pyroscope);
            assertThat(
                            running.post(
                                            "/v1development/profiles",
                                            STACKS,
                                            "Authorization",
                                            "Bearer " + token,
                                            "Content-Type",
                                            "application/x-protobuf")
                                    .statusCode())
                    .isEqualTo(otlp);
            assertThat(running.delete("/api/v1/profiles?app=nobody", bearer).statusCode())
                    .isEqualTo(change);
            assertThat(running.post("/api/v1/collectors", "jvm x", bearer).statusCode())
                    .isEqualTo(follow);
            assertThat(
                            running.post("/api/v1/measurements?jvm=y&root=A::b", "", bearer)
                                    .statusCode())
                    .isEqualTo(measure);
            assertThat(running.delete("/api/v1/measurements?id=y", bearer).statusCode())
                    .isEqualTo(measure);
        }
    }

    @Test
    void aTokenMayBeAPassword() {
        try (Running running = guarded()) {
            String pair = "anybody:" + READ;
            String basic =
                    Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
            assertThat(running.get("/metrics", "Authorization", "Basic " + basic).statusCode())
                    .isEqualTo(200);
            for (String wrong : List.of("Basic !", "Basic", "Bearer", "Digest x", "Bearer  ")) {
                HttpResponse<String> answer = running.get("/metrics", "Authorization", wrong);
                assertThat(answer.statusCode()).as(wrong).isEqualTo(401);
                assertThat(answer.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
            }
            assertThat(running.get("/metrics").statusCode()).isEqualTo(401);
            assertThat(running.get("/ready").statusCode()).isEqualTo(200);
            assertThat(running.get("/openapi").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void everyAnswerKeepsBrowsersSafe() {
        try (Running running = new Running(directory)) {
            for (String path : List.of("/ready", "/metrics", "/nothing", "/api/v1/../../x")) {
                HttpResponse<String> answer = running.get(path);
                assertThat(answer.headers().firstValue("X-Content-Type-Options"))
                        .as(path)
                        .hasValue("nosniff");
                assertThat(answer.headers().firstValue("Content-Security-Policy").orElse(""))
                        .as(path)
                        .startsWith("default-src 'self'");
            }
            assertThat(running.get("/metrics").headers().firstValue("Cache-Control"))
                    .hasValue("no-store");
        }
    }

    @Test
    void aPageOfAnotherOriginMayNotAsk() {
        try (Running running = new Running(directory)) {
            String own = running.address().toString();
            assertThat(running.get("/metrics", "Origin", "http://evil.example").statusCode())
                    .isEqualTo(403);
            assertThat(running.get("/metrics", "Origin", "null").statusCode()).isEqualTo(403);
            assertThat(running.get("/metrics", "Sec-Fetch-Site", "cross-site").statusCode())
                    .isEqualTo(403);
            assertThat(running.get("/metrics", "Origin", own).statusCode()).isEqualTo(200);
            assertThat(
                            running.get(
                                            "/metrics",
                                            "Sec-Fetch-Site",
                                            "cross-site",
                                            "Sec-Fetch-Mode",
                                            "navigate")
                                    .statusCode())
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, 200",
        "LOCALHOST:4040, 200",
        "127.0.0.1:80, 200",
        "[::1]:4040, 200",
        "evil.example, 421",
        "localhost.evil.example, 421",
        "127.0.0.1.evil.example, 421"
    })
    void aNameThatOnlyResolvesToHereIsRefused(String host, int status) throws IOException {
        try (Running running = new Running(directory);
                Socket socket =
                        new Socket(InetAddress.getLoopbackAddress(), running.address().getPort())) {
            String request = "GET /ready HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();

            String answer =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 " + status);
        }
    }

    @Test
    void beyondThisMachineTokensAreNeeded() {
        ListenAddress everywhere = new ListenAddress("0.0.0.0", 0);
        assertThatThrownBy(() -> new Running(directory, _ -> ServerOptions.on(everywhere)).close())
                .isInstanceOf(ServerException.class)
                .hasMessageContaining("--token-file");
        try (Running running =
                new Running(directory, _ -> ServerOptions.on(everywhere).withInsecure(true))) {
            assertThat(running.get("/ready").statusCode()).isEqualTo(200);
        }
        try (Running running =
                new Running(
                        directory, _ -> ServerOptions.on(everywhere).withTokenFile(tokenFile()))) {
            assertThat(running.get("/metrics").statusCode()).isEqualTo(401);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"write 0123456789abcdef\n", "read short\n", "# nothing\n", "read\n"})
    void aWrongTokenFileIsRefused(String content) throws IOException {
        Path file = directory.resolve("tokens");
        Files.writeString(file, content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));

        assertThatThrownBy(() -> Tokens.read(file))
                .isInstanceOf(ServerException.class)
                .hasMessageStartingWith(file.toString())
                .hasMessageNotContaining("0123456789abcdef");
    }

    @Test
    void aTokenFileThatEverybodyReadsIsRefused() throws IOException {
        Path file = tokenFile();
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

        assertThatThrownBy(() -> Tokens.read(file))
                .isInstanceOf(ServerException.class)
                .hasMessageContaining("chmod 600");
        assertThatThrownBy(() -> Tokens.read(directory.resolve("none")))
                .isInstanceOf(ServerException.class)
                .hasMessageContaining("no such file");
    }

    @Test
    void aSecretOfAContainerMayBeReadThere() throws IOException {
        Path file = tokenFile();
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
        assertThat(Tokens.read(file, directory).holder("Bearer " + READ)).isPresent();
        assertThatThrownBy(() -> Tokens.read(file, directory.resolve("elsewhere")))
                .isInstanceOf(ServerException.class);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> Tokens.read(file, directory)).isInstanceOf(ServerException.class);
    }

    @Test
    void aServerThatCannotStartLetsGoOfItsStore() {
        try (Running running = new Running(directory.resolve("one"))) {
            ListenAddress taken = new ListenAddress("127.0.0.1", running.address().getPort());
            Path data = directory.resolve("two");
            RocksStore store = RocksStore.open(data, StoreOptions.DEFAULT);

            assertThatThrownBy(() -> Server.start(store, ServerOptions.on(taken)).close())
                    .isInstanceOf(ServerException.class)
                    .hasMessageContaining("cannot listen on " + taken);
            RocksStore.open(data, StoreOptions.DEFAULT).close();
        }
    }

    private Running guarded() {
        return new Running(
                directory.resolve("store"), options -> options.withTokenFile(tokenFile()));
    }

    private Path tokenFile() {
        Path file = directory.resolve("tokens");
        try {
            Files.writeString(
                    file,
                    "# who may do what\n\nread "
                            + READ
                            + "\ningest "
                            + INGEST
                            + "\nmeasure "
                            + MEASURE
                            + "\nadmin "
                            + ADMIN);
            return Files.setPosixFilePermissions(
                    file, PosixFilePermissions.fromString("rw-------"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
