package dev.heatline.formats;

import dev.heatline.model.Consumer;
import dev.heatline.model.ConsumerType;
import dev.heatline.model.ModelException;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import dev.heatline.model.StartEndEvents;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads an event trace; see {@link TraceFormat}. */
final class TraceReader {
    private static final ConsumerText THREAD_TEXT = ConsumerText.dotted(ConsumerType.THREAD);

    /** Longer readings cannot fit, and converting them would take quadratic time. */
    private static final int MAX_READING_LENGTH = 60;

    private final Source source;
    private final TextLines lines;
    private final Map<String, Consumer> consumers = new HashMap<>();
    private final Map<String, Consumer> threads = new HashMap<>();
    private String resourceName = "cpu";
    private String unitName = "s";
    private String consumerLabel = ConsumerType.METHOD.label();
    private String occurrences = "calls";

    TraceReader(Source source, ReadOptions options) {
        this.source = source;
        this.lines = new TextLines(source, options);
    }

    Profile read() {
        String line = skipBindings();
        TraceUnit unit = TraceUnit.of(resourceName, unitName, occurrences, decimalsUsed());
        StartEndEvents events = new StartEndEvents(unit.resource(), consumerLabel);
        ConsumerText text = consumerText(consumerLabel);
        for (; line != null; line = lines.next()) {
            if (TraceLine.isBinding(line)) {
                throw lines.wrong("bindings such as this one must come before the first event");
            }
            if (!TraceLine.isNothing(line)) {
                add(events, event(line), unit, text);
            }
        }
        return events.build(Provenance.NONE);
    }

    /** How consumers are written in a trace that calls them by this label. */
    static ConsumerText consumerText(String label) {
        ConsumerType type = ConsumerText.typeOf(label);
        return ConsumerText.dotted(
                type == null || type == ConsumerType.ROOT ? ConsumerType.LABEL : type);
    }

    /** Takes the bindings; returns the first line that is an event, if there is one. */
    private @Nullable String skipBindings() {
        String line;
        while ((line = lines.next()) != null) {
            if (TraceLine.isBinding(line)) {
                bind(line);
            } else if (!TraceLine.isNothing(line)) {
                return line;
            }
        }
        return null;
    }

    private void bind(String line) {
        String resource = TraceLine.value(line, TraceLine.RESOURCE);
        if (resource != null) {
            int blank = resource.lastIndexOf(' ');
            if (blank < 0) {
                throw lines.wrong("expected \"#resource NAME UNIT\"");
            }
            resourceName = Escapes.unescape(resource.substring(0, blank).strip());
            unitName = Escapes.unescape(resource.substring(blank + 1));
            return;
        }
        String consumer = TraceLine.value(line, TraceLine.CONSUMER);
        String counted = TraceLine.value(line, TraceLine.OCCURRENCES);
        if (consumer != null && !consumer.isEmpty()) {
            consumerLabel = Escapes.unescape(consumer);
        } else if (counted != null && !counted.isEmpty()) {
            occurrences = Escapes.unescape(counted);
        } else {
            throw lines.wrong("a label is missing after " + line.strip());
        }
    }

    /** A pass of its own, since the first reading is stored with as many decimals as any other. */
    private int decimalsUsed() {
        TextLines all = new TextLines(source, ReadOptions.DEFAULT);
        int decimals = 0;
        String line;
        while ((line = all.next()) != null) {
            TraceLine event = line.startsWith("#") ? null : TraceLine.parse(line);
            if (event != null && TraceLine.isDecimal(event.reading())) {
                decimals = Math.max(decimals, event.decimals());
            }
        }
        return decimals;
    }

    private TraceLine event(String line) {
        TraceLine event = TraceLine.parse(line);
        if (event == null) {
            throw lines.wrong(
                    "expected \"READING > CONSUMER\", \"READING < CONSUMER\" or \"READING @"
                            + " THREAD\"");
        }
        if (!TraceLine.isDecimal(event.reading())) {
            throw lines.wrong("the reading is not a decimal number");
        }
        return event;
    }

    private void add(StartEndEvents events, TraceLine line, TraceUnit unit, ConsumerText text) {
        long reading = reading(line, unit);
        try {
            switch (line.event()) {
                case TraceLine.START -> events.start(reading, consumer(line, text));
                case TraceLine.END -> events.end(reading, consumer(line, text));
                case TraceLine.THREAD ->
                        events.switchTo(
                                reading, threads.computeIfAbsent(line.name(), THREAD_TEXT::read));
                default -> events.advance(reading);
            }
        } catch (ModelException e) {
            throw lines.wrong(String.valueOf(e.getMessage()));
        }
    }

    private Consumer consumer(TraceLine line, ConsumerText text) {
        return consumers.computeIfAbsent(line.name(), text::read);
    }

    private long reading(TraceLine line, TraceUnit unit) {
        String digits = line.reading();
        try {
            if (digits.length() <= MAX_READING_LENGTH) {
                return unit.stored(digits);
            }
        } catch (ArithmeticException e) {
            // Said below.
        }
        throw lines.wrong(
                "the reading has more digits than can be kept exactly: "
                        + unit.decimals()
                        + " after the point, 18 altogether");
    }
}
