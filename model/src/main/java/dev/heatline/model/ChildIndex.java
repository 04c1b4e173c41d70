package dev.heatline.model;

/** Finds the child of a node by consumer and site in O(1): an index for one analysis. */
final class ChildIndex {
    private static final int EMPTY = 0;

    private final Profile profile;
    private final int[] slots;

    /** Over all nodes of a Profile. At most half full. */
    ChildIndex(Profile profile) {
        this.profile = profile;
        int nodes = Math.min(profile.nodeCount(), 1 << 28);
        this.slots = new int[Integer.highestOneBit(Math.max(8, nodes)) * 4];
        for (int node = 1; node < profile.nodeCount(); node++) {
            enter(node);
        }
    }

    private void enter(int node) {
        int mask = slots.length - 1;
        int slot =
                Hashing.mix(profile.parent(node), profile.consumer(node), profile.site(node))
                        & mask;
        while (slots[slot] != EMPTY) {
            slot = (slot + 1) & mask;
        }
        slots[slot] = node;
    }

    /** The child, or {@link Profile#NO_NODE}. */
    int child(int parent, int consumer, int site) {
        int mask = slots.length - 1;
        int slot = Hashing.mix(parent, consumer, site) & mask;
        while (slots[slot] != EMPTY) {
            int node = slots[slot];
            if (profile.parent(node) == parent
                    && profile.consumer(node) == consumer
                    && profile.site(node) == site) {
                return node;
            }
            slot = (slot + 1) & mask;
        }
        return Profile.NO_NODE;
    }
}
