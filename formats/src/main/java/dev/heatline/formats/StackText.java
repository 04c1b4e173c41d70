package dev.heatline.formats;

import dev.heatline.model.Profile;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The collapsed text of a node's stack. Moves through nodes in ascending order and keeps the text
 * of the frames that the last node and the next one have in common: O(1) per node passed.
 */
final class StackText {
    private final Profile profile;
    private final boolean plain;
    private final DistinctFrames frames;

    /** The text of each frame, null until used. */
    private final byte[][] texts;

    private byte[] text = new byte[1024];

    /** The open frames, outermost first: their nodes and where their text ends. */
    private int[] nodes = new int[64];

    private int[] ends = new int[64];
    private int depth;
    private int last = Profile.ROOT;

    StackText(Profile profile, boolean plain) {
        this.profile = profile;
        this.plain = plain;
        this.frames = new DistinctFrames(profile);
        this.texts = new byte[frames.size()][];
    }

    /** Goes on to a node not before the last one; returns the length of its stack's text. */
    int moveTo(int node) {
        while (last < node) {
            last++;
            while (depth > 0 && last >= profile.end(nodes[depth - 1])) {
                depth--;
            }
            push(last);
        }
        return length();
    }

    byte[] bytes() {
        return text;
    }

    private int length() {
        return depth == 0 ? 0 : ends[depth - 1];
    }

    private void push(int node) {
        byte[] frame = frame(node);
        int start = length();
        int separator = depth == 0 ? 0 : 1;
        int end = start + separator + frame.length;
        if (end > text.length) {
            text = Arrays.copyOf(text, Math.max(end, text.length * 2));
        }
        if (separator > 0) {
            text[start] = ';';
        }
        System.arraycopy(frame, 0, text, start + separator, frame.length);
        if (depth == nodes.length) {
            nodes = Arrays.copyOf(nodes, depth * 2);
            ends = Arrays.copyOf(ends, depth * 2);
        }
        nodes[depth] = node;
        ends[depth++] = end;
    }

    private byte[] frame(int node) {
        int frame = frames.of(node);
        if (texts[frame] == null) {
            texts[frame] = encoded(frame);
        }
        return texts[frame];
    }

    private byte[] encoded(int frame) {
        CollapsedFrame collapsed =
                new CollapsedFrame(profile.consumerAt(frames.consumer(frame)), frames.site(frame));
        String written = plain ? collapsed.writePlain() : collapsed.write();
        return written.getBytes(StandardCharsets.UTF_8);
    }
}
