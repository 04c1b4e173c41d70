package dev.heatline.formats;

import java.util.Arrays;

/** Small numbers for arbitrary ids, in the order they are added. Open addressing, half full. */
final class LongTable {
    private static final int NONE = -1;

    private long[] keys = new long[64];
    private int[] places = filled(64);
    private int size;

    int size() {
        return size;
    }

    /** The place of this id; the next free one if it is new. */
    int add(long id) {
        if (size * 2 >= keys.length) {
            grow();
        }
        int slot = slot(id);
        if (places[slot] == NONE) {
            keys[slot] = id;
            places[slot] = size++;
        }
        return places[slot];
    }

    /** The place of this id, or -1. */
    int find(long id) {
        return places[slot(id)];
    }

    private int slot(long id) {
        int mask = keys.length - 1;
        long h = id * 0x9E3779B97F4A7C15L;
        int slot = (int) (h >>> 32) & mask;
        while (places[slot] != NONE && keys[slot] != id) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        long[] oldKeys = keys;
        int[] oldPlaces = places;
        keys = new long[oldKeys.length * 2];
        places = filled(keys.length);
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldPlaces[i] != NONE) {
                int slot = slot(oldKeys[i]);
                keys[slot] = oldKeys[i];
                places[slot] = oldPlaces[i];
            }
        }
    }

    private static int[] filled(int length) {
        int[] places = new int[length];
        Arrays.fill(places, NONE);
        return places;
    }
}
