package dev.heatline.formats.jfr;

import dev.heatline.formats.FormatException;
import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.jfr.EventKind.Measure;
import dev.heatline.formats.jfr.EventKind.Origin;
import dev.heatline.formats.jfr.EventKind.Writer;
import dev.heatline.model.NearNames;
import dev.heatline.model.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The events that a user asks for besides the known ones: {@code NAME} counts an event and sums its
 * duration if it has one, {@code NAME:field} sums a field. Columns are named as they were asked
 * for.
 */
final class Requests {
    private static final String DURATION = "duration";

    private final List<Request> requests = new ArrayList<>();
    private final Predicate<String> wanted;
    private final boolean classes;
    private final boolean seconds;

    private record Request(String text, String event, @Nullable String field) {}

    /** What a reader of a file wants. */
    static Requests of(ReadOptions options) {
        return new Requests(options.events(), options.classes(), options.seconds(), _ -> true);
    }

    /** Some of the known events, and when they were. */
    static Requests live(Set<String> events) {
        return new Requests(List.of(), false, true, Set.copyOf(events)::contains);
    }

    /**
     * @param classes whether events are to be told apart by the class they are about
     * @param seconds whether they are to be told apart by when they were
     * @param wanted which of the known events to read, by name
     */
    private Requests(
            List<String> texts, boolean classes, boolean seconds, Predicate<String> wanted) {
        this.wanted = wanted;
        this.classes = classes;
        this.seconds = seconds;
        for (String text : texts) {
            int colon = text.indexOf(':');
            requests.add(
                    colon < 0
                            ? new Request(text, text, null)
                            : new Request(
                                    text, text.substring(0, colon), text.substring(colon + 1)));
        }
    }

    /** What the events of a type mean; null if nobody wants them. */
    @Nullable EventKind kind(Metadata metadata, Metadata.Type type, Writer writer) {
        EventKind kind = wanted.test(type.name()) ? known(type.name(), writer) : null;
        for (Request request : requests) {
            if (request.event.equals(type.name())) {
                kind = extend(kind, request, metadata, type);
            }
        }
        return kind;
    }

    private static @Nullable EventKind known(String event, Writer writer) {
        for (EventKind kind : EventKind.KNOWN) {
            if (kind.event().equals(event)
                    && (kind.writer() == Writer.ANY || kind.writer() == writer)) {
                return kind;
            }
        }
        return null;
    }

    private static EventKind extend(
            @Nullable EventKind known, Request request, Metadata metadata, Metadata.Type type) {
        if (known != null && request.field == null && !known.measures().isEmpty()) {
            return known;
        }
        EventKind kind =
                known == null || known.measures().isEmpty()
                        ? counted(type.name(), known == null ? Map.of() : known.notes())
                        : known;
        String field = request.field == null ? DURATION : request.field;
        Metadata.Field declared = type.field(field);
        if (declared == null || !Unit.isSummable(metadata, declared)) {
            return kind;
        }
        Resource resource =
                Unit.of(metadata, declared).resource(type.name() + ":" + field, kind.occurrences());
        Measure measure = new Measure(resource, Origin.FIELD, field);
        return kind.measures().contains(measure) ? kind : kind.plus(measure);
    }

    private static EventKind counted(String event, Map<String, String> notes) {
        Measure count = new Measure(Resource.count(event), Origin.EVENTS, "");
        return new EventKind(event, Writer.ANY, List.of(count), notes);
    }

    /**
     * Checks that all that was asked for could be found.
     *
     * @param events the names of all event types of the file, and {@code NAME:field} for each field
     *     of theirs that can be summed
     */
    void checkFound(String file, Set<String> events) {
        for (Request request : requests) {
            if (!events.contains(request.text)) {
                throw new FormatException(
                        file + ": " + missing(request, events) + near(request, events));
            }
        }
    }

    private static String missing(Request request, Set<String> events) {
        return request.field != null && events.contains(request.event)
                ? "event " + request.event + " has no field '" + request.field + "' with numbers"
                : "has no event named '" + request.event + "'";
    }

    private static String near(Request request, Set<String> events) {
        boolean fieldIsWrong = request.field != null && events.contains(request.event);
        if (!fieldIsWrong) {
            List<String> names = events.stream().filter(event -> event.indexOf(':') < 0).toList();
            return NearNames.suggest(request.event, names);
        }
        String fields =
                events.stream()
                        .filter(event -> event.startsWith(request.event + ":"))
                        .map(event -> event.substring(event.indexOf(':') + 1))
                        .sorted()
                        .collect(Collectors.joining(", "));
        return fields.isEmpty() ? "" : "; it has " + fields;
    }

    boolean classes() {
        return classes;
    }

    boolean seconds() {
        return seconds;
    }

    boolean isEmpty() {
        return requests.isEmpty();
    }
}
