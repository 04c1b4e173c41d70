package dev.heatline.server.query;

import dev.heatline.formats.Formats;
import dev.heatline.formats.ReadOptions;
import dev.heatline.model.Execution;
import dev.heatline.model.Profile;
import dev.heatline.server.measure.Measurements;
import dev.heatline.store.RocksStore;
import dev.heatline.store.Store;
import dev.heatline.store.StoreOptions;
import dev.heatline.store.Upload;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http1.Http1Config;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** A server with a store in a directory, and what it takes to fill and ask it. */
final class QueryServer implements AutoCloseable {
    static final Instant START = Instant.parse("2026-11-15T10:00:00Z");
    static final Path EXAMPLES = Path.of("..", "examples");

    /** Every answer is up to date: a test does not wait for what happens in the background. */
    static final QueryOptions FRESH =
            new QueryOptions(
                    1L << 30, Duration.ZERO, Duration.ZERO, Duration.ZERO, InstantSource.system());

    private final HttpClient client = HttpClient.newHttpClient();
    private final Store store;
    private final Measurements measurements = new Measurements(InstantSource.system());
    private final QueryService service;
    private final WebServer server;
    private int uploads;

    private QueryServer(Store store, QueryOptions options, List<Path> sources) {
        this.store = store;
        try {
            this.service = new QueryService(store, options, Sources.of(sources), measurements);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        this.server =
                WebServer.builder()
                        .port(0)
                        .addProtocol(Http1Config.builder().maxPrologueLength(64 * 1024).build())
                        .shutdownHook(false)
                        .routing(routing -> routing.register("/api/v1", service))
                        .build()
                        .start();
    }

    static QueryServer start(Store store, QueryOptions options) {
        return new QueryServer(store, options, List.of());
    }

    /** As above, with folders and archives of sources. */
    static QueryServer start(Path directory, Path... sources) {
        return new QueryServer(
                RocksStore.open(directory, StoreOptions.DEFAULT), FRESH, List.of(sources));
    }

    static Profile example(String name) {
        return Formats.read(EXAMPLES.resolve(name), ReadOptions.DEFAULT);
    }

    Measurements measurements() {
        return measurements;
    }

    QueryService service() {
        return service;
    }

    Store store() {
        return store;
    }

    /** Uploads a profile as that of the next minute. */
    void upload(String application, String version, String instance, Profile profile) {
        upload(new Execution(application, version, instance), profile);
    }

    void upload(Execution execution, Profile profile) {
        Instant from = START.plus(Duration.ofMinutes(uploads++));
        store.add(new Upload("u" + uploads, execution, from, from.plusSeconds(60), profile));
    }

    /** The answer to a question, which must be good. */
    Map<String, Object> get(String pathAndQuery) {
        HttpResponse<byte[]> response = ask("GET", pathAndQuery);
        String body = new String(response.body(), StandardCharsets.UTF_8);
        if (response.statusCode() != 200) {
            throw new AssertionError(pathAndQuery + ": " + response.statusCode() + " " + body);
        }
        return JsonText.object(body);
    }

    HttpResponse<byte[]> ask(String method, String pathAndQuery) {
        try {
            return client.send(
                    HttpRequest.newBuilder(
                                    URI.create(
                                            "http://localhost:"
                                                    + server.port()
                                                    + "/api/v1"
                                                    + pathAndQuery))
                            .method(method, HttpRequest.BodyPublishers.noBody())
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Status and message of a question that cannot be answered. */
    String refusal(String pathAndQuery) {
        HttpResponse<byte[]> response = ask("GET", pathAndQuery);
        Map<String, Object> answer =
                JsonText.object(new String(response.body(), StandardCharsets.UTF_8));
        return response.statusCode() + " " + answer.get("error");
    }

    static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public void close() {
        server.stop();
        service.close();
        store.close();
    }
}
