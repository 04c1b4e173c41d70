package dev.heatline.collector.jvm;

/**
 * A program that does known things until it is killed: burns in {@code burn}, allocates in {@code
 * allocate}, waits for a monitor in {@code enter}, is in {@code even} in even seconds since 1970
 * and in {@code odd} in odd ones, and says nothing. Compiled for Java 17 by the tests, so that
 * every supported JVM can run it.
 */
final class Busy {
    private static final Object LOCK = new Object();

    static volatile long seed = 42;
    static volatile long swings;
    static volatile Object kept = "";

    private Busy() {}

    public static void main(String[] args) {
        start("burner", Busy::burn);
        start("recursive", () -> recurse(300));
        start("allocator", Busy::allocate);
        start("holder", Busy::hold);
        start("waiter", Busy::enter);
        start("pendulum", Busy::swing);
    }

    private static void start(String name, Runnable work) {
        new Thread(work, name).start();
    }

    static void burn() {
        while (true) {
            long x = seed;
            for (int i = 0; i < 2_000_000; i++) {
                x ^= x << 13;
                x ^= x >>> 7;
                x ^= x << 17;
            }
            seed = x;
            pause(5);
        }
    }

    static void recurse(int depth) {
        if (depth == 0) {
            burn();
        } else {
            recurse(depth - 1);
        }
    }

    static void swing() {
        while (true) {
            if (System.currentTimeMillis() / 1000 % 2 == 0) {
                even();
            } else {
                odd();
            }
            pause(1);
        }
    }

    private static void even() {
        for (int i = 0; i < 1_500_000; i++) {
            swings = i;
        }
    }

    private static void odd() {
        for (int i = 0; i < 1_500_000; i++) {
            swings = -i;
        }
    }

    static void allocate() {
        while (true) {
            kept = new byte[1 << 20];
            pause(5);
        }
    }

    static void hold() {
        while (true) {
            synchronized (LOCK) {
                pause(50);
            }
            pause(1);
        }
    }

    static void enter() {
        while (true) {
            synchronized (LOCK) {
                seed++;
            }
            pause(1);
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
