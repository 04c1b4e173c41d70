package dev.heatline.store;

import dev.heatline.model.Column;
import dev.heatline.model.Operations;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Adds stored profiles to a builder. Names are looked at once for each dictionary; a profile is
 * then a matter of array look-ups. Only the last dictionary is held, so profiles of one dictionary
 * should come together.
 */
final class Merge {
    private static final int UNKNOWN = -1;

    private final Dictionaries dictionaries;
    private final long application;
    private final ProfileBuilder into;
    private final Set<String> consumerLabels = new HashSet<>();
    private final Totals totals = new Totals();
    private final Map<String, Long> counts = new HashMap<>();
    private @Nullable Translation translation;
    private Provenance provenance = Provenance.NONE;
    private long profiles;

    /** From the ids of a dictionary to those of the builder. */
    private final class Translation {
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

        int node(int context) {
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

        int consumer(int id) {
            if (id < 0 || id >= consumers.length) {
                throw Input.damaged();
            }
            if (consumers[id] == UNKNOWN) {
                consumers[id] = into.consumer(dictionary.consumers().get(id));
            }
            return consumers[id];
        }
    }

    /** Which nodes and threads the values of a column belong to, in the ids of the builder. */
    private static final class Rows {
        private final int[] nodes;
        private final int[] threads;

        private Rows(int[] nodes, int[] threads) {
            this.nodes = nodes;
            this.threads = threads;
        }
    }

    Merge(Dictionaries dictionaries, long application, ProfileBuilder into) {
        this.dictionaries = dictionaries;
        this.application = application;
        this.into = into;
    }

    /**
     * Adds a profile, unless it cannot be put together with those before.
     *
     * @return whether it was added; if not, nothing has changed
     */
    boolean add(Head head, byte[] body) {
        Translation from = translation(head.dictionary());
        if (head.shape() >= from.shapes.length) {
            throw Input.damaged();
        }
        Shape shape = from.dictionary.shapes().get(head.shape());
        if (!totals.add(shape.resources(), head.totals())) {
            return false;
        }
        addProvenance(head, shape, from);
        Input in = new Input(body);
        addBareLeaves(in, from);
        List<Rows> rows = new ArrayList<>();
        for (Resource resource : shape.resources()) {
            addColumn(resource, in, rows, from);
        }
        profiles++;
        return true;
    }

    long profiles() {
        return profiles;
    }

    Provenance provenance() {
        return new Provenance(
                provenance.facts(),
                new TreeMap<>(counts),
                provenance.fromNanos(),
                provenance.untilNanos());
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

    private void addProvenance(Head head, Shape shape, Translation translation) {
        if (!translation.shapes[head.shape()]) {
            translation.shapes[head.shape()] = true;
            provenance =
                    provenance.merge(
                            new Provenance(
                                    shape.facts(),
                                    new TreeMap<>(),
                                    Provenance.UNKNOWN_TIME,
                                    Provenance.UNKNOWN_TIME));
            consumerLabels.add(shape.consumerLabel());
            into.consumerLabel(
                    consumerLabels.size() == 1
                            ? shape.consumerLabel()
                            : Operations.MIXED_CONSUMERS);
        }
        for (int i = 0; i < head.counts().size(); i++) {
            counts.merge(shape.counts().get(i), head.counts().get(i), Long::sum);
        }
        if (head.coveredFromNanos() < provenance.fromNanos()
                || head.coveredUntilNanos() > provenance.untilNanos()
                || provenance.fromNanos() == Provenance.UNKNOWN_TIME) {
            provenance =
                    provenance.merge(
                            new Provenance(
                                    new TreeMap<>(),
                                    new TreeMap<>(),
                                    head.coveredFromNanos(),
                                    head.coveredUntilNanos()));
        }
    }

    private void addBareLeaves(Input in, Translation translation) {
        int context = 0;
        for (int left = in.count(); left > 0; left--) {
            context += in.small();
            translation.node(context);
        }
    }

    private void addColumn(
            Resource resource, Input in, List<Rows> earlier, Translation translation) {
        int same = in.small();
        if (same > earlier.size()) {
            throw Input.damaged();
        }
        Rows rows = same > 0 ? earlier.get(same - 1) : rows(in, translation);
        earlier.add(rows);
        long unit = in.number();
        long[] values = new long[rows.nodes.length];
        for (int row = 0; row < values.length; row++) {
            values[row] = in.number() * unit;
        }
        into.addRows(resource, rows.nodes, rows.threads, values);
    }

    private static Rows rows(Input in, Translation translation) {
        int[] nodes = new int[in.count()];
        int context = 0;
        for (int row = 0; row < nodes.length; row++) {
            context += in.small();
            nodes[row] = translation.node(context);
        }
        int[] places = new int[in.count()];
        for (int i = 0; i < places.length; i++) {
            int thread = in.small();
            places[i] = thread == 0 ? Column.NO_THREAD : translation.consumer(thread - 1);
        }
        int[] threads = new int[nodes.length];
        for (int row = 0; row < threads.length; row++) {
            int place = places.length > 1 ? in.small() : 0;
            if (place >= places.length) {
                throw Input.damaged();
            }
            threads[row] = places[place];
        }
        return new Rows(nodes, threads);
    }
}
