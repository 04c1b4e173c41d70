package dev.heatline.server.query;

import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.report.Report;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;

/** How answers are written. */
final class Json {
    private static final JsonFactory FACTORY =
            JsonFactory.builder().enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN).build();

    private Json() {}

    /** An object with these properties, on a line. */
    static byte[] object(Consumer<JsonGenerator> properties) {
        return bytes(text(properties) + "\n");
    }

    /** An object with these properties and then those of a report. */
    static byte[] object(Consumer<JsonGenerator> properties, Report report) {
        StringWriter reported = new StringWriter();
        try {
            report.json(reported);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String first = text(properties);
        // Both are objects with properties: of the first the end is left out, of the second the
        // beginning.
        return bytes(
                first.substring(0, first.length() - 1) + ',' + reported.toString().substring(1));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(Consumer<JsonGenerator> properties) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
            json.writeStartObject();
            properties.accept(json);
            json.writeEndObject();
        }
        return text.toString();
    }

    /** Writes what the question was understood as, and how new the answer is. */
    static void question(JsonGenerator json, Chosen chosen) {
        selection(json, "selection", chosen);
        json.writeStringProperty("asOf", chosen.snapshot().asOf().toString());
        json.writeNumberProperty("profiles", chosen.snapshot().profiles());
    }

    /** Writes what else the answer is about. */
    static void baseline(JsonGenerator json, Chosen chosen) {
        selection(json, "baselineSelection", chosen);
    }

    private static void selection(JsonGenerator json, String name, Chosen chosen) {
        Scope scope = chosen.scope();
        Snapshot snapshot = chosen.snapshot();
        json.writeName(name).writeStartObject();
        json.writeStringProperty("app", scope.application());
        scope.version().ifPresent(it -> json.writeStringProperty("version", it));
        if (!scope.instances().isEmpty()) {
            strings(json, "instance", scope.instances());
        }
        if (!scope.labels().isEmpty()) {
            json.writeName("label").writeStartObject();
            scope.labels().forEach(json::writeStringProperty);
            json.writeEndObject();
        }
        if (scope.from().isPresent()) {
            json.writeStringProperty("from", snapshot.selection().from().toString());
        }
        if (scope.until().isPresent()) {
            json.writeStringProperty("until", snapshot.selection().until().toString());
        }
        filter(json, chosen.filter());
        json.writeEndObject();
    }

    private static void filter(JsonGenerator json, Filter filter) {
        filter.thread().ifPresent(it -> json.writeStringProperty("thread", it));
        filter.root().ifPresent(it -> json.writeStringProperty("root", it));
        if (!filter.tasks().isEmpty()) {
            strings(json, "task", filter.tasks());
        }
    }

    static void strings(JsonGenerator json, String name, Iterable<String> values) {
        json.writeName(name).writeStartArray();
        values.forEach(json::writeString);
        json.writeEndArray();
    }

    /** Writes the head that reports have, under their names. */
    static void head(JsonGenerator json, String view, Chosen chosen, Metrics metrics) {
        Resource resource = metrics.resource();
        json.writeStringProperty("view", view);
        json.writeStringProperty("consumer", metrics.profile().consumerLabel());
        if (metrics.counted()) {
            json.writeStringProperty("occurrences", resource.occurrences());
        }
        json.writeName("resource").writeStartObject();
        json.writeStringProperty("name", resource.name());
        json.writeStringProperty("unit", resource.unit());
        json.writeEndObject();
        json.writeNumberProperty("total", metrics.exact(metrics.total()));
        Provenance provenance = metrics.profile().provenance();
        if (metrics.counted()) {
            json.writeNumberProperty("totalCalls", metrics.totalOccurrences());
            json.writeNumberProperty(
                    "recordedCalls", chosen.recorded() + lost(provenance, resource));
        }
        provenance(json, provenance);
    }

    /** How many occurrences of this resource were due and are missing. */
    private static long lost(Provenance provenance, Resource resource) {
        boolean samples = resource.occurrences().equals(Resource.SAMPLES.name());
        return provenance.count(Provenance.LOST + ' ' + resource.occurrences())
                + (samples ? provenance.count(Provenance.LOST) : 0);
    }

    static void provenance(JsonGenerator json, Provenance provenance) {
        json.writeName("provenance").writeStartObject();
        provenance
                .facts()
                .forEach((name, _) -> json.writeStringProperty(name, provenance.fact(name)));
        provenance.from().ifPresent(time -> json.writeStringProperty("from", time.toString()));
        provenance.until().ifPresent(time -> json.writeStringProperty("until", time.toString()));
        json.writeName("counts").writeStartObject();
        provenance.counts().forEach(json::writeNumberProperty);
        json.writeEndObject();
        json.writeEndObject();
    }
}
