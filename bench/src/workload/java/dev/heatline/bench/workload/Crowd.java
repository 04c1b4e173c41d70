package dev.heatline.bench.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Several threads that do the same piece of work at once, and get into each other's way. */
final class Crowd implements Unit {
    private final Unit unit;
    private final int threads;
    private final int times;

    /**
     * @param unit can be run by several threads
     * @param times how often each of them runs it, so that starting them is the least of it
     */
    Crowd(Unit unit, int threads, int times) {
        this.unit = unit;
        this.threads = threads;
        this.times = times;
    }

    @Override
    public void run(Random random) {
        List<Thread> started = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Random own = new Random(random.nextLong());
            Thread thread = new Thread(() -> work(own), "crowd-" + i);
            started.add(thread);
            thread.start();
        }
        for (Thread thread : started) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private void work(Random random) {
        for (int i = 0; i < times; i++) {
            try {
                unit.run(random);
            } catch (Exception e) {
                throw new IllegalStateException("the crowd failed", e);
            }
        }
    }
}
