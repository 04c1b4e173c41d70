package dev.heatline.report;

import dev.heatline.model.CallsBesideSamples;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import tools.jackson.core.JsonGenerator;

/** What was both sampled and measured call by call, as columns and as JSON. */
public record BesideFields(CallsBesideSamples beside) {
    private static final double NANOS = 1e9;

    /**
     * The columns.
     *
     * @param occurrences the count that the report has anyway
     * @param consumer of a row
     */
    <R> List<Field<R>> of(String occurrences, ToIntFunction<R> consumer) {
        boolean isSampled = occurrences.equals(beside.sampled().name());
        Field<R> other =
                isSampled
                        ? new Field.Count<>("calls", row -> beside.calls(consumer.applyAsInt(row)))
                        : new Field.Count<>(
                                beside.sampled().name(),
                                row -> beside.samples(consumer.applyAsInt(row)));
        return List.of(
                other,
                figure(
                        "calls/sample",
                        row -> beside.callsPerSample(consumer.applyAsInt(row)),
                        BesideFields::digits),
                figure(
                        "time/call",
                        row -> beside.nanosPerCall(consumer.applyAsInt(row)),
                        BesideFields::time));
    }

    private static <R> Field<R> figure(
            String heading, ToDoubleFunction<R> value, DoubleFunction<String> written) {
        return new Field.Figure<>(
                heading,
                row -> {
                    double known = value.applyAsDouble(row);
                    return known == 0 ? Field.UNKNOWN : written.apply(known);
                });
    }

    private static String time(double nanos) {
        if (nanos < 1e3) {
            return digits(nanos) + " ns";
        }
        if (nanos < 1e6) {
            return digits(nanos / 1e3) + " µs";
        }
        return nanos < NANOS ? digits(nanos / 1e6) + " ms" : digits(nanos / NANOS) + " s";
    }

    /** Three digits tell what is to be told. */
    private static String digits(double value) {
        int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    /** Writes what is known as a property of the open object. */
    public void json(JsonGenerator json, int consumer) {
        if (beside.calls(consumer) == 0 || beside.samples(consumer) == 0) {
            return;
        }
        json.writeObjectPropertyStart("beside");
        json.writeNumberProperty("calls", beside.calls(consumer));
        if (beside.callsPerSample(consumer) > 0) {
            json.writeNumberProperty("samples", beside.samples(consumer));
            json.writeNumberProperty("callsPerSample", beside.callsPerSample(consumer));
        }
        if (beside.nanosPerCall(consumer) > 0) {
            json.writeNumberProperty("timePerCall", beside.nanosPerCall(consumer) / NANOS);
        }
        json.writeEndObject();
    }
}
