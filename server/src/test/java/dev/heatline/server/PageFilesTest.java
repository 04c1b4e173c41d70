package dev.heatline.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The page as a browser gets it, from a server with tokens. */
class PageFilesTest {
    private static final String TOKEN = "0123456789abcdef-read";

    @TempDir private Path directory;
    private final HttpClient client = HttpClient.newHttpClient();
    private Running running;

    @BeforeEach
    void start() throws IOException {
        Path tokens = Files.writeString(directory.resolve("tokens"), "read " + TOKEN + "\n");
        Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-------"));
        running = new Running(directory.resolve("store"), options -> options.withTokenFile(tokens));
    }

    @AfterEach
    void stop() {
        client.close();
        running.close();
    }

    @ParameterizedTest
    @CsvSource({
        "/, text/html; charset=utf-8",
        "/page.js, text/javascript; charset=utf-8",
        "/page.css, text/css; charset=utf-8",
        "/flame.css, text/css; charset=utf-8",
        "/icon.svg, image/svg+xml"
    })
    void everyFileKeepsTheBrowserSafe(String path, String type) throws Exception {
        HttpResponse<byte[]> answer = get(path);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo(content(path));
        assertThat(answer.headers().allValues("Content-Type")).containsExactly(type);
        assertThat(answer.headers().allValues("Content-Security-Policy"))
                .containsExactly(
                        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
                                + " connect-src 'self'; base-uri 'none'; form-action 'self';"
                                + " frame-ancestors 'none'");
        assertThat(answer.headers().allValues("X-Content-Type-Options")).containsExactly("nosniff");
        assertThat(answer.headers().allValues("Referrer-Policy")).containsExactly("same-origin");
        assertThat(answer.headers().allValues("Cache-Control")).containsExactly("no-cache");
        assertThat(answer.headers().firstValue("Content-Encoding")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/page.js", "/page.css", "/flame.css", "/icon.svg"})
    void askingForTheHeadGetsTheSameWithoutTheContent(String path) throws Exception {
        HttpResponse<byte[]> whole = get(path);
        String head = head(path);
        assertThat(head).startsWith("HTTP/1.1 200 OK\r\n");
        assertThat(head.lines().map(line -> line.toLowerCase(Locale.ROOT)))
                .contains(
                        "content-length: " + content(path).length,
                        "content-type: " + header(whole, "Content-Type"),
                        "etag: " + header(whole, "ETag").toLowerCase(Locale.ROOT));
    }

    /** What comes back before the answer to the next question, which must follow at once. */
    private String head(String path) throws IOException {
        URI server = URI.create(running.address() + "/");
        String request =
                "HEAD " + path + " HTTP/1.1\r\nHost: " + server.getAuthority() + "\r\n\r\n";
        try (Socket socket = new Socket(server.getHost(), server.getPort())) {
            socket.getOutputStream().write((request + request).getBytes(UTF_8));
            InputStream in = socket.getInputStream();
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) in.read());
            }
            assertThat(new String(in.readNBytes(9), UTF_8)).isEqualTo("HTTP/1.1 ");
            return head.toString();
        }
    }

    private static String header(HttpResponse<byte[]> answer, String name) {
        return answer.headers().firstValue(name).orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "gzip, deflate, br, zstd", "br;q=1.0, gzip;q=0.8", "gzip;q=1"})
    void whoTakesItPackedGetsItPacked(String accepted) throws Exception {
        HttpResponse<byte[]> answer = get("/page.js", "Accept-Encoding", accepted);
        assertThat(answer.headers().allValues("Content-Encoding")).containsExactly("gzip");
        assertThat(answer.headers().allValues("Vary")).containsExactly("Accept-Encoding");
        assertThat(answer.body()).hasSizeLessThan(content("/page.js").length / 2);
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(answer.body()))) {
            assertThat(in.readAllBytes()).isEqualTo(content("/page.js"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip;q=0", "gzip;q=0.0, br", "br", "identity", "notgzip", ""})
    void whoDoesNotGetsItAsItIs(String accepted) throws Exception {
        HttpResponse<byte[]> answer = get("/page.js", "Accept-Encoding", accepted);
        assertThat(answer.headers().firstValue("Content-Encoding")).isEmpty();
        assertThat(answer.body()).isEqualTo(content("/page.js"));
    }

    @Test
    void whatTheBrowserHasIsNotSentAgain() throws Exception {
        String tag = get("/page.js").headers().firstValue("ETag").orElseThrow();
        assertThat(get("/page.js", "Accept-Encoding", "gzip").headers().firstValue("ETag"))
                .hasValue(tag);
        for (String known : new String[] {tag, "\"other\", " + tag}) {
            HttpResponse<byte[]> again = get("/page.js", "If-None-Match", known);
            assertThat(again.statusCode()).isEqualTo(304);
            assertThat(again.body()).isEmpty();
            assertThat(again.headers().firstValue("ETag")).hasValue(tag);
            assertThat(again.headers().firstValue("Cache-Control")).hasValue("no-cache");
        }
        assertThat(get("/page.js", "If-None-Match", "\"other\"").statusCode()).isEqualTo(200);
        assertThat(get("/page.css", "If-None-Match", tag).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/index.html",
                "/page.js/",
                "/page.js.map",
                "/page/page.js",
                "/..%2fpage.js",
                "/%2e%2e/%2e%2e/etc/passwd",
                "/flamegraph.js"
            })
    void thereIsNoOtherFile(String path) throws Exception {
        assertThat(get(path).statusCode()).isEqualTo(401);
        HttpResponse<byte[]> answer = get(path, "Authorization", "Bearer " + TOKEN);
        assertThat(answer.statusCode()).isIn(400, 404);
        assertThat(new String(answer.body(), UTF_8)).startsWith("{\"error\":");
    }

    @Test
    void thePageNeedsNoTokenButAllItAsksDoes() throws Exception {
        assertThat(get("/").statusCode()).isEqualTo(200);
        assertThat(get("/?view=methods&app=shop").statusCode()).isEqualTo(200);
        assertThat(get("/api/v1/applications").statusCode()).isEqualTo(401);
        assertThat(get("/api/v1/source?class=Main").statusCode()).isEqualTo(401);
        HttpResponse<byte[]> asked =
                get("/api/v1/applications", "Authorization", "Bearer " + TOKEN);
        assertThat(asked.statusCode()).isEqualTo(200);
        assertThat(asked.headers().firstValue("Cache-Control")).hasValue("no-store");
    }

    private HttpResponse<byte[]> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(running.address() + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    private static byte[] content(String path) throws IOException {
        String name = path.equals("/") ? "index.html" : path.substring(1);
        return Files.readAllBytes(Path.of("..", "web", "dist", "page", name));
    }
}
