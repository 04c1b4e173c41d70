package dev.heatline.model;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Subsuming methods: entry points of repeated call patterns, to which the cost of everything
 * subsumed below them is charged (000 §6.3, after Maplesden et al.).
 *
 * <p>A method is subsuming if it is high enough (some node of it has more than {@code heightBound}
 * levels below it) and no single other method always calls it from close by (every node of it
 * having that method among its nearest {@code distanceBound} ancestors).
 */
public final class SubsumingMethods {

    /** The bound used in the published evaluation, for both height and distance. */
    public static final int DEFAULT_BOUND = 4;

    /** Farther above, nothing is nearby any more. */
    private static final int MAX_BOUND = 1000;

    private final boolean[] subsuming;
    private final long[] induced;
    private final int[] height;

    private SubsumingMethods(boolean[] subsuming, long[] induced, int[] height) {
        this.subsuming = subsuming;
        this.induced = induced;
        this.height = height;
    }

    /** O(nodes × distanceBound²). */
    public static SubsumingMethods of(
            Profile profile, Column column, int heightBound, int distanceBound) {
        if (heightBound < 0 || distanceBound < 0 || distanceBound > MAX_BOUND) {
            throw new ModelException("bounds of subsuming methods are 0 to " + MAX_BOUND);
        }
        int[] height = heights(profile);
        boolean[] dominated = dominatedNearby(profile, distanceBound);
        boolean[] subsuming = new boolean[profile.consumerCount()];
        for (int consumer = 0; consumer < subsuming.length; consumer++) {
            subsuming[consumer] =
                    profile.consumerAt(consumer).isMethod()
                            && height[consumer] > heightBound
                            && !dominated[consumer];
        }
        return new SubsumingMethods(subsuming, inducedCosts(profile, column, subsuming), height);
    }

    public boolean isSubsuming(int consumer) {
        return subsuming[consumer];
    }

    /**
     * What this method's nodes used, with all that is subsumed below them. What no subsuming method
     * encloses is charged to the root's consumer, so that all induced costs add up to the total.
     */
    public long induced(int consumer) {
        return induced[consumer];
    }

    /** The levels below the highest node of this method. */
    public int height(int consumer) {
        return height[consumer];
    }

    private static int[] heights(Profile profile) {
        int[] nodeHeight = new int[profile.nodeCount()];
        int[] height = new int[profile.consumerCount()];
        for (int node = nodeHeight.length - 1; node > 0; node--) {
            int parent = profile.parent(node);
            nodeHeight[parent] = Math.max(nodeHeight[parent], nodeHeight[node] + 1);
            int consumer = profile.consumer(node);
            height[consumer] = Math.max(height[consumer], nodeHeight[node]);
        }
        return height;
    }

    /** For each method whether another one is within {@code bound} levels above all its nodes. */
    private static boolean[] dominatedNearby(Profile profile, int bound) {
        int consumers = profile.consumerCount();
        int[] @Nullable [] candidates = new int[consumers][];
        int[] near = new int[bound];
        for (int node = 1; node < profile.nodeCount(); node++) {
            int consumer = profile.consumer(node);
            int found = methodsAbove(profile, node, near);
            int[] earlier = candidates[consumer];
            candidates[consumer] =
                    earlier == null ? Arrays.copyOf(near, found) : common(earlier, near, found);
        }
        boolean[] dominated = new boolean[consumers];
        for (int consumer = 0; consumer < consumers; consumer++) {
            dominated[consumer] = candidates[consumer] != null && candidates[consumer].length > 0;
        }
        return dominated;
    }

    /** Puts the other methods within reach above a node into {@code near}; returns how many. */
    private static int methodsAbove(Profile profile, int node, int[] near) {
        int found = 0;
        int ancestor = profile.parent(node);
        for (int distance = 1; distance <= near.length && ancestor > Profile.ROOT; distance++) {
            int method = profile.consumer(ancestor);
            if (method != profile.consumer(node) && profile.consumerAt(method).isMethod()) {
                near[found++] = method;
            }
            ancestor = profile.parent(ancestor);
        }
        return found;
    }

    /** Those of the earlier candidates that are near this time too. */
    private static int[] common(int[] earlier, int[] near, int found) {
        int[] kept = new int[earlier.length];
        int count = 0;
        for (int candidate : earlier) {
            for (int i = 0; i < found; i++) {
                if (candidate == near[i]) {
                    kept[count++] = candidate;
                    break;
                }
            }
        }
        return count == earlier.length ? earlier : Arrays.copyOf(kept, count);
    }

    private static long[] inducedCosts(Profile profile, Column column, boolean[] subsuming) {
        long[] cost = column.self(profile.nodeCount());
        long[] induced = new long[profile.consumerCount()];
        for (int node = cost.length - 1; node > 0; node--) {
            if (subsuming[profile.consumer(node)]) {
                induced[profile.consumer(node)] += cost[node];
            } else {
                cost[profile.parent(node)] += cost[node];
            }
        }
        induced[profile.consumer(Profile.ROOT)] += cost[Profile.ROOT];
        return induced;
    }
}
