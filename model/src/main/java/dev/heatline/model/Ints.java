package dev.heatline.model;

import java.util.Arrays;

/**
 * A growing column of ints, kept in pages so that growth copies nothing: a tree of twenty million
 * nodes must never hold an old and a new copy of a column at once.
 */
final class Ints {
    private static final int PAGE_BITS = 16;
    private static final int PAGE_SIZE = 1 << PAGE_BITS;
    private static final int PAGE_MASK = PAGE_SIZE - 1;

    private int[][] pages = new int[4][];
    private int size;

    int size() {
        return size;
    }

    int get(int index) {
        return pages[index >>> PAGE_BITS][index & PAGE_MASK];
    }

    void set(int index, int value) {
        pages[index >>> PAGE_BITS][index & PAGE_MASK] = value;
    }

    void add(int value) {
        int page = size >>> PAGE_BITS;
        if ((size & PAGE_MASK) == 0) {
            addPage(page);
        }
        pages[page][size & PAGE_MASK] = value;
        size++;
    }

    private void addPage(int page) {
        if (page == pages.length) {
            pages = Arrays.copyOf(pages, pages.length * 2);
        }
        pages[page] = new int[PAGE_SIZE];
    }
}
