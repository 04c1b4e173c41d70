package dev.heatline.model;

/** Finds the child of a node by consumer and site in O(1): an index for one analysis. */
final class ChildIndex {
    private static final int EMPTY = 0;

    private final Profile profile;
    private final int[] slots;

    private ChildIndex(Profile profile, int capacity) {
        this.profile = profile;
        int size = Integer.highestOneBit(Math.max(8, Math.min(capacity, 1 << 28))) * 4;
        this.slots = new int[size];
    }

    /** Over all nodes of a Profile. */
    ChildIndex(Profile profile) {
        this(profile, profile.nodeCount());
        for (int node = 1; node < profile.nodeCount(); node++) {
            enter(node);
        }
    }

    /** Over the children of one node only. */
    static ChildIndex ofChildren(Profile profile, int parent) {
        int children = 0;
        for (int at = parent + 1; at < profile.end(parent); at = profile.end(at)) {
            children++;
        }
        ChildIndex index = new ChildIndex(profile, children);
        for (int at = parent + 1; at < profile.end(parent); at = profile.end(at)) {
            index.enter(at);
        }
        return index;
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
