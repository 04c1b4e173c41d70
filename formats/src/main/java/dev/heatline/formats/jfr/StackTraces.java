package dev.heatline.formats.jfr;

import dev.heatline.model.Consumer;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Site;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Enters the stack traces that events refer to into the tree, each once per chunk. */
final class StackTraces {
    private static final Consumer NO_STACK = Consumer.label("[no stack]");

    private final ProfileBuilder builder;
    private final Names names;
    private final Cursor in;
    private final LongIntMap offsets;
    private final LongIntMap known = new LongIntMap();
    private final @Nullable Plan tracePlan;
    private final @Nullable Plan framePlan;
    private final long[] trace = new long[2];
    private final long[] frame = new long[3];
    private int[] consumers = new int[128];
    private int[] sites = new int[128];

    /** By trace: its node, as its complement if the trace was truncated. */
    private int[] nodes = new int[64];

    StackTraces(Metadata metadata, ConstantPools pools, Names names, ProfileBuilder builder) {
        this.builder = builder;
        this.names = names;
        in = pools.cursor();
        offsets = pools.offsets("jdk.types.StackTrace");
        Metadata.Type type = metadata.named("jdk.types.StackTrace");
        Metadata.Field frames = type == null ? null : type.field("frames");
        if (type == null || frames == null || !frames.array()) {
            tracePlan = null;
            framePlan = null;
        } else {
            tracePlan = Plan.whole(metadata, in.compressed, type, "truncated", "frames");
            framePlan =
                    Plan.whole(
                            metadata,
                            in.compressed,
                            metadata.type(frames.type()),
                            "method",
                            "lineNumber",
                            "type");
        }
    }

    /** The node of events without a stack. */
    int noStack() {
        return builder.child(Profile.ROOT, builder.consumer(NO_STACK), Site.NONE);
    }

    /** Whether a trace can be looked up. */
    boolean has(long id) {
        return offsets.get(id) != LongIntMap.ABSENT;
    }

    /** The node of a trace's innermost frame, as its complement if the trace was truncated. */
    int node(long id) {
        int index = known.get(id);
        if (index == LongIntMap.ABSENT) {
            index = known.size();
            if (index == nodes.length) {
                nodes = Arrays.copyOf(nodes, index * 2);
            }
            nodes[index] = enter(offsets.get(id));
            known.putIfAbsent(id, index);
        }
        return nodes[index];
    }

    private int enter(int offset) {
        if (offset == LongIntMap.ABSENT || tracePlan == null || framePlan == null) {
            return noStack();
        }
        in.at = offset;
        tracePlan.run(in, trace);
        boolean truncated = trace[0] != 0;
        in.at = (int) trace[1];
        int depth = in.readCount();
        if (depth == 0) {
            return noStack();
        }
        decode(framePlan, depth);
        return truncated
                ? ~builder.stack(builder.truncatedRoot(), consumers, sites, depth)
                : builder.stack(Profile.ROOT, consumers, sites, depth);
    }

    private void decode(Plan plan, int depth) {
        if (depth > consumers.length) {
            consumers = new int[Math.max(depth, consumers.length * 2)];
            sites = new int[consumers.length];
        }
        for (int i = 0; i < depth; i++) {
            plan.run(in, frame);
            consumers[i] = names.method(frame[0]);
            sites[i] = Site.of(Math.clamp(frame[1], 0, Integer.MAX_VALUE), names.frameKind(frame[2]));
        }
    }
}
