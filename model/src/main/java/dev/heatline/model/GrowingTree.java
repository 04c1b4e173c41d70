package dev.heatline.model;

import java.util.Arrays;

/**
 * The nodes of a tree that grows: four ints each (parent, frame, first child, next sibling), side
 * by side so that a step down touches one or two cache lines, in pages so that growth copies
 * nothing: a tree of twenty million nodes must never be held twice.
 *
 * <p>The first child is linked directly, only further children are entered in a hash index: long
 * unshared tails of stacks, which make up most of a large tree, cost no hashing and no slots.
 */
final class GrowingTree {

    /** No child or sibling: the root is neither. */
    static final int NONE = 0;

    private static final int PAGE_BITS = 12;
    private static final int PAGE_NODES = 1 << PAGE_BITS;
    private static final int PAGE_MASK = PAGE_NODES - 1;

    private static final int PARENT = 0;
    private static final int FRAME = 1;
    private static final int FIRST_CHILD = 2;
    private static final int NEXT_SIBLING = 3;
    private static final int STRIDE_BITS = 2;

    private int[][] pages = new int[4][];
    private int size;

    /** Open addressing over (parent, frame) of all but first children; at most half full. */
    private int[] slots = new int[1 << 10];

    private int indexed;

    GrowingTree(int rootFrame) {
        newNode(Profile.NO_NODE, rootFrame);
    }

    int size() {
        return size;
    }

    int parent(int node) {
        return get(node, PARENT);
    }

    int frame(int node) {
        return get(node, FRAME);
    }

    int firstChild(int node) {
        return get(node, FIRST_CHILD);
    }

    int nextSibling(int node) {
        return get(node, NEXT_SIBLING);
    }

    /** Gives up a node's link to its children and keeps another number in its place. */
    void replaceFirstChild(int node, int number) {
        set(node, FIRST_CHILD, number);
    }

    /** The child of this node with this frame; made if it is not there. O(1). */
    int child(int node, int frame) {
        int first = firstChild(node);
        if (first == NONE) {
            int child = newNode(node, frame);
            set(node, FIRST_CHILD, child);
            return child;
        }
        return frame(first) == frame ? first : furtherChild(node, first, frame);
    }

    private int furtherChild(int node, int first, int frame) {
        int mask = slots.length - 1;
        int slot = Hashing.mix(node, frame) & mask;
        while (slots[slot] != NONE) {
            int child = slots[slot];
            int[] page = pages[child >>> PAGE_BITS];
            int at = (child & PAGE_MASK) << STRIDE_BITS;
            if (page[at + PARENT] == node && page[at + FRAME] == frame) {
                return child;
            }
            slot = (slot + 1) & mask;
        }
        int child = newNode(node, frame);
        set(child, NEXT_SIBLING, nextSibling(first));
        set(first, NEXT_SIBLING, child);
        slots[slot] = child;
        if (++indexed * 2 > slots.length) {
            growIndex();
        }
        return child;
    }

    /** Enters a stack, innermost frame first, below a node; returns the innermost frame's node. */
    int stack(int from, int[] frames, int depth) {
        int node = from;
        int left = depth;
        int known = size;
        while (left > 0 && node < known) {
            node = child(node, frames[--left]);
        }
        return left == 0 ? node : chain(node, frames, left);
    }

    /** Adds nodes below a node that has no children: nothing needs to be looked for. */
    private int chain(int node, int[] frames, int depth) {
        set(node, FIRST_CHILD, size);
        int parent = node;
        int left = depth;
        while (left > 0) {
            int[] page = pageOfNext();
            int at = (size & PAGE_MASK) << STRIDE_BITS;
            int count = Math.min(left, PAGE_NODES - (size & PAGE_MASK));
            for (int i = 0; i < count; i++) {
                page[at + PARENT] = parent;
                page[at + FRAME] = frames[--left];
                parent = size++;
                page[at + FIRST_CHILD] = size;
                at += 1 << STRIDE_BITS;
            }
        }
        set(parent, FIRST_CHILD, NONE);
        return parent;
    }

    private int newNode(int parent, int frame) {
        int[] page = pageOfNext();
        int at = (size & PAGE_MASK) << STRIDE_BITS;
        page[at + PARENT] = parent;
        page[at + FRAME] = frame;
        return size++;
    }

    private int[] pageOfNext() {
        int page = size >>> PAGE_BITS;
        if ((size & PAGE_MASK) == 0) {
            if (page == pages.length) {
                pages = Arrays.copyOf(pages, pages.length * 2);
            }
            pages[page] = new int[PAGE_NODES << STRIDE_BITS];
        }
        return pages[page];
    }

    private int get(int node, int cell) {
        return pages[node >>> PAGE_BITS][((node & PAGE_MASK) << STRIDE_BITS) + cell];
    }

    private void set(int node, int cell, int value) {
        pages[node >>> PAGE_BITS][((node & PAGE_MASK) << STRIDE_BITS) + cell] = value;
    }

    private void growIndex() {
        int[] old = slots;
        slots = new int[old.length * 2];
        int mask = slots.length - 1;
        for (int node : old) {
            if (node != NONE) {
                int slot = Hashing.mix(parent(node), frame(node)) & mask;
                while (slots[slot] != NONE) {
                    slot = (slot + 1) & mask;
                }
                slots[slot] = node;
            }
        }
    }

    /** Gives up the index: from here on the tree is only read. */
    void freeze() {
        slots = new int[0];
    }
}
