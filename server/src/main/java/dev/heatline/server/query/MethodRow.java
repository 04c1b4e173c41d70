package dev.heatline.server.query;

import dev.heatline.model.CallGraph;
import java.util.Comparator;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/**
 * What a consumer used, by itself or on behalf of another: a record of xprof and xarc.
 *
 * @param consumer its id in the profile
 * @param countedOnly how many of the calls were not timed: base and cum are those of the others
 */
record MethodRow(
        int consumer,
        String name,
        long calls,
        long base,
        long cum,
        boolean recursive,
        long countedOnly) {

    private static final Comparator<MethodRow> BY_BASE =
            Comparator.comparingLong(MethodRow::base)
                    .thenComparingLong(MethodRow::cum)
                    .reversed()
                    .thenComparing(MethodRow::name);

    /** As the records of xarc are ordered. */
    static final Comparator<MethodRow> BY_CUM =
            Comparator.comparingLong(MethodRow::cum)
                    .thenComparingLong(MethodRow::base)
                    .thenComparingLong(MethodRow::calls)
                    .reversed()
                    .thenComparing(MethodRow::name);

    /** The orders people can ask for. */
    static final Map<String, Comparator<MethodRow>> ORDERS =
            Map.of(
                    "base",
                    BY_BASE,
                    "cum",
                    BY_CUM,
                    "calls",
                    Comparator.comparingLong(MethodRow::calls).reversed().thenComparing(BY_BASE),
                    "name",
                    Comparator.comparing(MethodRow::name));

    /** All that a consumer used. */
    static MethodRow of(Metrics metrics, int consumer) {
        CallGraph graph = metrics.graph();
        return new MethodRow(
                consumer,
                metrics.name(consumer),
                graph.calls(consumer),
                graph.base(consumer),
                graph.cum(consumer),
                graph.isRecursive(consumer),
                metrics.countedOnly().calls(consumer));
    }

    /** Whether anything was used; other consumers belong to other resources. */
    boolean isUsed() {
        return cum > 0 || base > 0 || calls > 0;
    }

    /** Writes it as properties of the open object. */
    void json(JsonGenerator json, Metrics metrics) {
        json.writeStringProperty("consumer", name);
        if (metrics.counted()) {
            json.writeNumberProperty("calls", calls);
        }
        if (countedOnly > 0) {
            json.writeNumberProperty("countedOnly", countedOnly);
        }
        json.writeNumberProperty("base", metrics.exact(base));
        json.writeNumberProperty("cum", metrics.exact(cum));
        json.writeNumberProperty("basePercent", metrics.percent(base));
        json.writeNumberProperty("cumPercent", metrics.percent(cum));
        if (recursive) {
            json.writeBooleanProperty("recursive", true);
        }
    }
}
