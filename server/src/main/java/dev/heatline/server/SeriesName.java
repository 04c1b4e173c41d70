package dev.heatline.server;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What Pyroscope's agents call a series: {@code shop.cpu{version=1.2,zone="eu"}}.
 *
 * @param application without the kind of profile
 * @param kind what was sampled, such as {@code cpu}; empty if it is not said
 * @param labels all of them, but those that agents keep for themselves
 */
record SeriesName(String application, String kind, SortedMap<String, String> labels) {

    /** What agents append to the application's name. */
    private static final Set<String> KINDS =
            Set.of(
                    "cpu",
                    "itimer",
                    "wall",
                    "alloc",
                    "alloc_objects",
                    "alloc_space",
                    "inuse_objects",
                    "inuse_space",
                    "lock",
                    "lock_count",
                    "lock_duration",
                    "mutex_count",
                    "mutex_duration",
                    "block_count",
                    "block_duration",
                    "goroutines");

    /** Labels that are parts of an execution, under all the names that are usual. */
    private static final List<String> VERSION =
            List.of("version", "service_version", "service.version");

    private static final List<String> INSTANCE =
            List.of("instance", "service_instance_id", "service.instance.id");

    /** What only tells runs of an agent apart, such as {@code __session_id__}. */
    private static final String RESERVED = "__";

    static SeriesName parse(String text) {
        int brace = text.indexOf('{');
        if (brace < 0) {
            return named(text.strip(), new TreeMap<>());
        }
        if (!text.endsWith("}")) {
            throw wrong();
        }
        return named(
                text.substring(0, brace).strip(),
                labels(text.substring(brace + 1, text.length() - 1)));
    }

    private static SeriesName named(String name, SortedMap<String, String> labels) {
        int dot = name.lastIndexOf('.');
        String kind = name.substring(dot + 1);
        boolean hasKind = dot > 0 && KINDS.contains(kind);
        String application = hasKind ? name.substring(0, dot) : name;
        if (application.isEmpty()) {
            throw wrong();
        }
        return new SeriesName(application, hasKind ? kind : "", labels);
    }

    /** Values may be quoted, and then contain commas. */
    private static SortedMap<String, String> labels(String text) {
        SortedMap<String, String> labels = new TreeMap<>();
        int at = 0;
        while (at < text.length()) {
            int equals = text.indexOf('=', at);
            if (equals < 0) {
                throw wrong();
            }
            String name = text.substring(at, equals).strip();
            boolean quoted = text.startsWith("\"", equals + 1);
            int from = quoted ? equals + 2 : equals + 1;
            int end = text.indexOf(quoted ? '"' : ',', from);
            if (end < 0 && quoted) {
                throw wrong();
            }
            end = end < 0 ? text.length() : end;
            if (!name.startsWith(RESERVED)) {
                labels.put(name, text.substring(from, end));
            }
            int comma = text.indexOf(',', end);
            at = comma < 0 ? text.length() : comma + 1;
        }
        return labels;
    }

    Optional<String> version() {
        return first(VERSION);
    }

    Optional<String> instance() {
        return first(INSTANCE);
    }

    private Optional<String> first(List<String> names) {
        return names.stream()
                .filter(name -> labels.containsKey(name))
                .map(name -> labels.getOrDefault(name, ""))
                .findFirst();
    }

    /** The labels that are nothing else. */
    SortedMap<String, String> freeLabels() {
        SortedMap<String, String> free = new TreeMap<>(labels);
        free.keySet().removeAll(VERSION);
        free.keySet().removeAll(INSTANCE);
        return free;
    }

    private static Refusal wrong() {
        return new Refusal(400, "name is written application{label=value,label=value}");
    }
}
