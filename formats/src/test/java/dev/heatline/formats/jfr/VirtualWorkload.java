package dev.heatline.formats.jfr;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Sleeps in virtual threads, most of them unnamed. Needs Java 21. */
final class VirtualWorkload {
    static final int UNNAMED = 200;
    static final String NAMED = "named virtual";

    private VirtualWorkload() {}

    public static void main(String[] args) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < UNNAMED; i++) {
            threads.add(Thread.ofVirtual().start(VirtualWorkload::nap));
        }
        threads.add(Thread.ofVirtual().name(NAMED).start(VirtualWorkload::nap));
        for (Thread thread : threads) {
            thread.join();
        }
    }

    static void nap() {
        try {
            Thread.sleep(Duration.ofMillis(5));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
