package dev.heatline.server.query;

import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.MethodFinder;
import dev.heatline.model.Profile;
import dev.heatline.model.Resource;
import dev.heatline.store.Selection;
import dev.heatline.store.Store;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.core.JsonGenerator;

/** What one method used over time and in each version: {@code /history}. */
final class HistoryAnswers {
    private static final int MOST_VERSIONS = 20;

    private final Questions questions;
    private final Executions executions;
    private final Pieces.Cutter cutter;

    HistoryAnswers(Questions questions, Executions executions, Pieces.Cutter cutter) {
        this.questions = questions;
        this.executions = executions;
        this.cutter = cutter;
    }

    byte[] history(Params params) {
        String name = params.require("name", "Class::method");
        Chosen chosen = questions.chosen(params);
        Metrics metrics = chosen.metrics();
        Resource resource = metrics.resource();
        List<Consumer> methods = methods(chosen, name);
        Pieces pieces = cutter.cut(chosen, params);
        return Json.object(
                json -> {
                    Json.question(json, chosen);
                    Json.head(json, "history", chosen, metrics);
                    json.writeName("rows").writeStartArray();
                    for (Store.Bucket all : pieces.ofAll(resource)) {
                        Pieces.Piece piece = pieces.read(all);
                        long used = used(piece.part(), resource, methods);
                        json.writeStartObject();
                        json.writeStringProperty("from", all.from().toString());
                        json.writeStringProperty("until", all.until().toString());
                        value(
                                json,
                                Metrics.exact(resource, piece.due(resource, used, all.value())),
                                percent(piece, resource, used));
                        json.writeEndObject();
                    }
                    json.writeEndArray();
                    json.writeName("versions").writeStartArray();
                    if (!chosen.isEmpty()) {
                        versions(chosen)
                                .forEach(
                                        it -> version(json, chosen, pieces, resource, methods, it));
                    }
                    json.writeEndArray();
                });
    }

    private static List<Consumer> methods(Chosen chosen, String name) {
        if (chosen.isEmpty()) {
            return List.of();
        }
        Profile profile = chosen.profile();
        return MethodFinder.find(profile, ShortName.method(profile, name)).stream()
                .map(profile::consumerAt)
                .toList();
    }

    private static void version(
            JsonGenerator json,
            Chosen chosen,
            Pieces pieces,
            Resource resource,
            List<Consumer> methods,
            Map.Entry<String, Instant> version) {
        Selection selection = chosen.snapshot().selection().withVersion(version.getKey());
        Pieces.Piece piece = pieces.read(selection);
        Optional<Column> column = piece.part().column(resource.name());
        long used = used(piece.part(), resource, methods);
        json.writeStartObject();
        json.writeStringProperty("version", version.getKey());
        json.writeStringProperty("first", version.getValue().toString());
        value(
                json,
                Metrics.exact(column.map(Column::resource).orElse(resource), used),
                percent(piece, resource, used));
        json.writeEndObject();
    }

    private static void value(JsonGenerator json, BigDecimal value, double percent) {
        json.writeNumberProperty("value", value);
        json.writeNumberProperty("percent", percent);
    }

    private static double percent(Pieces.Piece piece, Resource resource, long used) {
        long total = Pieces.total(piece.part(), resource);
        return total == 0 ? 0 : 100.0 * used / total;
    }

    /** The newest ones, in the order in which they were seen first. */
    private List<Map.Entry<String, Instant>> versions(Chosen chosen) {
        Map<String, Instant> first = new TreeMap<>();
        for (Store.Seen seen : executions.now(chosen.scope().application())) {
            first.merge(seen.execution().version(), seen.first(), (a, b) -> a.isBefore(b) ? a : b);
        }
        List<Map.Entry<String, Instant>> versions = new ArrayList<>(first.entrySet());
        versions.sort(Map.Entry.comparingByValue(Comparator.naturalOrder()));
        return versions.subList(Math.max(0, versions.size() - MOST_VERSIONS), versions.size());
    }

    /** What methods used with all they call; where one calls another it counts once. */
    private static long used(Profile profile, Resource resource, List<Consumer> methods) {
        Optional<Column> column = profile.column(resource.name());
        if (column.isEmpty()) {
            return 0;
        }
        boolean[] wanted = new boolean[profile.consumerCount()];
        for (Consumer method : methods) {
            int id = profile.idOf(method);
            if (id >= 0) {
                wanted[id] = true;
            }
        }
        long[] cum = profile.inclusive(column.get().self(profile.nodeCount()));
        long used = 0;
        int node = 0;
        while (node < cum.length) {
            boolean found = wanted[profile.consumer(node)];
            used += found ? cum[node] : 0;
            node = found ? profile.end(node) : node + 1;
        }
        return used;
    }
}
