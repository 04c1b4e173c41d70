package dev.heatline.model;

import java.util.Arrays;

/**
 * The distinct (consumer, site) pairs of a tree that grows, numbered from 0. A tree of millions of
 * nodes has thousands of them, so a node that holds the number is smaller and quicker to compare.
 */
final class FrameTable {
    private static final int EMPTY = 0;

    private int size;
    private int[] consumers = new int[64];
    private int[] sites = new int[64];

    /** Open addressing over (consumer, site): frame + 1, or EMPTY. At most half full. */
    private int[] slots = new int[128];

    int size() {
        return size;
    }

    int consumer(int frame) {
        return consumers[frame];
    }

    int site(int frame) {
        return sites[frame];
    }

    /** The frame of this consumer and site; made if it is not there. O(1). */
    int of(int consumer, int site) {
        int mask = slots.length - 1;
        int slot = Hashing.mix(consumer, site) & mask;
        while (slots[slot] != EMPTY) {
            int frame = slots[slot] - 1;
            if (consumers[frame] == consumer && sites[frame] == site) {
                return frame;
            }
            slot = (slot + 1) & mask;
        }
        if (size == consumers.length) {
            grow();
            return of(consumer, site);
        }
        consumers[size] = consumer;
        sites[size] = site;
        slots[slot] = ++size;
        return size - 1;
    }

    private void grow() {
        consumers = Arrays.copyOf(consumers, size * 2);
        sites = Arrays.copyOf(sites, size * 2);
        slots = new int[size * 4];
        int mask = slots.length - 1;
        for (int frame = 0; frame < size; frame++) {
            int slot = Hashing.mix(consumers[frame], sites[frame]) & mask;
            while (slots[slot] != EMPTY) {
                slot = (slot + 1) & mask;
            }
            slots[slot] = frame + 1;
        }
    }

    /**
     * The place of each frame in the order of consumers and then sites.
     *
     * @param newConsumer the final id of each consumer
     */
    int[] ranks(int[] newConsumer) {
        long[] keys = new long[size];
        for (int frame = 0; frame < size; frame++) {
            keys[frame] = key(frame, newConsumer);
        }
        Arrays.sort(keys);
        int[] ranks = new int[size];
        for (int frame = 0; frame < size; frame++) {
            ranks[frame] = Arrays.binarySearch(keys, key(frame, newConsumer));
        }
        return ranks;
    }

    private long key(int frame, int[] newConsumer) {
        return (long) newConsumer[consumers[frame]] << 32 | sites[frame];
    }
}
