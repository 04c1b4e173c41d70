package dev.heatline.store;

import dev.heatline.model.Moments;
import dev.heatline.model.Resource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sums up what the profiles of a selection used of one resource, piece by piece of the time. */
final class Timeline {
    /** Some 146 years from 1970, so that differences of times do not overflow. */
    private static final long FARTHEST = (1L << 62) - 1;

    private final Dictionaries dictionaries;
    private final long application;
    private final Map<Long, List<Shape>> shapes = new HashMap<>();
    private final String resource;
    private final long from;
    private final long until;
    private final long[] values;

    private @Nullable Resource meaning;

    /** The finest unit seen so far, which all values are in. */
    private long perUnit = 1;

    Timeline(
            Dictionaries dictionaries,
            long application,
            Selection selection,
            String resource,
            int pieces) {
        this.dictionaries = dictionaries;
        this.application = application;
        this.resource = resource;
        from = Math.clamp(Keys.nanos(selection.from()), -FARTHEST, FARTHEST);
        until = Math.clamp(Keys.nanos(selection.until()), from, FARTHEST);
        values = new long[pieces];
    }

    void add(byte[] headKey, Head head) {
        List<Resource> resources = shape(head).resources();
        for (int i = 0; i < resources.size(); i++) {
            if (resources.get(i).name().equals(resource) && meansTheSame(resources.get(i))) {
                long total = inFinestUnit(resources.get(i), head.totals().get(i));
                long begin = Keys.fromNanos(headKey);
                long end = Math.max(begin, head.untilNanos());
                int observations = place(resources, resources.get(i).occurrences());
                if (!spreadBy(i, head, total, begin, end)
                        && !spreadBy(observations, head, total, begin, end)) {
                    spread(total, begin, end);
                }
            }
        }
    }

    /** Where the resource of a name is; -1 if nowhere. */
    private static int place(List<Resource> resources, String name) {
        return resources.stream().map(Resource::name).toList().indexOf(name);
    }

    /** Spreads an amount by the moments of the resource at a place; false if it has none. */
    private boolean spreadBy(int place, Head head, long total, long begin, long end) {
        Moments when = head.moments().at(place);
        if (when.isEmpty()) {
            return false;
        }
        spread(total, begin, end, when, head.totals().get(place));
        return true;
    }

    /** Whether a resource is what the first of its name was; another one cannot be added to it. */
    private boolean meansTheSame(Resource measured) {
        Resource first = meaning;
        if (first == null) {
            meaning = measured;
            return true;
        }
        return first.withPerUnit(measured.perUnit()).equals(measured);
    }

    List<Store.Bucket> buckets() {
        List<Store.Bucket> buckets = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            buckets.add(new Store.Bucket(Keys.time(start(i)), Keys.time(start(i + 1)), values[i]));
        }
        return buckets;
    }

    private Shape shape(Head head) {
        return shapes.computeIfAbsent(head.dictionary(), this::shapes).get(head.shape());
    }

    private List<Shape> shapes(long dictionary) {
        try (Dictionaries.Use use = dictionaries.use(application, dictionary)) {
            return use.dictionary().view().shapes();
        }
    }

    private long inFinestUnit(Resource measured, long total) {
        if (measured.perUnit() > perUnit) {
            long factor = measured.perUnit() / perUnit;
            for (int i = 0; i < values.length; i++) {
                values[i] *= factor;
            }
            perUnit = measured.perUnit();
        }
        return total * (perUnit / measured.perUnit());
    }

    /**
     * By when it was observed, as far as that is known and lies in the time of the profile; the
     * rest evenly.
     *
     * @param observed how much was observed in all, also when nobody knows when
     */
    private void spread(long total, long begin, long end, Moments when, long observed) {
        double all = Math.max(observed, when.total());
        double sum = 0;
        long before = 0;
        for (int i = 0; i < when.size(); i++) {
            long start = Math.max(begin, nanos(when, i));
            long stop = Math.min(end, nanos(when, i + 1));
            if (when.amount(i) > 0 && start < stop) {
                sum += when.amount(i);
                long upTo = Math.round(total * (sum / all));
                if (start < until && stop > from) {
                    spread(upTo - before, start, stop);
                }
                before = upTo;
            }
        }
        if (before < total) {
            spread(total - before, begin, end);
        }
    }

    /** Where a stretch of moments begins. */
    private static long nanos(Moments when, int stretch) {
        return Keys.nanos(Instant.ofEpochSecond((when.first() + stretch) * when.seconds()));
    }

    /** The parts add up to the whole: each is the difference of two rounded sums. */
    private void spread(long total, long begin, long end) {
        double length = Math.max(1.0, (double) end - begin);
        int first = piece(begin);
        int last = piece(Math.max(begin, end - 1));
        long before = begin >= from ? 0 : Math.round(total * ((from - (double) begin) / length));
        for (int i = first; i <= last; i++) {
            double share = Math.min(1.0, (start(i + 1) - (double) begin) / length);
            long upTo = end <= start(i + 1) ? total : Math.round(total * share);
            values[i] += upTo - before;
            before = upTo;
        }
    }

    private long start(int piece) {
        long length = (until - from) / values.length;
        long rest = (until - from) % values.length;
        return from + length * piece + rest * piece / values.length;
    }

    private int piece(long time) {
        double share = ((double) time - from) / Math.max(1.0, (double) until - from);
        int piece = Math.clamp((long) (share * values.length), 0, values.length - 1);
        while (piece > 0 && start(piece) > time) {
            piece--;
        }
        while (piece < values.length - 1 && start(piece + 1) <= time) {
            piece++;
        }
        return piece;
    }
}
