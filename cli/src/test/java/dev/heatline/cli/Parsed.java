package dev.heatline.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * JSON as maps, lists and values.
 *
 * @param value a Map, List, String, Number or Boolean
 */
record Parsed(@Nullable Object value) {

    static Parsed of(String text) {
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
            parser.nextToken();
            Parsed parsed = new Parsed(read(parser));
            if (parser.nextToken() != null) {
                throw new AssertionError("more than one JSON value");
            }
            return parsed;
        }
    }

    private static @Nullable Object read(JsonParser parser) {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, @Nullable Object> object = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    object.put(name, read(parser));
                }
                yield object;
            }
            case START_ARRAY -> {
                List<@Nullable Object> array = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    array.add(read(parser));
                }
                yield array;
            }
            case VALUE_STRING -> parser.getString();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
            default -> null;
        };
    }

    /** What lies at {@code rows.0.path}. */
    Parsed at(String path) {
        Object found = value;
        for (String step : path.split("\\.", -1)) {
            found =
                    switch (found) {
                        case Map<?, ?> object when object.containsKey(step) -> object.get(step);
                        case List<?> list -> list.get(Integer.parseInt(step));
                        case null, default ->
                                throw new AssertionError("nothing at " + path + " in " + value);
                    };
        }
        return new Parsed(found);
    }

    double number() {
        return value instanceof Double number ? number : Double.NaN;
    }

    String text() {
        return String.valueOf(value);
    }

    List<?> list() {
        return value instanceof List<?> list ? list : List.of();
    }
}
