package dev.heatline.report;

import dev.heatline.model.Column;
import dev.heatline.model.ThreadValues;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;
import tools.jackson.core.JsonGenerator;

/** On which threads a consumer spent its time, and which part of it (000 eq. 3.21, 3.22). */
final class StanzaThreads {
    private final Measurement measured;
    private final Optional<ThreadValues> values;

    private StanzaThreads(Measurement measured, Optional<ThreadValues> values) {
        this.measured = measured;
        this.values = values;
    }

    /** Knows nothing where threads were not recorded. */
    static StanzaThreads of(Measurement measured) {
        Optional<Column> column = measured.threads() == 0 ? Optional.empty() : measured.column();
        return new StanzaThreads(
                measured, column.map(of -> ThreadValues.of(measured.profile(), of)));
    }

    private record Part(String thread, double time) {}

    /** Writes the threads as a property of the open object, the one with most first. */
    void json(JsonGenerator json, int consumer) {
        json.writeName("threads").writeStartArray();
        values.ifPresent(known -> parts(json, known, consumer));
        json.writeEndArray();
    }

    private void parts(JsonGenerator json, ThreadValues known, int consumer) {
        IntStream.of(known.threadsOf(consumer))
                .mapToObj(id -> new Part(name(id), known.threadTime(consumer, id)))
                .sorted(
                        Comparator.comparingDouble(Part::time)
                                .reversed()
                                .thenComparing(Part::thread))
                .forEach(
                        part -> {
                            json.writeStartObject();
                            json.writeStringProperty("thread", part.thread);
                            json.writeNumberProperty("threadTime", part.time);
                            json.writeEndObject();
                        });
    }

    private String name(int thread) {
        return ThreadTotals.thread(measured.profile(), thread).name();
    }
}
