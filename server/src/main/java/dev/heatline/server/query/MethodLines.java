package dev.heatline.server.query;

import dev.heatline.model.Column;
import dev.heatline.model.Profile;
import dev.heatline.model.Site;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JsonGenerator;

/**
 * What the lines of some methods used: by themselves, and with what they called. A line that is
 * reached again below itself counts once, so no line has more than its method.
 */
final class MethodLines {
    private final Metrics metrics;

    /** By method and number. */
    private final Map<Integer, SortedMap<Integer, Line>> lines;

    private MethodLines(Metrics metrics, Map<Integer, SortedMap<Integer, Line>> lines) {
        this.metrics = metrics;
        this.lines = lines;
    }

    private static final class Line {
        private long base;
        private long cum;
        private int openUntil;
    }

    /** The lines of these methods. O(nodes). */
    static MethodLines of(Metrics metrics, Collection<Integer> methods) {
        Profile profile = metrics.profile();
        int nodes = profile.nodeCount();
        long[] base =
                metrics.column()
                        .map((Column it) -> it.self(nodes))
                        .orElseGet(() -> new long[nodes]);
        long[] cum = profile.inclusive(base.clone());
        Map<Integer, SortedMap<Integer, Line>> lines = new HashMap<>();
        methods.forEach(method -> lines.put(method, new TreeMap<>()));
        for (int node = 0; node < nodes; node++) {
            SortedMap<Integer, Line> ofMethod = lines.get(profile.consumer(node));
            if (ofMethod != null && cum[node] > 0) {
                int number = Site.line(profile.site(node));
                Line line = ofMethod.computeIfAbsent(number, _ -> new Line());
                line.base += base[node];
                if (node >= line.openUntil) {
                    line.openUntil = profile.end(node);
                    line.cum += cum[node];
                }
            }
        }
        return new MethodLines(metrics, lines);
    }

    /** Writes the lines of one of the methods, in order; 0 is what has no known line. */
    void json(JsonGenerator json, int method) {
        json.writeName("lines").writeStartArray();
        lines.getOrDefault(method, new TreeMap<>())
                .forEach(
                        (number, line) -> {
                            json.writeStartObject();
                            json.writeNumberProperty("line", number);
                            json.writeNumberProperty("base", metrics.exact(line.base));
                            json.writeNumberProperty("cum", metrics.exact(line.cum));
                            json.writeEndObject();
                        });
        json.writeEndArray();
    }
}
