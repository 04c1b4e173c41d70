package dev.heatline.model;

/** The one way this room turns small ids into slots of an open-addressing table. */
final class Hashing {

    private Hashing() {}

    /** Spreads two ids over all 32 bits (a multiply-xorshift round; ids are dense and regular). */
    static int mix(int a, int b) {
        long h = (a * 0x9E3779B97F4A7C15L) ^ (b * 0xC2B2AE3D27D4EB4FL);
        h ^= h >>> 32;
        h *= 0xD6E8FEB86659FD93L;
        return (int) (h >>> 32);
    }

    static int mix(int a, int b, int c) {
        return mix(mix(a, b), c);
    }
}
