package dev.heatline.server.query;

import dev.heatline.model.Column;
import dev.heatline.model.Resource;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** What threads did over time, running or waiting for something: {@code /states}. */
final class StateAnswers {
    private final Questions questions;
    private final Pieces.Cutter cutter;

    StateAnswers(Questions questions, Pieces.Cutter cutter) {
        this.questions = questions;
        this.cutter = cutter;
    }

    byte[] states(Params params) {
        Chosen chosen = questions.chosen(params);
        Pieces pieces = cutter.cut(chosen, params);
        // Those of all threads, so that answers about some of them name the same states.
        List<Resource> times =
                chosen.snapshot().profile().columns().stream()
                        .map(Column::resource)
                        .filter(it -> it.kind() == Resource.Kind.TIME)
                        .toList();
        List<Pieces.Used> rows = pieces.of(times);
        return Json.object(
                json -> {
                    Json.question(json, chosen);
                    Json.head(json, "states", chosen, chosen.metrics());
                    resources(json, times);
                    json.writeName("rows").writeStartArray();
                    rows.forEach(row -> row(json, times, row));
                    json.writeEndArray();
                });
    }

    private static void resources(JsonGenerator json, List<Resource> times) {
        json.writeName("resources").writeStartArray();
        for (Resource time : times) {
            json.writeStartObject();
            json.writeStringProperty("name", time.name());
            json.writeStringProperty("unit", time.unit());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void row(JsonGenerator json, List<Resource> times, Pieces.Used used) {
        json.writeStartObject();
        json.writeStringProperty("from", used.from().toString());
        json.writeStringProperty("until", used.until().toString());
        json.writeName("values").writeStartObject();
        for (int i = 0; i < times.size(); i++) {
            Resource time = times.get(i);
            json.writeNumberProperty(time.name(), Metrics.exact(time, used.values().get(i)));
        }
        json.writeEndObject();
        json.writeEndObject();
    }
}
