package dev.heatline.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.http.ServerResponse;
import java.io.StringWriter;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** How answers look: small JSON on one line, with the headers that keep browsers safe. */
final class Answer {
    static final String JSON = "application/json";

    private static final JsonFactory FACTORY = new JsonFactory();

    /** On every answer, whoever makes it. */
    static final List<Header> SAFETY =
            List.of(
                    HeaderValues.create("X-Content-Type-Options", "nosniff"),
                    HeaderValues.create(
                            "Content-Security-Policy",
                            "default-src 'self'; frame-ancestors 'none'"),
                    HeaderValues.create("Referrer-Policy", "no-referrer"),
                    HeaderValues.create("Cross-Origin-Resource-Policy", "same-origin"));

    private Answer() {}

    /** What is to be written. */
    interface Content {
        void writeTo(JsonGenerator json);
    }

    static void json(ServerResponse response, int status, Content content) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
            content.writeTo(json);
        }
        text(response, status, JSON, text.append('\n').toString());
    }

    static void text(ServerResponse response, int status, String type, String text) {
        response.status(status);
        response.header(HeaderNames.CONTENT_TYPE, type);
        response.send(text.getBytes(UTF_8));
    }

    static void refuse(ServerResponse response, Refusal refusal) {
        if (refusal.retryAfterSeconds() > 0) {
            response.header(HeaderNames.RETRY_AFTER, Integer.toString(refusal.retryAfterSeconds()));
        }
        if (refusal.status() == 401) {
            response.header(HeaderNames.WWW_AUTHENTICATE, "Bearer");
        }
        json(response, refusal.status(), json -> error(json, refusal.reason()));
    }

    /** The one line of every refusal, for answers that are made elsewhere. */
    static byte[] error(String message) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
            error(json, message);
        }
        return text.append('\n').toString().getBytes(UTF_8);
    }

    private static void error(JsonGenerator json, String message) {
        json.writeStartObject();
        json.writeStringProperty("error", message);
        json.writeEndObject();
    }
}
