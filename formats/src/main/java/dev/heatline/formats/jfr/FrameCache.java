package dev.heatline.formats.jfr;

/**
 * The frames of a chunk by the very bytes they are written in, up to sixteen: a frame seen before
 * costs one look-up and is not decoded. Open addressing over rows of [word, word, frame + 1], at
 * most half full.
 */
final class FrameCache {
    static final int ABSENT = -1;

    private static final int STRIDE = 3;

    private long[] rows;
    private int shift;
    private int capacity;
    private int size;

    FrameCache() {
        allocate(1 << 10);
    }

    int get(long first, long second) {
        long[] cells = rows;
        int mask = capacity - 1;
        int row = row(first, second);
        while (true) {
            int at = row * STRIDE;
            long frame = cells[at + 2];
            if (frame == 0 || (cells[at] == first && cells[at + 1] == second)) {
                return (int) frame - 1;
            }
            row = (row + 1) & mask;
        }
    }

    /** Enters a frame that is not there yet. */
    void put(long first, long second, int frame) {
        if (++size * 2 > capacity) {
            grow();
        }
        insert(first, second, frame + 1);
    }

    private void insert(long first, long second, long value) {
        int row = row(first, second);
        while (rows[row * STRIDE + 2] != 0) {
            row = (row + 1) & (capacity - 1);
        }
        rows[row * STRIDE] = first;
        rows[row * STRIDE + 1] = second;
        rows[row * STRIDE + 2] = value;
    }

    private int row(long first, long second) {
        long hash = first * 0x9E3779B97F4A7C15L + second * 0xC2B2AE3D27D4EB4FL;
        return (int) (((hash ^ (hash >>> 29)) * 0xD6E8FEB86659FD93L) >>> shift);
    }

    private void allocate(int newCapacity) {
        capacity = newCapacity;
        rows = new long[newCapacity * STRIDE];
        shift = Long.numberOfLeadingZeros(newCapacity) + 1;
    }

    private void grow() {
        long[] old = rows;
        allocate(Math.multiplyExact(capacity, 2));
        for (int at = 0; at < old.length; at += STRIDE) {
            if (old[at + 2] != 0) {
                insert(old[at], old[at + 1], old[at + 2]);
            }
        }
    }
}
