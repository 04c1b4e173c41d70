package dev.heatline.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.heatline.model.Column;
import dev.heatline.model.ColumnBuilder;
import dev.heatline.model.ModelException;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Resource;
import java.io.ByteArrayOutputStream;

/**
 * Collapsed stacks as Pyroscope's agents send them: what their numbers mean stands beside them.
 *
 * @param units what the numbers count, as agents call it
 * @param kind of the series, such as {@code wall}
 * @param sampleRate samples per second, where samples are counted
 */
record Folded(String units, String kind, long sampleRate) {

    /** The same stacks with what was counted under its own name. */
    Profile named(Profile collapsed) {
        return switch (units) {
            case "objects" -> renamed(collapsed, Resource.count("allocations"), 1, false);
            case "bytes" ->
                    renamed(collapsed, Resource.bytes("allocated", "allocations"), 1, false);
            case "lock_samples" -> renamed(collapsed, Resource.count("contentions"), 1, false);
            case "lock_nanoseconds" ->
                    renamed(collapsed, Resource.seconds("blocked", "contentions"), 1, false);
            case "goroutines" -> renamed(collapsed, Resource.count("goroutines"), 1, false);
            default -> timed(collapsed);
        };
    }

    /** Samples that were taken at a known rate tell a time too. */
    private Profile timed(Profile collapsed) {
        long nanos = Resource.NANOS_PER_SECOND / sampleRate;
        return switch (kind) {
            case "cpu", "itimer" -> renamed(collapsed, Resource.CPU, nanos, true);
            case "wall" -> renamed(collapsed, Resource.seconds("wall", "samples"), nanos, true);
            default -> collapsed;
        };
    }

    private static Profile renamed(
            Profile collapsed, Resource resource, long factor, boolean keepSamples) {
        ProfileBuilder builder = new ProfileBuilder();
        if (keepSamples) {
            builder.addAll(collapsed);
        }
        int[] node = new int[collapsed.nodeCount()];
        for (int i = 1; i < node.length; i++) {
            int consumer = builder.consumer(collapsed.consumerOf(i));
            node[i] = builder.child(node[collapsed.parent(i)], consumer, collapsed.site(i));
        }
        ColumnBuilder target = builder.column(resource);
        for (Column column : collapsed.columns()) {
            for (int row = 0; row < column.rows(); row++) {
                int thread =
                        column.thread(row) == Column.NO_THREAD
                                ? Column.NO_THREAD
                                : builder.consumer(collapsed.consumerAt(column.thread(row)));
                target.add(node[column.node(row)], thread, scaled(column.value(row), factor));
            }
        }
        return builder.build(collapsed.provenance());
    }

    private static long scaled(long value, long factor) {
        if (Math.multiplyHigh(value, factor) != 0 || value * factor < 0) {
            throw new ModelException("a count of " + value + " is too large");
        }
        return value * factor;
    }

    /** Lines that are a stack each, without a count: every one counts once. */
    static byte[] counted(byte[] lines) {
        ByteArrayOutputStream counted = new ByteArrayOutputStream(lines.length * 2);
        new String(lines, UTF_8)
                .lines()
                .filter(line -> !line.isBlank())
                .forEach(line -> counted.writeBytes((line + " 1\n").getBytes(UTF_8)));
        return counted.toByteArray();
    }
}
