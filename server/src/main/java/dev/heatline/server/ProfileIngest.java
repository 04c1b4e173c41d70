package dev.heatline.server;

import io.helidon.common.uri.UriQuery;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * {@code POST /api/v1/profiles}: a profile of any known format. The query says what it is of, as
 * far as the profile does not.
 */
final class ProfileIngest implements Handler {
    private final Bodies bodies;
    private final Intake intake;

    ProfileIngest(Bodies bodies, Intake intake) {
        this.bodies = bodies;
        this.intake = intake;
    }

    @Override
    public void handle(ServerRequest request, ServerResponse response) {
        Claim claim = claim(request.query());
        try (Bodies.Body body = bodies.read(request)) {
            byte[] content = body.bytes();
            String id = UploadId.of(request, claim, content);
            Intake.Stored stored =
                    intake.take(
                            id,
                            claim,
                            Content.format(content),
                            content.length,
                            options -> Content.read(Content.UPLOAD, content, options));
            answer(response, stored);
        }
    }

    private static void answer(ServerResponse response, Intake.Stored stored) {
        Answer.json(
                response,
                stored.isNew() ? 201 : 200,
                json -> {
                    json.writeStartObject();
                    json.writeStringProperty("id", stored.id());
                    json.writeStringProperty("application", stored.execution().application());
                    json.writeStringProperty("version", stored.execution().version());
                    json.writeStringProperty("instance", stored.execution().instance());
                    json.writeNumberProperty("samples", stored.samples());
                    json.writeNumberProperty("nodes", stored.nodes());
                    json.writeBooleanProperty("repeat", !stored.isNew());
                    json.writeEndObject();
                });
    }

    private static Claim claim(UriQuery query) {
        SortedMap<String, String> labels = new TreeMap<>();
        if (query.contains("label")) {
            for (String label : query.all("label")) {
                int colon = label.indexOf(':');
                if (colon <= 0) {
                    throw new Refusal(400, "a label is written label=NAME:VALUE");
                }
                labels.put(label.substring(0, colon), label.substring(colon + 1));
            }
        }
        return new Claim(
                Query.text(query, "app"),
                Query.text(query, "version"),
                Query.text(query, "instance"),
                labels,
                millis(query, "from"),
                millis(query, "until"));
    }

    private static Optional<Instant> millis(UriQuery query, String name) {
        return Query.number(query, name).map(Instant::ofEpochMilli);
    }
}
