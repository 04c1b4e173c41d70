package dev.heatline.server.query;

import dev.heatline.model.Column;
import dev.heatline.model.Profile;
import dev.heatline.model.Site;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JsonGenerator;

/**
 * What the lines of a method used: by themselves, and with what they called. A line that is reached
 * again below itself counts once, so no line has more than the method.
 */
final class MethodLines {
    private final Metrics metrics;
    private final long[] base;
    private final long[] cum;

    private MethodLines(Metrics metrics, long[] base, long[] cum) {
        this.metrics = metrics;
        this.base = base;
        this.cum = cum;
    }

    /** Knows what each node used. O(nodes). */
    static MethodLines of(Metrics metrics) {
        Profile profile = metrics.profile();
        int nodes = profile.nodeCount();
        long[] base =
                metrics.column()
                        .map((Column it) -> it.self(nodes))
                        .orElseGet(() -> new long[nodes]);
        return new MethodLines(metrics, base, profile.inclusive(base.clone()));
    }

    private static final class Line {
        private long base;
        private long cum;
        private int openUntil;
    }

    /** Writes the lines of a method, in order; 0 is what has no known line. O(nodes). */
    void json(JsonGenerator json, int method) {
        Profile profile = metrics.profile();
        SortedMap<Integer, Line> lines = new TreeMap<>();
        for (int node = 0; node < base.length; node++) {
            if (profile.consumer(node) == method && cum[node] > 0) {
                int number = Site.line(profile.site(node));
                Line line = lines.computeIfAbsent(number, _ -> new Line());
                line.base += base[node];
                if (node >= line.openUntil) {
                    line.openUntil = profile.end(node);
                    line.cum += cum[node];
                }
            }
        }
        json.writeName("lines").writeStartArray();
        lines.forEach(
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
