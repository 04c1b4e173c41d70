package dev.heatline.bench.workload;

import java.util.Random;

/** A thousand calls of a method that takes about as long each time, and of nothing else. */
final class Steps implements Unit {
    static final int CALLS = 1000;

    private static int sink;

    private final int work;

    /**
     * @param work what a call does, in rounds of shifts that wait for each other
     */
    Steps(int work) {
        this.work = work;
    }

    @Override
    public void run(Random random) {
        sink = root(work);
    }

    static int root(int work) {
        int number = sink | 1;
        for (int i = 0; i < CALLS; i++) {
            number += step(number, work);
        }
        return number;
    }

    static int step(int from, int work) {
        int number = from;
        for (int i = 0; i < work; i++) {
            number ^= number << 13;
            number ^= number >>> 17;
            number ^= number << 5;
        }
        return number;
    }
}
