package dev.heatline.formats.jfr;

import dev.heatline.model.Moments;
import dev.heatline.model.MomentsByResource;
import dev.heatline.model.Provenance;
import java.util.Map;
import java.util.TreeMap;

/** Counts and moments for the provenance while they are still growing. */
final class Counts {
    private final Map<String, Long> counts = new TreeMap<>();
    private final MomentsByResource moments = new MomentsByResource();

    void add(String name, long amount) {
        if (amount != 0) {
            counts.merge(name, amount, Long::sum);
        }
    }

    /** Adds when a resource was observed. */
    void add(String resource, Moments when) {
        moments.of(resource).add(when);
    }

    Provenance addedTo(Provenance provenance) {
        Provenance result = provenance;
        for (Map.Entry<String, Long> count : counts.entrySet()) {
            result = result.plusCount(count.getKey(), count.getValue());
        }
        return moments.addedTo(result);
    }
}
