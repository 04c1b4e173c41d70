package dev.heatline.server.query;

import dev.heatline.model.ChangeArrow;
import dev.heatline.model.SamplingNoise;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/**
 * How the method times of a selection differ from those of a baseline (000 §3.4.3), found method by
 * method: an editor asks for a few of them, and does not wait until all are compared.
 */
final class Changes {
    private final Metrics before;
    private final Metrics now;

    /** The same in observations. */
    private final Metrics seenBefore;

    private final Metrics seenNow;

    private Changes(Metrics before, Metrics now, Metrics seenBefore, Metrics seenNow) {
        this.before = before;
        this.now = now;
        this.seenBefore = seenBefore;
        this.seenNow = seenNow;
    }

    /**
     * Empty if nothing can be said of changes. A part that the baseline does not have, but others,
     * is new.
     */
    static Optional<Changes> between(Chosen before, Chosen now) {
        if (before.isUnknown() || now.isEmpty()) {
            return Optional.empty();
        }
        Metrics current = now.metrics();
        Optional<String> resource = Optional.of(current.resource().name());
        Optional<String> occurrences =
                current.counted() ? Optional.of(current.resource().occurrences()) : resource;
        return Optional.of(
                new Changes(
                        before.part().metrics(resource),
                        current,
                        before.part().metrics(occurrences),
                        now.part().metrics(occurrences)));
    }

    /** Writes what became of a method as properties of the open object. */
    void json(JsonGenerator json, int method) {
        int earlier = before.profile().idOf(now.profile().consumerAt(method));
        long oldCum = earlier < 0 ? 0 : before.graph().cum(earlier);
        double oldTime = earlier < 0 ? 0 : before.graph().methodTime(earlier);
        double newTime = now.graph().methodTime(method);
        json.writeName("baseline").writeStartObject();
        json.writeNumberProperty("cum", before.exact(oldCum));
        json.writeNumberProperty("methodTime", oldTime);
        json.writeEndObject();
        json.writeNumberProperty("angle", ChangeArrow.of(oldTime, newTime).angle());
        long oldSeen = earlier < 0 ? 0 : seenBefore.graph().cum(earlier);
        long newSeen = seenNow.graph().cum(method);
        if (now.counted()
                && now.resource().isSampled()
                && isEven(before, oldCum, seenBefore, oldSeen)
                && isEven(now, now.graph().cum(method), seenNow, newSeen)) {
            json.writeNumberProperty(
                    "noise",
                    SamplingNoise.probability(
                            oldSeen, seenBefore.total(), newSeen, seenNow.total()));
        } else {
            json.writeNullProperty("noise");
        }
    }

    /** Whether the samples of a method stand for as much as those of the others. */
    private static boolean isEven(Metrics values, long cum, Metrics seen, long samples) {
        double share = (double) cum / values.total();
        double sampleShare = (double) samples / seen.total();
        return Math.abs(share - sampleShare) < 1e-9;
    }
}
