package dev.heatline.formats;

import dev.heatline.model.Profile;
import java.util.HashMap;
import java.util.Map;

/**
 * The distinct frames of a Profile, a consumer at a site each, numbered in the order of their first
 * node: what other formats call frames or locations.
 */
final class DistinctFrames {
    private final int[] frameOf;
    private final Longs keys = new Longs();

    /** O(nodes). */
    DistinctFrames(Profile profile) {
        frameOf = new int[profile.nodeCount()];
        Map<Long, Integer> known = new HashMap<>();
        for (int node = 1; node < frameOf.length; node++) {
            long key = (long) profile.consumer(node) << 32 | profile.site(node);
            Integer frame = known.putIfAbsent(key, keys.size());
            if (frame == null) {
                frameOf[node] = keys.size();
                keys.add(key);
            } else {
                frameOf[node] = frame;
            }
        }
    }

    int size() {
        return keys.size();
    }

    /** The frame of a node other than the root. */
    int of(int node) {
        return frameOf[node];
    }

    /** The id of a frame's consumer. */
    int consumer(int frame) {
        return (int) (keys.get(frame) >>> 32);
    }

    int site(int frame) {
        return (int) keys.get(frame);
    }
}
