package dev.heatline.server.query;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Reads JSON into maps, lists, strings, numbers (as double) and booleans. */
final class JsonText {
    private JsonText() {}

    static Map<String, Object> object(String text) {
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
            parser.nextToken();
            return object(value(parser));
        }
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(@Nullable Object value) {
        if (value == null) {
            throw new AssertionError("no object");
        }
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    static List<Map<String, Object>> objects(@Nullable Object value) {
        if (value == null) {
            throw new AssertionError("no array");
        }
        return (List<Map<String, Object>>) value;
    }

    static double number(Map<String, Object> object, String name) {
        if (object.get(name) instanceof Double number) {
            return number;
        }
        throw new AssertionError("no number " + name + " in " + object);
    }

    static List<?> list(Map<String, Object> object, String name) {
        if (object.get(name) instanceof List<?> list) {
            return list;
        }
        throw new AssertionError("no array " + name + " in " + object);
    }

    private static @Nullable Object value(JsonParser parser) {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, @Nullable Object> object = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    object.put(name, value(parser));
                }
                yield object;
            }
            case START_ARRAY -> {
                List<@Nullable Object> array = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    array.add(value(parser));
                }
                yield array;
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> parser.getString();
        };
    }
}
