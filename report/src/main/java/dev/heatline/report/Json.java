package dev.heatline.report;

import java.io.IOException;
import java.io.Writer;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/** Streams one JSON object to a writer. */
final class Json {
    private static final JsonFactory FACTORY =
            JsonFactory.builder()
                    .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
                    .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
                    .build();

    private Json() {}

    /** Writes an object with these properties, and a line end. */
    static void object(Writer out, Consumer<JsonGenerator> properties) throws IOException {
        object(EscapingWriter.plain(out), properties);
    }

    /** As above, with more characters escaped. */
    static void object(EscapingWriter out, Consumer<JsonGenerator> properties) throws IOException {
        try (JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
            generator.writeStartObject();
            properties.accept(generator);
            generator.writeEndObject();
            generator.writeRaw('\n');
        } catch (JacksonIOException e) {
            throw e.getCause();
        }
        out.flush();
    }
}
