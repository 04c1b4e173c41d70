package dev.heatline.model;

import java.util.Arrays;

/** Finds recursive calls, direct and indirect (000 §3.3.1). */
public final class Recursion {

    private Recursion() {}

    /**
     * For each node its recursive parent: the nearest enclosing node of the same consumer, or
     * {@link Profile#NO_NODE} (listing 3.3, for all nodes in one walk). O(nodes).
     */
    public static int[] parents(Profile profile) {
        int nodes = profile.nodeCount();
        int[] recursiveParent = new int[nodes];
        int[] nearest = new int[profile.consumerCount()];
        Arrays.fill(nearest, Profile.NO_NODE);
        int open = Profile.NO_NODE;
        for (int node = 0; node < nodes; node++) {
            // The path still open ends at this node's parent; everything below it is finished.
            for (; open != profile.parent(node); open = profile.parent(open)) {
                nearest[profile.consumer(open)] = recursiveParent[open];
            }
            recursiveParent[node] = nearest[profile.consumer(node)];
            nearest[profile.consumer(node)] = node;
            open = node;
        }
        return recursiveParent;
    }
}
