package dev.heatline.model;

/** Groups rows by a small integer key in O(rows + keys), keeping their order within a group. */
final class CountingSort {

    private CountingSort() {}

    /** Where the group of each key begins, and at index {@code keys} where the last one ends. */
    static int[] starts(int[] key, int size, int keys) {
        int[] start = new int[keys + 1];
        for (int row = 0; row < size; row++) {
            start[key[row] + 1]++;
        }
        for (int k = 0; k < keys; k++) {
            start[k + 1] += start[k];
        }
        return start;
    }

    /** The rows in the order of their keys. */
    static int[] order(int[] key, int size, int[] starts) {
        int[] next = starts.clone();
        int[] order = new int[size];
        for (int row = 0; row < size; row++) {
            order[next[key[row]]++] = row;
        }
        return order;
    }

    /** The rows in the order of their keys, and within a key in an earlier order. */
    static int[] order(int[] key, int[] starts, int[] earlier) {
        int[] next = starts.clone();
        int[] order = new int[earlier.length];
        for (int row : earlier) {
            order[next[key[row]]++] = row;
        }
        return order;
    }
}
