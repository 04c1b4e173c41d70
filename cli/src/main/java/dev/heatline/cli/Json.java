package dev.heatline.cli;

import java.io.StringWriter;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Small answers as JSON, on one line. */
final class Json {

    private Json() {}

    /** What is to be written. */
    interface Content {
        void writeTo(JsonGenerator json);
    }

    static String text(Content content) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json =
                new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
            content.writeTo(json);
        }
        return text.append('\n').toString();
    }
}
