package dev.heatline.model;

import java.util.Map;
import java.util.TreeMap;

/** The moments of several resources while they are still growing. */
public final class MomentsByResource {
    private final Map<String, Moments.Builder> moments = new TreeMap<>();

    /** Those of one resource, to be added to. */
    public Moments.Builder of(String resource) {
        return moments.computeIfAbsent(resource, _ -> new Moments.Builder());
    }

    public Provenance addedTo(Provenance provenance) {
        Provenance result = provenance;
        for (Map.Entry<String, Moments.Builder> when : moments.entrySet()) {
            result = result.plusMoments(when.getKey(), when.getValue().build());
        }
        return result;
    }

    public void clear() {
        moments.clear();
    }
}
