package dev.heatline.model;

import java.util.Arrays;

/**
 * Numbers the nodes of a tree in preorder with sorted children, so that equal trees get equal
 * numbers however they grew. O(nodes) plus sorting each node's children.
 */
final class TreeOrder {
    private final GrowingTree tree;
    private final int[] frameRanks;
    private int[] pending = new int[256];
    private int[] pendingParent = new int[256];
    private int waiting;
    private long[] children = new long[64];

    TreeOrder(GrowingTree tree, int[] frameRanks) {
        this.tree = tree;
        this.frameRanks = frameRanks;
    }

    /**
     * Fills in the parent and frame of every node by its new number, and leaves the new number of
     * every node in place of its link to its first child.
     */
    void number(int[] newParent, int[] newFrame) {
        int node = Profile.ROOT;
        int parent = Profile.NO_NODE;
        for (int number = 0; number < newParent.length; number++) {
            newParent[number] = parent;
            newFrame[number] = tree.frame(node);
            int first = tree.firstChild(node);
            tree.replaceFirstChild(node, number);
            if (first == GrowingTree.NONE) {
                if (waiting > 0) {
                    node = pending[--waiting];
                    parent = pendingParent[waiting];
                }
            } else {
                node = tree.nextSibling(first) == GrowingTree.NONE ? first : sorted(first, number);
                parent = number;
            }
        }
    }

    /** The first of these siblings in order; the others wait, the last one longest. */
    private int sorted(int first, int newParent) {
        int count = 0;
        for (int child = first; child != GrowingTree.NONE; child = tree.nextSibling(child)) {
            if (count == children.length) {
                children = Arrays.copyOf(children, count * 2);
            }
            children[count++] = (long) frameRanks[tree.frame(child)] << 32 | child;
        }
        Arrays.sort(children, 0, count);
        for (int i = count - 1; i > 0; i--) {
            if (waiting == pending.length) {
                pending = Arrays.copyOf(pending, waiting * 2);
                pendingParent = Arrays.copyOf(pendingParent, waiting * 2);
            }
            pending[waiting] = (int) children[i];
            pendingParent[waiting++] = newParent;
        }
        return (int) children[0];
    }
}
