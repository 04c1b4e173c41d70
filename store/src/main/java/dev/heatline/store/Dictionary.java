package dev.heatline.store;

import dev.heatline.model.Consumer;
import dev.heatline.model.ConsumerType;
import dev.heatline.model.Profile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Numbers for the consumers and calling contexts of an application, so that a stored profile is
 * little more than its values: an application does the same things minute after minute.
 *
 * <p>Only grows. Ids below the sizes of a {@link View} mean the same for ever, so readers need no
 * lock once they have one. New ids may be used by others only after they have been written, which
 * the lock of the application takes care of.
 */
final class Dictionary {
    static final int ROOT = 0;

    private static final byte CONSUMERS = 'c';
    private static final byte CONTEXTS = 'x';
    private static final byte SHAPES = 's';
    private static final int EMPTY = 0;

    /** What a context takes in the arrays, which are half full at the worst. */
    private static final long BYTES_PER_CONTEXT = 40;

    /** What a consumer or shape takes besides its text: objects, and entries of list and map. */
    private static final long BYTES_PER_NAME = 240;

    private final long application;
    private final long number;
    private final Map<Consumer, Integer> consumerIds = new HashMap<>();
    private final List<Consumer> consumers = new ArrayList<>();
    private final Map<Shape, Integer> shapeIds = new HashMap<>();
    private final List<Shape> shapes = new ArrayList<>();

    private long nameBytes;
    private int contexts;
    private int[] parents = new int[64];
    private int[] consumerOf = new int[64];
    private int[] sites = new int[64];

    /** Open addressing over (parent, consumer, site): context + 1, or EMPTY. At most half full. */
    private int[] slots = new int[128];

    private int savedConsumers;
    private int savedContexts;
    private int savedShapes;

    /** What ids mean, up to the sizes of the moment it was taken. */
    record View(List<Consumer> consumers, List<Shape> shapes, Contexts contexts) {}

    /** The contexts of a view; a parent's id is smaller than its children's. */
    static final class Contexts {
        private final int size;
        private final int[] parents;
        private final int[] consumers;
        private final int[] sites;

        private Contexts(int size, int[] parents, int[] consumers, int[] sites) {
            this.size = size;
            this.parents = parents;
            this.consumers = consumers;
            this.sites = sites;
        }

        int size() {
            return size;
        }

        int parent(int context) {
            return parents[context];
        }

        int consumer(int context) {
            return consumers[context];
        }

        int site(int context) {
            return sites[context];
        }
    }

    /** The ids that a profile's consumers and nodes have here. */
    static final class Ids {
        final int shape;
        final int[] consumers;
        final int[] contexts;

        private Ids(int shape, int[] consumers, int[] contexts) {
            this.shape = shape;
            this.consumers = consumers;
            this.contexts = contexts;
        }
    }

    private Dictionary(long application, long number) {
        this.application = application;
        this.number = number;
        addContext(ROOT, consumer(Consumer.ROOT), 0);
        savedConsumers = 1;
        savedContexts = 1;
    }

    /** The one that was saved under this number; one that knows only the root if none was. */
    static Dictionary load(long application, long number, Reading reading) {
        Dictionary dictionary = new Dictionary(application, number);
        byte[] start = Keys.dictionary(application, number);
        try (Scan scan = reading.scan(start, Keys.after(start))) {
            for (; scan.isValid(); scan.next()) {
                dictionary.read(scan.key()[start.length], new Input(scan.value()));
            }
        }
        dictionary.saved();
        return dictionary;
    }

    /** How much memory it takes, about. */
    synchronized long bytes() {
        return nameBytes + BYTES_PER_CONTEXT * contexts;
    }

    /** How much memory one takes that knows just what a profile has, about. O(its consumers). */
    static long bytesOf(Profile profile) {
        long bytes = BYTES_PER_CONTEXT * profile.nodeCount();
        for (int id = 0; id < profile.consumerCount(); id++) {
            bytes += bytesOf(profile.consumerAt(id));
        }
        return bytes + bytesOf(Shape.of(profile));
    }

    private static long bytesOf(Consumer consumer) {
        return BYTES_PER_NAME
                + consumer.owner().length()
                + consumer.name().length()
                + consumer.descriptor().length();
    }

    private static long bytesOf(Shape shape) {
        return BYTES_PER_NAME + shape.textLength();
    }

