package dev.heatline.formats;

import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.FrameKind;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Site;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads speedscope JSON in two passes: frames and notes first, since they may stand after the
 * profiles that need them.
 */
final class SpeedscopeReader {
    private static final JsonFactory FACTORY = new JsonFactory();

    private final Source source;
    private final ReadOptions options;
    private final ProfileBuilder builder = new ProfileBuilder();

    /** Of each frame: its consumer's id in the upper half, its site in the lower one. */
    private final Longs frames = new Longs();

    private final List<String> noteLines = new ArrayList<>();
    private String resource = "";
    private int profiles;

    SpeedscopeReader(Source source, ReadOptions options) {
        this.source = source;
        this.options = options;
    }

    Profile read() {
        try (JsonParser json = parser()) {
            startObject(json, "the file");
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                shared(json);
            }
        }
        Notes notes = Notes.read(noteLines);
        if (notes != null) {
            builder.consumerLabel(notes.consumerLabel());
        }
        try (JsonParser json = parser()) {
            startObject(json, "the file");
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                if (json.currentName().equals("profiles")) {
                    array(json, "profiles");
                    while (json.nextToken() != JsonToken.END_ARRAY) {
                        profile(json, notes);
                    }
                } else {
                    json.nextToken();
                    json.skipChildren();
                }
            }
        }
        options.progress().accept(source.bytes().byteSize());
        return builder.build(notes == null ? Provenance.NONE : notes.provenance());
    }

    /** By characters, so that bytes that are not UTF-8 are replaced instead of refused. */
    private JsonParser parser() {
        return FACTORY.createParser(
                ObjectReadContext.empty(),
                new InputStreamReader(new SegmentStream(source.bytes()), StandardCharsets.UTF_8));
    }

    private void shared(JsonParser json) {
        switch (json.currentName()) {
            case SpeedscopeWriter.NOTES -> {
                array(json, SpeedscopeWriter.NOTES);
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    noteLines.add(text(json));
                }
            }
            case SpeedscopeWriter.RESOURCE -> {
                json.nextToken();
                resource = Escapes.unescape(text(json));
            }
            case "shared" -> {
                startObject(json, "shared");
                while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                    if (json.currentName().equals("frames")) {
                        array(json, "frames");
                        while (json.nextToken() != JsonToken.END_ARRAY) {
                            frame(json);
                        }
                    } else {
                        json.nextToken();
                        json.skipChildren();
                    }
                }
            }
            case "profiles" -> {
                array(json, "profiles");
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    profiles++;
                    json.skipChildren();
                }
            }
            default -> {
                json.nextToken();
                json.skipChildren();
            }
        }
    }

    private void frame(JsonParser json) {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw wrong(json, "a frame is not an object");
        }
        String name = "";
        String exact = null;
        FrameKind kind = FrameKind.UNKNOWN;
        int line = 0;
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String key = json.currentName();
            json.nextToken();
            switch (key) {
                case "name" -> name = text(json);
                case SpeedscopeWriter.CONSUMER -> exact = text(json);
                case SpeedscopeWriter.KIND -> kind = FrameKinds.labelled(text(json));
                case "line" -> line = (int) Math.clamp(json.getValueAsDouble(0), 0, Site.MAX_LINE);
                default -> json.skipChildren();
            }
        }
        Consumer consumer = SpeedscopeWriter.FRAME_TEXT.read(exact == null ? name : exact);
        frames.add((long) builder.consumer(consumer) << 32 | Site.of(line, kind));
    }

    private void profile(JsonParser json, @Nullable Notes notes) {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw wrong(json, "a profile is not an object");
        }
        SpeedscopeProfile profile = new SpeedscopeProfile(builder, frames);
        String name = "";
        String thread = null;
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String key = json.currentName();
            json.nextToken();
            switch (key) {
                case "name" -> name = text(json);
                case SpeedscopeWriter.THREAD -> thread = text(json);
                case "unit" -> profile.unit(text(json));
                case "samples" -> profile.samples(json, this);
                case "weights" -> profile.weights(json, this);
                case "events" -> profile.events(json, this);
                default -> json.skipChildren();
            }
        }
        int id = Column.NO_THREAD;
        if (thread != null) {
            id = builder.consumer(SpeedscopeWriter.THREAD_TEXT.read(thread));
        } else if (notes == null && profiles > 1) {
            id = builder.consumer(Consumer.thread("", name));
        }
        profile.finish(id, notes == null ? null : notes.resources().get(resource), this);
    }

    /** Moves to the value of a property, which must be an array. */
    void array(JsonParser json, String what) {
        if (json.currentToken() == JsonToken.PROPERTY_NAME) {
            json.nextToken();
        }
        if (json.currentToken() != JsonToken.START_ARRAY) {
            throw wrong(json, what + " is not an array");
        }
    }

    private void startObject(JsonParser json, String what) {
        if (json.nextToken() != JsonToken.START_OBJECT) {
            throw wrong(json, what + " is not an object");
        }
    }

    private String text(JsonParser json) {
        String text = json.getValueAsString();
        if (text == null || json.currentToken().isStructStart()) {
            throw wrong(json, "a text is expected");
        }
        return text;
    }

    FormatException wrong(JsonParser json, String what) {
        return wrong(what + " (line " + json.currentLocation().getLineNr() + ")");
    }

    FormatException wrong(String what) {
        return new FormatException(source.name() + ": " + what);
    }
}
