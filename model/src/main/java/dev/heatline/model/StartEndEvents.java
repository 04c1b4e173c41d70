package dev.heatline.model;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Builds a Profile from start and end events of consumers, each with a reading of one monotonic
 * resource (004, "Building the arcflow model"). What the reading grew between two events is charged
 * to the consumer that was running, or to the thread itself while nothing had started.
 *
 * <p>An end closes everything that started after its consumer and did not end: an exception leaves
 * that way. An end whose start was never seen is counted as {@link #UNMATCHED} and changes nothing.
 */
public final class StartEndEvents {

    /** The {@link Provenance} count of ends without a start. */
    public static final String UNMATCHED = "unmatched";

    private final ProfileBuilder builder = new ProfileBuilder();
    private final ColumnBuilder values;
    private final ColumnBuilder occurrences;
    private final Map<Consumer, OpenCalls> threads = new HashMap<>();
    private OpenCalls running = new OpenCalls(Column.NO_THREAD);
    private boolean started;
    private long lastReading;
    private long unmatched;

    /**
     * @param resource what the readings measure; its occurrences name what a start counts as
     * @param consumerLabel what consumers are called
     */
    public StartEndEvents(Resource resource, String consumerLabel) {
        builder.consumerLabel(consumerLabel);
        values = builder.column(resource);
        occurrences = builder.column(Resource.count(resource.occurrences()));
    }

    /** All that follows happens on this thread. */
    public void switchTo(long reading, Consumer thread) {
        advance(reading);
        running = threads.computeIfAbsent(thread, added -> new OpenCalls(builder.consumer(added)));
    }

    public void start(long reading, Consumer consumer) {
        advance(reading);
        int node = builder.child(running.top(), builder.consumer(consumer), Site.NONE);
        running.push(node, builder.consumer(consumer));
        occurrences.add(node, running.thread, 1);
    }

    public void end(long reading, Consumer consumer) {
        advance(reading);
        if (!running.close(builder.consumer(consumer))) {
            unmatched++;
        }
    }

    /** Charges what was used up to this reading; nothing starts or ends. */
    public void advance(long reading) {
        if (started) {
            if (reading < lastReading) {
                throw new ModelException(
                        "reading goes back: the resource of a trace must never decrease");
            }
            values.add(running.top(), running.thread, reading - lastReading);
        }
        started = true;
        lastReading = reading;
    }

    /** Ends this object. Calls still open keep what was charged to them. */
    public Profile build(Provenance provenance) {
        return builder.build(provenance.plusCount(UNMATCHED, unmatched));
    }

    /** The calls of one thread that have started and not ended, outermost first. */
    private static final class OpenCalls {
        private final int thread;
        private int[] nodes = new int[32];
        private int[] consumers = new int[32];
        private int depth;

        /** How many calls of each consumer are open, so that an unmatched end costs no search. */
        private int[] open = new int[32];

        OpenCalls(int thread) {
            this.thread = thread;
        }

        int top() {
            return depth == 0 ? Profile.ROOT : nodes[depth - 1];
        }

        void push(int node, int consumer) {
            if (depth == nodes.length) {
                nodes = Arrays.copyOf(nodes, depth * 2);
                consumers = Arrays.copyOf(consumers, depth * 2);
            }
            if (consumer >= open.length) {
                open = Arrays.copyOf(open, Math.max(consumer + 1, open.length * 2));
            }
            open[consumer]++;
            nodes[depth] = node;
            consumers[depth++] = consumer;
        }

        /** Closes the innermost call of this consumer and all calls inside it, if there is one. */
        boolean close(int consumer) {
            if (consumer >= open.length || open[consumer] == 0) {
                return false;
            }
            int closed;
            do {
                closed = consumers[--depth];
                open[closed]--;
            } while (closed != consumer);
            return true;
        }
    }
}
