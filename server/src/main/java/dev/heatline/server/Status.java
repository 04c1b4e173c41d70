package dev.heatline.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.heatline.store.Store;
import dev.heatline.store.StoreException;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/** How the server is, for machines: {@code /ready}, {@code /metrics}, {@code /openapi}. */
final class Status {
    private static final System.Logger LOG = System.getLogger(Status.class.getName());
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
    private static final String OPENAPI = "openapi.json";

    private final Store store;
    private final KnownExecutions known;
    private final Intake intake;
    private final Metrics metrics;

    Status(Store store, KnownExecutions known, Intake intake, Metrics metrics) {
        this.store = store;
        this.known = known;
        this.intake = intake;
        this.metrics = metrics;
    }

    /** Whether the store answers; any question will do. */
    void ready(ServerRequest request, ServerResponse response) {
        try {
            store.tasks("");
        } catch (StoreException e) {
            // Everybody may ask this, so where the store is and what is wrong with it is not told.
            LOG.log(System.Logger.Level.WARNING, "not ready: {0}", e.getMessage());
            throw new Refusal(503, "the store does not answer; the server's log says why", 30);
        }
        Answer.json(
                response,
                200,
                json -> {
                    json.writeStartObject();
                    json.writeBooleanProperty("ready", true);
                    json.writeEndObject();
                });
    }

    void metrics(ServerRequest request, ServerResponse response) {
        Map<Metrics.Family, Map<String, Long>> gauges = new EnumMap<>(Metrics.Family.class);
        gauges.put(Metrics.Family.QUEUE, Map.of("", (long) intake.waiting()));
        gauges.put(Metrics.Family.APPLICATIONS, Map.of("", (long) known.applications()));
        gauges.put(Metrics.Family.EXECUTIONS, Map.of("", (long) known.executions()));
        Store.Usage usage = store.usage();
        gauges.put(Metrics.Family.STORE_BYTES, Map.of("", usage.bytes()));
        gauges.put(Metrics.Family.STORE_NODES, Map.of("", usage.nodes()));
        Map<String, Long> levels = new TreeMap<>();
        usage.profiles()
                .forEach((level, count) -> levels.put(Metrics.label("level", level), count));
        gauges.put(Metrics.Family.STORE_PROFILES, levels);
        Answer.text(response, 200, PROMETHEUS, metrics.text(gauges));
    }

    void openapi(ServerRequest request, ServerResponse response) {
        try (InputStream in = Status.class.getResourceAsStream(OPENAPI)) {
            if (in == null) {
                throw new Refusal(404, "this build has no description of its API");
            }
            Answer.text(response, 200, Answer.JSON, new String(in.readAllBytes(), UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
