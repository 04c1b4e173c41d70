package dev.heatline.formats.jfr;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The classes that the events of one type are about, for those who ask for them: a stack and a
 * class together get a number, by which events are summed as otherwise by their stack. This costs a
 * look-up of objects per event, which is why nobody pays for it unasked.
 */
final class Subjects {

    /** Fields that tell what was allocated, locked, waited or parked for. */
    private static final List<String> FIELDS =
            List.of("objectClass", "monitorClass", "parkedClass");

    private record Subject(long stack, long type) {}

    private final Map<Subject, Integer> numbers = new HashMap<>();
    private final List<Subject> subjects = new ArrayList<>();

    /** The field of an event type that holds such a class; empty if there is none. */
    static String field(Metadata metadata, Metadata.Type event) {
        for (String name : FIELDS) {
            Metadata.Field field = event.field(name);
            if (field != null
                    && field.pooled()
                    && metadata.type(field.type()).name().equals("java.lang.Class")) {
                return name;
            }
        }
        return "";
    }

    /** The number of a stack with a class. */
    long number(long stack, long type) {
        Subject subject = new Subject(stack, type);
        Integer known = numbers.putIfAbsent(subject, subjects.size());
        if (known == null) {
            subjects.add(subject);
            return subjects.size() - 1L;
        }
        return known;
    }

    long stack(long number) {
        return subjects.get((int) number).stack;
    }

    /** The id of the class; 0 if the event was about none. */
    long type(long number) {
        return subjects.get((int) number).type;
    }

    void clear() {
        numbers.clear();
        subjects.clear();
    }
}
