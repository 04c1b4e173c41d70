package dev.heatline.agent.locks;

import java.util.concurrent.locks.LockSupport;

/** Scenes with many or long call chains. */
final class Paths {
    /** More than the tracer remembers. */
    static final int CHAINS = 66_000;

    /** Of the first, which come once more at the end. */
    static final int AGAIN = 100;

    private static final int DEPTH = 17;

    /** Long enough to be worth a call chain. */
    private static final int PARK_NANOS = 20_000;

    private static final int PARKS = 10_000;
    private static final int LONG = 100;

    private Paths() {}

    /** Parks at the end of each path: what is called where is a number of the path, in binary. */
    static void manyChains() throws InterruptedException {
        play(
                () -> {
                    for (int i = 0; i < CHAINS + AGAIN; i++) {
                        go(i % CHAINS, DEPTH);
                    }
                });
    }

    private static void play(Runnable body) throws InterruptedException {
        Thread thread = new Thread(body, "walker");
        thread.start();
        thread.join();
    }

    private static void go(int path, int left) {
        if (left == 0) {
            LockSupport.parkNanos(PARK_NANOS);
        } else if ((path >> (left - 1) & 1) == 0) {
            zero(path, left - 1);
        } else {
            one(path, left - 1);
        }
    }

    private static void zero(int path, int left) {
        go(path, left);
    }

    private static void one(int path, int left) {
        go(path, left);
    }

    /** Does the same again and again, maybe after something else. */
    static void deepParks(boolean unparkFirst) throws InterruptedException {
        play(
                () -> {
                    if (unparkFirst) {
                        LockSupport.unpark(Thread.currentThread());
                    }
                    dig(LONG);
                });
    }

    private static void dig(int depth) {
        if (depth > 0) {
            dig(depth - 1);
            return;
        }
        for (int i = 0; i < PARKS; i++) {
            LockSupport.parkNanos(PARK_NANOS);
        }
    }
}
