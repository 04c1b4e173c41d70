package dev.heatline.formats.jfr;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a chunk says about the layout of its own events and constants. */
final class Metadata {
    static final String STRING = "java.lang.String";

    /** The type id of metadata events. */
    static final int EVENT_TYPE = 0;

    private static final String EVENT_SUPER_TYPE = "jdk.jfr.Event";

    private final boolean compressed;
    private final Map<PlanKey, Plan> plans = new HashMap<>();
    private final Map<Long, Type> types = new HashMap<>();
    private final Map<String, Type> byName = new HashMap<>();

    /**
     * A class of the recording.
     *
     * @param fields in the order in which they are written
     */
    record Type(long id, String name, boolean isEvent, List<Field> fields) {

        @Nullable Field field(String wanted) {
            for (Field field : fields) {
                if (field.name().equals(wanted)) {
                    return field;
                }
            }
            return null;
        }
    }

    /**
     * A field of such a class.
     *
     * @param type the id of its type, or of its elements' type
     * @param pooled whether an id into the type's constant pool is written instead of a value
     * @param array whether any number of values is written, their count in front
     * @param annotations the value of each annotation, by the id of the annotation's type
     */
    record Field(
            String name, long type, boolean pooled, boolean array, Map<Long, String> annotations) {}

    /**
     * Reads a metadata event: a table of strings and a tree of elements that refer to it.
     *
     * @param in stands behind the event's header
     */
    Metadata(Cursor in) {
        compressed = in.compressed;
        String[] strings = new String[in.readCount()];
        for (int i = 0; i < strings.length; i++) {
            byte encoding = in.readByte();
            strings[i] =
                    switch (encoding) {
                        case Text.NULL, Text.EMPTY -> "";
                        case Text.UTF_8, Text.CHARS, Text.LATIN_1 -> in.readText(encoding);
                        default -> throw new Damage("has metadata text of encoding " + encoding);
                    };
        }
        collectTypes(new MetadataElements(in, strings).root());
    }

    private void collectTypes(MetadataElements.Element element) {
        if (element.name().equals("class")) {
            Type type = type(element);
            types.put(type.id(), type);
            byName.putIfAbsent(type.name(), type);
        } else {
            element.children().forEach(this::collectTypes);
        }
    }

    private static Type type(MetadataElements.Element element) {
        List<Field> fields = new ArrayList<>();
        for (MetadataElements.Element child : element.children()) {
            if (child.name().equals("field")) {
                fields.add(field(child));
            }
        }
        return new Type(
                element.number("id"),
                element.text("name"),
                element.text("superType").equals(EVENT_SUPER_TYPE),
                fields);
    }

    private static Field field(MetadataElements.Element element) {
        Map<Long, String> annotations = new HashMap<>();
        for (MetadataElements.Element child : element.children()) {
            if (child.name().equals("annotation")) {
                annotations.put(child.number("class"), child.text("value"));
            }
        }
        return new Field(
                element.text("name"),
                element.number("class"),
                element.text("constantPool").equals("true"),
                element.text("dimension").equals("1"),
                annotations);
    }

    private record PlanKey(long type, boolean whole, List<String> wanted) {}

    /** Whether the integers of the chunk are. */
    boolean isCompressed() {
        return compressed;
    }

    /** The plan that reads the wanted fields of a value and ends where the value ends. */
    Plan plan(Type type, String... wanted) {
        return plans.computeIfAbsent(
                new PlanKey(type.id(), true, List.of(wanted)),
                key -> Plan.whole(this, type, key.wanted()));
    }

    /** The plan that reads the wanted fields of a value and stops with the last of them. */
    Plan planUpTo(Type type, List<String> wanted) {
        return plans.computeIfAbsent(
                new PlanKey(type.id(), false, List.copyOf(wanted)),
                key -> Plan.upToLastWanted(this, type, key.wanted()));
    }

    /** The type of this id. */
    Type type(long id) {
        Type type = types.get(id);
        if (type == null) {
            throw new Damage("uses type " + id + ", which its metadata does not describe");
        }
        return type;
    }

    @Nullable Type typeOrNull(long id) {
        return types.get(id);
    }

    @Nullable Type named(String name) {
        return byName.get(name);
    }

    /** The value of a field's annotation, such as {@code jdk.jfr.Timespan}; null without one. */
    @Nullable String annotation(Field field, String annotationType) {
        Type type = byName.get(annotationType);
        return type == null ? null : field.annotations().get(type.id());
    }

    /** Adds the names of all event types. */
    void addEventNames(Set<String> names) {
        for (Type type : types.values()) {
            if (type.isEvent()) {
                names.add(type.name());
            }
        }
    }

    /** Adds {@code NAME:field} for every field of an event that can be summed. */
    void addFieldNames(Set<String> names) {
        for (Type type : types.values()) {
            for (Field field : type.fields()) {
                if (type.isEvent() && Unit.isSummable(this, field)) {
                    names.add(type.name() + ":" + field.name());
                }
            }
        }
    }
}
