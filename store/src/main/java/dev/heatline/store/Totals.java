package dev.heatline.store;

import dev.heatline.model.Resource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the names of resources mean in a merge, and how much of each there is: a profile that means
 * something else by a name, or would be too much for a number, does not fit.
 */
final class Totals {
    private final Map<String, Total> totals = new HashMap<>();

    private record Total(Resource resource, long amount) {

        /** In the finer of both units; throws {@link ArithmeticException} if it is too large. */
        Total plus(Total more) {
            long perUnit = Math.max(resource.perUnit(), more.resource.perUnit());
            return new Total(
                    resource.withPerUnit(perUnit),
                    Math.addExact(amountIn(perUnit), more.amountIn(perUnit)));
        }

        private long amountIn(long perUnit) {
            return Math.multiplyExact(amount, perUnit / resource.perUnit());
        }

        boolean meansTheSameAs(Resource other) {
            return resource.withPerUnit(other.perUnit()).equals(other);
        }
    }

    /** All resources so far, each in its finest unit. */
    SortedMap<String, Resource> resources() {
        SortedMap<String, Resource> resources = new TreeMap<>();
        totals.forEach((name, total) -> resources.put(name, total.resource));
        return resources;
    }

    /** Adds the totals of a profile, unless it does not fit: then nothing changes. */
    boolean add(List<Resource> resources, List<Long> amounts) {
        Map<String, Total> sums = new HashMap<>();
        for (int i = 0; i < resources.size(); i++) {
            Total more = new Total(resources.get(i), amounts.get(i));
            Total known = totals.get(more.resource.name());
            if (known != null && !known.meansTheSameAs(more.resource)) {
                return false;
            }
            try {
                sums.put(more.resource.name(), known == null ? more : known.plus(more));
            } catch (ArithmeticException e) {
                return false;
            }
        }
        totals.putAll(sums);
        return true;
    }
}