    /** Finds or makes the ids of all that a profile has. O(its nodes). */
    synchronized Ids intern(Profile profile) {
        int[] newConsumer = new int[profile.consumerCount()];
        for (int id = 0; id < newConsumer.length; id++) {
            newConsumer[id] = consumer(profile.consumerAt(id));
        }
        int[] newContext = new int[profile.nodeCount()];
        for (int node = 1; node < newContext.length; node++) {
            newContext[node] =
                    context(
                            newContext[profile.parent(node)],
                            newConsumer[profile.consumer(node)],
                            profile.site(node));
        }
        return new Ids(shape(Shape.of(profile)), newConsumer, newContext);
    }

    synchronized View view() {
        return new View(
                List.copyOf(consumers),
                List.copyOf(shapes),
                new Contexts(contexts, parents, consumerOf, sites));
    }

    private int consumer(Consumer consumer) {
        Integer id = consumerIds.putIfAbsent(consumer, consumers.size());
        if (id != null) {
            return id;
        }
        consumers.add(consumer);
        nameBytes += bytesOf(consumer);
        return consumers.size() - 1;
    }

    private int shape(Shape shape) {
        Integer id = shapeIds.putIfAbsent(shape, shapes.size());
        if (id != null) {
            return id;
        }
        shapes.add(shape);
        nameBytes += bytesOf(shape);
        return shapes.size() - 1;
    }

    private int context(int parent, int consumer, int site) {
        int mask = slots.length - 1;
        int slot = hash(parent, consumer, site) & mask;
        while (slots[slot] != EMPTY) {
            int context = slots[slot] - 1;
            if (parents[context] == parent
                    && consumerOf[context] == consumer
                    && sites[context] == site) {
                return context;
            }
            slot = (slot + 1) & mask;
        }
        return addContext(parent, consumer, site);
    }

    private int addContext(int parent, int consumer, int site) {
        if (contexts == parents.length) {
            parents = Arrays.copyOf(parents, contexts * 2);
            consumerOf = Arrays.copyOf(consumerOf, contexts * 2);
            sites = Arrays.copyOf(sites, contexts * 2);
            slots = new int[contexts * 4];
            for (int context = 1; context < contexts; context++) {
                enter(context);
            }
        }
        parents[contexts] = parent;
        consumerOf[contexts] = consumer;
        sites[contexts] = site;
        // The root is nobody's child and never looked for.
        if (contexts != ROOT) {
            enter(contexts);
        }
        return contexts++;
    }

    private void enter(int context) {
        int mask = slots.length - 1;
        int slot = hash(parents[context], consumerOf[context], sites[context]) & mask;
        while (slots[slot] != EMPTY) {
            slot = (slot + 1) & mask;
        }
        slots[slot] = context + 1;
    }

    private static int hash(int parent, int consumer, int site) {
        long mixed = (parent * 31L + consumer) * 0x9E3779B97F4A7C15L + site;
        mixed *= 0x9E3779B97F4A7C15L;
        return (int) (mixed >>> 32);
    }

    /** Puts what is new since the last time into a batch. */
    synchronized void appendTo(Batch batch) {
        if (savedConsumers < consumers.size()) {
            Output out = new Output();
            for (Consumer consumer : consumers.subList(savedConsumers, consumers.size())) {
                out.text(consumer.type().name())
                        .text(consumer.owner())
                        .text(consumer.name())
                        .text(consumer.descriptor());
            }
            batch.put(
                    Keys.dictionary(application, number, CONSUMERS, savedConsumers), out.toBytes());
        }
        if (savedShapes < shapes.size()) {
            Output out = new Output();
            shapes.subList(savedShapes, shapes.size()).forEach(shape -> shape.write(out));
            batch.put(Keys.dictionary(application, number, SHAPES, savedShapes), out.toBytes());
        }
        if (savedContexts < contexts) {
            Output out = new Output();
            for (int context = savedContexts; context < contexts; context++) {
                // Most contexts follow their caller.
                out.number(context - 1 - parents[context])
                        .number(consumerOf[context])
                        .number(sites[context]);
            }
            batch.put(Keys.dictionary(application, number, CONTEXTS, savedContexts), out.toBytes());
        }
    }

    /** What {@link #appendTo} put has been written. */
    synchronized void saved() {
        savedConsumers = consumers.size();
        savedContexts = contexts;
        savedShapes = shapes.size();
    }

    private void read(byte part, Input in) {
        while (!in.isAtEnd()) {
            switch (part) {
                case CONSUMERS ->
                        consumer(
                                new Consumer(
                                        ConsumerType.valueOf(in.text()),
                                        in.text(),
                                        in.text(),
                                        in.text()));
                case SHAPES -> shape(Shape.read(in));
                case CONTEXTS -> addContext(contexts - 1 - in.small(), in.small(), in.small());
                default -> throw Input.damaged();
            }
        }
    }
}
