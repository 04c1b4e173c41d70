package dev.heatline.store;

import dev.heatline.model.MomentsByResource;
import dev.heatline.model.Operations;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Adds stored profiles to a builder. Names are looked at once for each dictionary; a profile is
 * then a matter of array look-ups. Only the last dictionary is held, so profiles of one dictionary
 * should come together.
 */
final class Merge {
    private static final int UNKNOWN = -1;

    private final Reading reading;
    private final Dictionaries dictionaries;
    private final long application;
    private final ProfileBuilder into;
    private final Set<String> consumerLabels = new HashSet<>();
    private final Totals totals = new Totals();
    private final Map<String, Long> counts = new HashMap<>();
    private final MomentsByResource moments = new MomentsByResource();
    private @Nullable Translation translation;
    private Provenance provenance = Provenance.NONE;
    private long profiles;

    /** From the ids of a dictionary to those of the builder. */
    private final class Translation implements BodyReader.Ids {
        private final long number;
        private final Dictionary.View dictionary;
        private final int[] nodes;
        private final int[] consumers;
        private final boolean[] shapes;

        private Translation(long number, Dictionary.View dictionary) {
            this.number = number;
            this.dictionary = dictionary;
            nodes = new int[dictionary.contexts().size()];
            Arrays.fill(nodes, UNKNOWN);
            nodes[Dictionary.ROOT] = Dictionary.ROOT;
            consumers = new int[dictionary.consumers().size()];
            Arrays.fill(consumers, UNKNOWN);
            shapes = new boolean[dictionary.shapes().size()];
        }

        @Override
        public int node(int context) {
            if (context < 0 || context >= nodes.length) {
                throw Input.damaged();
            }
            if (nodes[context] == UNKNOWN) {
                enter(context);
            }
            return nodes[context];
        }

        /** Stacks may be deeper than ours is: goes up by steps, then down. */
        private void enter(int context) {
            Dictionary.Contexts contexts = dictionary.contexts();
            int depth = 0;
            for (int at = context; nodes[at] == UNKNOWN; at = contexts.parent(at)) {
                depth++;
            }
            int[] path = new int[depth];
            for (int at = context; nodes[at] == UNKNOWN; at = contexts.parent(at)) {
                path[--depth] = at;
            }
            for (int at : path) {
                nodes[at] =
                        into.child(
                                nodes[contexts.parent(at)],
                                consumer(contexts.consumer(at)),
                                contexts.site(at));
            }
        }

        @Override
        public int consumer(int id) {
            if (id < 0 || id >= consumers.length) {
                throw Input.damaged();
            }
            if (consumers[id] == UNKNOWN) {
                consumers[id] = into.consumer(dictionary.consumers().get(id));
            }
            return consumers[id];
        }
    }

    Merge(Reading reading, Dictionaries dictionaries, long application, ProfileBuilder into) {
        this.reading = reading;
        this.dictionaries = dictionaries;
        this.application = application;
        this.into = into;
    }

    /**
     * Adds a profile, unless it cannot be put together with those before. If only a part of its
     * time is wanted, just what was observed then is added, provided that it tells when that was.
     *
     * @return whether it was added; if not, nothing has changed
     */
    boolean add(byte[] headKey, Head head, TimePart part) {
        Translation from = translation(head.dictionary());
        Shape shape = shape(head, from);
        if (!totals.add(shape.resources(), head.totals())) {
            return false;
        }
        byte[] values = reading.require(Keys.bodyOf(headKey));
        byte[] seconds = part.isAll() ? null : reading.get(Keys.secondsOf(headKey));
        if (seconds == null) {
            addWhole(head, shape, values, from);
        } else {
            Excerpt excerpt = new Excerpt(shape.resources(), values, seconds, part);
            addExcerpt(head, shape, excerpt, part, from);
        }
        profiles++;
        return true;
    }

    private void addWhole(Head head, Shape shape, byte[] values, Translation from) {
        addProvenance(head, shape, from, TimePart.ALL);
        addTime(head.coveredFromNanos(), head.coveredUntilNanos());
        BodyReader in = new BodyReader(values, from);
        in.bareLeaves();
        for (Resource resource : shape.resources()) {
            BodyReader.Values rows = in.next();
            into.addRows(resource, rows.nodes, rows.threads, rows.amounts);
        }
    }

    private void addExcerpt(
            Head head, Shape shape, Excerpt excerpt, TimePart part, Translation from) {
        addProvenance(head, shape, from, part);
        addTime(Math.max(part.begin(), part.from()), Math.min(part.end(), part.until()));
        for (int column = 0; column < shape.resources().size(); column++) {
            BodyReader.Values values = excerpt.column(column);
            int[] nodes = values.nodes;
            int[] threads = values.threads;
            for (int row = 0; row < nodes.length; row++) {
                nodes[row] = from.node(nodes[row]);
                threads[row] = BodyReader.thread(threads[row], from);
            }
            into.addRows(shape.resources().get(column), nodes, threads, values.amounts);
        }
    }

    private static Shape shape(Head head, Translation from) {
        if (head.shape() >= from.shapes.length) {
            throw Input.damaged();
        }
        return from.dictionary.shapes().get(head.shape());
    }

    long profiles() {
        return profiles;
    }

    SortedMap<String, Resource> resources() {
        return totals.resources();
    }

    Provenance provenance() {
        return moments.addedTo(
                new Provenance(
                        provenance.facts(),
                        new TreeMap<>(counts),
                        provenance.fromNanos(),
                        provenance.untilNanos(),
                        new TreeMap<>()));
    }

    private Translation translation(long number) {
        Translation last = translation;
        if (last != null && last.number == number) {
            return last;
        }
        // Two at a time may be too large.
        translation = null;
        try (Dictionaries.Use use = dictionaries.use(application, number)) {
            Translation next = new Translation(number, use.dictionary().view());
            translation = next;
            return next;
        }
    }

    /** What was counted in all of a profile is spread evenly over its time. */
    private void addProvenance(Head head, Shape shape, Translation translation, TimePart part) {
        if (!translation.shapes[head.shape()]) {
            translation.shapes[head.shape()] = true;
            provenance =
                    provenance.merge(
                            Provenance.NONE
                                    .withFacts(shape.facts())
                                    .tellingUntimedLocks(shape.counts()));
            consumerLabels.add(shape.consumerLabel());
            into.consumerLabel(
                    consumerLabels.size() == 1
                            ? shape.consumerLabel()
                            : Operations.MIXED_CONSUMERS);
        }
        for (int i = 0; i < head.counts().size(); i++) {
            long count = part.share(head.counts().get(i), TimePart.HALF);
            if (count != 0) {
                counts.merge(shape.counts().get(i), count, Long::sum);
            }
        }
        head.moments()
                .forEach(
                        (when, place) ->
                                moments.of(shape.resources().get(place).name())
                                        .add(part.isAll() ? when : when.during(part::includes)));
    }

    private void addTime(long fromNanos, long untilNanos) {
        if (fromNanos < provenance.fromNanos()
                || untilNanos > provenance.untilNanos()
                || provenance.fromNanos() == Provenance.UNKNOWN_TIME) {
            provenance = provenance.merge(Provenance.NONE.withTime(fromNanos, untilNanos));
        }
    }
}
