package dev.heatline.report;

import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.ConsumerType;
import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import dev.heatline.model.Resource;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/** The names in the flame graph component's data: everything but the numbers. */
final class FlameHead {
    private static final int VERSION = 1;

    private final Head head;
    private final Profile profile;
    private final int folded;
    private final int[] threads;

    /** For each consumer its number as a thread, from 1; 0 for those that are none. */
    private final int[] numberOfThread;

    /**
     * A head for the Profile of {@code head}.
     *
     * @param folded how many contexts were left out
     */
    FlameHead(Head head, int folded) {
        this.head = head;
        this.profile = head.measured().profile();
        this.folded = folded;
        this.threads = profile.threads();
        this.numberOfThread = new int[profile.consumerCount()];
        for (int i = 0; i < threads.length; i++) {
            numberOfThread[threads[i]] = i + 1;
        }
    }

    /** How the component numbers the thread of a row. */
    int thread(int consumer) {
        return consumer == Column.NO_THREAD ? 0 : numberOfThread[consumer];
    }

    /** Writes the head as properties of the open object. */
    void json(JsonGenerator json) {
        json.writeNumberProperty("version", VERSION);
        json.writeStringProperty("title", head.title());
        json.writeStringProperty("subtitle", subtitle(head));
        json.writeStringProperty("consumer", profile.consumerLabel());
        columns(json);
        json.writeName("threads").writeStartArray();
        for (int thread : threads) {
            json.writeStartObject();
            json.writeStringProperty("name", profile.consumerAt(thread).name());
            json.writeStringProperty("group", profile.consumerAt(thread).owner());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeName("consumers").writeStartArray();
        StringBuilder types = new StringBuilder();
        for (int id = 0; id < profile.consumerCount(); id++) {
            json.writeString(head.measured().name(id));
            types.append(letter(profile.consumerAt(id)));
        }
        json.writeEndArray();
        json.writeStringProperty("consumerTypes", types.toString());
        json.writeNumberProperty("folded", folded);
    }

    private static String subtitle(Head of) {
        return String.join(" · ", of.lines());
    }

    private void columns(JsonGenerator json) {
        boolean compared = head.measured().baseline().isPresent();
        List<String> names = profile.columns().stream().map(c -> c.resource().name()).toList();
        json.writeName("columns").writeStartArray();
        for (Column column : profile.columns()) {
            Resource resource = column.resource();
            json.writeStartObject();
            json.writeStringProperty("name", resource.name());
            json.writeStringProperty("unit", resource.unit());
            json.writeStringProperty("kind", resource.kind().name().toLowerCase(Locale.ROOT));
            json.writeNumberProperty("perUnit", resource.perUnit());
            if (!compared) {
                json.writeStringProperty("subtitle", subtitle(head.of(resource)));
            }
            json.writeEndObject();
        }
        json.writeEndArray();
        String shown = head.measured().resource().name();
        json.writeNumberProperty("initialColumn", Math.max(0, names.indexOf(shown)));
        int baseline = names.indexOf(shown + Operations.BASELINE);
        if (baseline >= 0) {
            json.writeName("compare").writeStartObject();
            json.writeNumberProperty("baseline", baseline);
            json.writeNumberProperty("current", names.indexOf(shown));
            json.writeEndObject();
        }
    }

    private static char letter(Consumer consumer) {
        ConsumerType type = consumer.type();
        return switch (type) {
            case ROOT -> 'r';
            case METHOD -> consumer.owner().isEmpty() ? 'n' : 'm';
            case CLASS -> 'c';
            case PACKAGE -> 'p';
            case THREAD -> 't';
            case LOCK_CLASS, LOCK -> 'l';
            default -> 'k';
        };
    }
}
