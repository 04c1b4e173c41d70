package dev.heatline.formats.jfr;

import dev.heatline.model.Provenance;
import java.util.Map;
import java.util.TreeMap;

/** Counts for the provenance while they are still growing. */
final class Counts {
    private final Map<String, Long> counts = new TreeMap<>();

    void add(String name, long amount) {
        if (amount != 0) {
            counts.merge(name, amount, Long::sum);
        }
    }

    Provenance addedTo(Provenance provenance) {
        Provenance result = provenance;
        for (Map.Entry<String, Long> count : counts.entrySet()) {
            result = result.plusCount(count.getKey(), count.getValue());
        }
        return result;
    }
}
