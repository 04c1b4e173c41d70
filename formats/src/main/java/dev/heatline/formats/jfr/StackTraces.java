package dev.heatline.formats.jfr;

import dev.heatline.model.Consumer;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Site;
import java.util.Arrays;
import java.util.List;
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
    private final FrameCache cache = new FrameCache();
    private final boolean framesAreFourVarints;
    private int[] frames = new int[128];

    /** By trace: its node, as its complement if the trace was truncated. */
    private int[] nodes = new int[64];

    StackTraces(Metadata metadata, ConstantPools pools, Names names, ProfileBuilder builder) {
        this.builder = builder;
        this.names = names;
        in = pools.cursor();
        offsets = pools.offsets("jdk.types.StackTrace");
        Metadata.Type type = metadata.named("jdk.types.StackTrace");
        Metadata.Field framesField = type == null ? null : type.field("frames");
        if (type == null || framesField == null || !framesField.array()) {
            tracePlan = null;
            framePlan = null;
            framesAreFourVarints = false;
        } else {
            tracePlan = metadata.planUpTo(type, List.of("truncated", "frames"));
            framePlan =
                    metadata.plan(
                            metadata.type(framesField.type()), "method", "lineNumber", "type");
            int[] slots = framePlan.varintSlots();
            framesAreFourVarints = slots != null && slots.length == 4;
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
        if (depth > frames.length) {
            frames = new int[Math.max(depth, frames.length * 2)];
        }
        if (framesAreFourVarints) {
            decodeFourVarints(framePlan, depth);
        } else {
            for (int i = 0; i < depth; i++) {
                frames[i] = decode(framePlan);
            }
        }
        return truncated
                ? ~builder.stack(builder.truncatedRoot(), frames, depth)
                : builder.stack(Profile.ROOT, frames, depth);
    }

    /** Decodes the frame at the cursor. */
    private int decode(Plan plan) {
        plan.run(in, frame);
        int line = Math.clamp(frame[1], 0, Integer.MAX_VALUE);
        return builder.frame(names.method(frame[0]), Site.of(line, names.frameKind(frame[2])));
    }

    /**
     * Decodes frames of four compressed integers each (method, line, bytecode index, type) by their
     * bytes alone: the fourth byte without a continuation bit ends a frame. A ninth byte of an
     * integer need not follow that rule, but then the frame has at least twelve.
     */
    private void decodeFourVarints(Plan plan, int depth) {
        byte[] bytes = in.bytes;
        int at = in.at;
        for (int i = 0; i < depth; i++) {
            long first = Cursor.word(bytes, at);
            long second = 0;
            int length;
            long ends = Cursor.ends(first);
            int found = Long.bitCount(ends);
            if (found >= 4) {
                ends &= ends - 1;
                ends &= ends - 1;
                ends &= ends - 1;
                int last = Long.numberOfTrailingZeros(ends);
                first &= -1L >>> (63 - last);
                length = (last >>> 3) + 1;
            } else {
                second = Cursor.word(bytes, at + 8);
                ends = Cursor.ends(second);
                for (; found < 3; found++) {
                    ends &= ends - 1;
                }
                int last = Long.numberOfTrailingZeros(ends) & 63;
                second &= -1L >>> (63 - last);
                length = ends == 0 ? Integer.MAX_VALUE : 8 + (last >>> 3) + 1;
            }
            int known = length < 12 ? cache.get(first, second) : FrameCache.ABSENT;
            if (known == FrameCache.ABSENT) {
                in.at = at;
                known = decode(plan);
                if (length < 12) {
                    cache.put(first, second, known);
                } else {
                    length = in.at - at;
                }
            }
            frames[i] = known;
            at += length;
        }
        in.at = at;
    }
}
