package dev.heatline.formats;

import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.ConsumerType;
import dev.heatline.model.Profile;
import dev.heatline.model.Resource;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes a Profile as a trace that yields its tree again: every node starts and ends as often as it
 * occurred, all it used by itself and everything below it falls into its first occurrence.
 */
final class TraceWriter {

    /** Beyond this a trace is not a useful way to hold a profile. */
    private static final long MAX_OCCURRENCES = 5_000_000;

    private final Profile profile;
    private final OutputStream out;
    private final TraceUnit unit;
    private final byte[][] names;
    private final ConsumerText text;
    private final Column column;
    private final Column counts;
    private final ThreadRows columnRows;
    private final ThreadRows countRows;

    /** What the thread in turn used in each node, and how often that occurred. */
    private final long[] used;

    private final long[] occurred;

    /** The nodes that it reached. */
    private final int[] reached;

    private final boolean[] isReached;
    private int reachedCount;
    private int[] open = new int[64];
    private int depth;
    private long reading;

    private TraceWriter(Profile profile, OutputStream out, Column column, Column counts) {
        this.profile = profile;
        this.out = out;
        this.unit = TraceUnit.of(column.resource());
        this.column = column;
        this.counts = counts;
        this.columnRows = new ThreadRows(column, profile.consumerCount());
        this.countRows = new ThreadRows(counts, profile.consumerCount());
        this.used = new long[profile.nodeCount()];
        this.occurred = new long[profile.nodeCount()];
        this.isReached = new boolean[profile.nodeCount()];
        this.reached = new int[profile.nodeCount()];
        this.names = new byte[profile.consumerCount()][];
        this.text = TraceReader.consumerText(profile.consumerLabel());
    }

    static void write(Profile profile, OutputStream out, WriteOptions options) throws IOException {
        Column column = ResourceChoice.used(profile, options);
        if (column == null) {
            line(out, TraceLine.CONSUMER + " " + binding(profile.consumerLabel()));
            return;
        }
        Resource resource = column.resource();
        Column counts = counts(profile, resource);
        line(out, TraceLine.RESOURCE + " " + binding(resource.name()) + " " + unitOf(resource));
        line(out, TraceLine.CONSUMER + " " + binding(profile.consumerLabel()));
        line(out, TraceLine.OCCURRENCES + " " + binding(resource.occurrences()));
        TraceWriter writer = new TraceWriter(profile, out, column, counts);
        writer.thread(Column.NO_THREAD);
        for (int thread : profile.threads()) {
            writer.thread(thread);
        }
    }

    private static Column counts(Profile profile, Resource resource) {
        Column counts =
                profile.occurrences(resource)
                        .orElseThrow(
                                () ->
                                        new FormatException(
                                                "a trace needs to know how often each context"
                                                        + " occurred, but the profile has no "
                                                        + resource.occurrences()));
        if (counts.total() > MAX_OCCURRENCES) {
            throw new FormatException(
                    "a trace of "
                            + counts.total()
                            + " "
                            + counts.resource().name()
                            + " would be too long (at most "
                            + MAX_OCCURRENCES
                            + ")");
        }
        return counts;
    }

    /** Everything of one thread. O(n log n) for the n nodes that it reached. */
    private void thread(int thread) throws IOException {
        if (!column.resource().isOccurrences()) {
            enter(column, columnRows.of(thread), used);
        }
        enter(counts, countRows.of(thread), occurred);
        if (reachedCount == 0) {
            return;
        }
        if (thread == Column.NO_THREAD) {
            event(TraceLine.READING, new byte[0]);
        } else {
            event(TraceLine.THREAD, threadName(profile.consumerAt(thread)));
        }
        if (used[Profile.ROOT] > 0) {
            reading += used[Profile.ROOT];
            event(TraceLine.READING, new byte[0]);
        }
        Arrays.sort(reached, 0, reachedCount);
        for (int i = 0; i < reachedCount; i++) {
            if (reached[i] != Profile.ROOT) {
                closeUntil(reached[i]);
                start(reached[i]);
            }
        }
        closeUntil(profile.nodeCount());
        forget();
    }

    /** Adds the rows of a thread, and notes their nodes and all above them as reached. */
    private void enter(Column from, int[] rows, long[] values) {
        for (int row : rows) {
            long value = from.value(row);
            if (value > 0) {
                values[from.node(row)] += value;
                reach(from.node(row));
            }
        }
    }

    private void reach(int leaf) {
        for (int node = leaf; !isReached[node]; node = profile.parent(node)) {
            isReached[node] = true;
            reached[reachedCount++] = node;
            if (node == Profile.ROOT) {
                return;
            }
        }
    }

    private void forget() {
        for (int i = 0; i < reachedCount; i++) {
            used[reached[i]] = 0;
            occurred[reached[i]] = 0;
            isReached[reached[i]] = false;
        }
        reachedCount = 0;
    }

    private void start(int node) throws IOException {
        if (occurred[node] == 0) {
            throw new FormatException(
                    "a trace cannot hold "
                            + profile.consumerOf(node).display()
                            + ": it used something but never occurred in that context");
        }
        event(TraceLine.START, name(node));
        reading += used[node];
        if (depth == open.length) {
            open = Arrays.copyOf(open, depth * 2);
        }
        open[depth++] = node;
    }

    private void closeUntil(int node) throws IOException {
        while (depth > 0 && profile.end(open[depth - 1]) <= node) {
            int closed = open[--depth];
            byte[] name = name(closed);
            event(TraceLine.END, name);
            for (long again = 1; again < occurred[closed]; again++) {
                event(TraceLine.START, name);
                event(TraceLine.END, name);
            }
        }
    }

    private void event(char event, byte[] name) throws IOException {
        out.write(unit.written(reading).getBytes(StandardCharsets.US_ASCII));
        if (event != TraceLine.READING) {
            out.write(' ');
            out.write(event);
            out.write(' ');
            out.write(name);
        }
        out.write('\n');
    }

    private byte[] name(int node) {
        int id = profile.consumer(node);
        if (names[id] == null) {
            names[id] = edged(text.write(profile.consumerAt(id)));
        }
        return names[id];
    }

    private static byte[] threadName(Consumer thread) {
        return edged(ConsumerText.dotted(ConsumerType.THREAD).write(thread));
    }

    private static byte[] edged(String name) {
        return Escapes.escapeEdges(name).getBytes(StandardCharsets.UTF_8);
    }

    private static String unitOf(Resource resource) {
        return Escapes.escape(resource.unit(), " ");
    }

    private static String binding(String label) {
        return Escapes.escapeEdges(Escapes.escape(label, ""));
    }

    private static void line(OutputStream out, String line) throws IOException {
        out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
