package dev.heatline.bench.workload;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Entries of a cache that all threads share: half of the time is spent inside of one of two locks,
 * a monitor and a {@link ReentrantLock}, so that with more threads than one somebody always waits.
 */
final class Contended implements Unit {
    private static final int ENTRIES = 2_000;
    private static final int LOOK_UPS = 1_000;

    private final Map<Integer, Integer> monitored = new LinkedHashMap<>();
    private final Map<Integer, Integer> locked = new LinkedHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();

    @Override
    public void run(Random random) {
        synchronized (monitored) {
            use(monitored, random);
        }
        use(new LinkedHashMap<>(), random);
        lock.lock();
        try {
            use(locked, random);
        } finally {
            lock.unlock();
        }
        use(new LinkedHashMap<>(), random);
    }

    /** About fifty microseconds. */
    private static void use(Map<Integer, Integer> cache, Random random) {
        for (int i = 0; i < LOOK_UPS; i++) {
            cache.merge(random.nextInt(ENTRIES), 1, Integer::sum);
        }
    }
}
