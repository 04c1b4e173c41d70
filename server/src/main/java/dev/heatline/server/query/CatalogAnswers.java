package dev.heatline.server.query;

import dev.heatline.store.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.core.JsonGenerator;

/** What there is: {@code /applications}, their versions and instances. */
final class CatalogAnswers {
    private static final int USUAL_ROWS = 1_000;
    private static final int MOST_ROWS = 10_000;

    private final Executions executions;

    CatalogAnswers(Executions executions) {
        this.executions = executions;
    }

    byte[] applications(Params params) {
        SortedMap<String, List<Store.Seen>> all = executions.all();
        return rows(
                params,
                new ArrayList<>(all.keySet()),
                (json, name) -> {
                    List<Store.Seen> seen = all.getOrDefault(name, List.of());
                    json.writeStringProperty("app", name);
                    json.writeNumberProperty(
                            "versions",
                            seen.stream().map(it -> it.execution().version()).distinct().count());
                    json.writeNumberProperty(
                            "instances",
                            seen.stream().map(it -> it.execution().instance()).distinct().count());
                    times(json, seen);
                });
    }

    /** The versions of an application, that seen first is first. */
    byte[] versions(Params params, String application) {
        SortedMap<String, List<Store.Seen>> byVersion =
                executions.now(application).stream()
                        .collect(
                                Collectors.groupingBy(
                                        it -> it.execution().version(),
                                        TreeMap::new,
                                        Collectors.toList()));
        List<List<Store.Seen>> versions = new ArrayList<>(byVersion.values());
        versions.sort(Comparator.comparing(CatalogAnswers::first));
        return rows(
                params,
                versions,
                (json, seen) -> {
                    json.writeStringProperty("version", seen.getFirst().execution().version());
                    json.writeNumberProperty(
                            "instances",
                            seen.stream().map(it -> it.execution().instance()).distinct().count());
                    times(json, seen);
                });
    }

    byte[] instances(Params params, String application) {
        return rows(
                params,
                executions.now(application),
                (json, seen) -> {
                    json.writeStringProperty("instance", seen.execution().instance());
                    json.writeStringProperty("version", seen.execution().version());
                    json.writeName("labels").writeStartObject();
                    seen.execution().labels().forEach(json::writeStringProperty);
                    json.writeEndObject();
                    times(json, List.of(seen));
                });
    }

    private interface Row<R> {
        void write(JsonGenerator json, R row);
    }

    private static <R> byte[] rows(Params params, List<R> rows, Row<R> writer) {
        int limit = params.number("limit", USUAL_ROWS, 1, MOST_ROWS);
        int offset = params.number("offset", 0, 0, Integer.MAX_VALUE);
        int from = Math.min(offset, rows.size());
        int end = (int) Math.min(rows.size(), (long) from + limit);
        return Json.object(
                json -> {
                    json.writeNumberProperty("found", rows.size());
                    json.writeNumberProperty("leftOut", rows.size() - (end - from));
                    json.writeName("rows").writeStartArray();
                    for (R row : rows.subList(from, end)) {
                        json.writeStartObject();
                        writer.write(json, row);
                        json.writeEndObject();
                    }
                    json.writeEndArray();
                });
    }

    private static void times(JsonGenerator json, List<Store.Seen> seen) {
        json.writeStringProperty("first", first(seen).toString());
        json.writeStringProperty("last", last(seen).toString());
        json.writeNumberProperty("profiles", seen.stream().mapToLong(Store.Seen::profiles).sum());
        json.writeNumberProperty("samples", seen.stream().mapToLong(Store.Seen::samples).sum());
    }

    static Instant first(List<Store.Seen> seen) {
        return seen.stream().map(Store.Seen::first).min(Comparator.naturalOrder()).orElseThrow();
    }

    static Instant last(List<Store.Seen> seen) {
        return seen.stream().map(Store.Seen::last).max(Comparator.naturalOrder()).orElseThrow();
    }
}
