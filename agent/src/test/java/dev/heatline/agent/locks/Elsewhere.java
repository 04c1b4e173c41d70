package dev.heatline.agent.locks;

/** Has to do with locks of {@link Scenes}, and nothing else in common with it. */
final class Elsewhere {
    private Elsewhere() {}

    static void hold(Object lock, Runnable inside) {
        synchronized (lock) {
            inside.run();
        }
    }

    /** Does not notify anybody, and shares the locks of who does. */
    static final class Nested {
        synchronized int one() {
            return 1;
        }
    }

    static void wake(Object lock) {
        synchronized (lock) {
            lock.notifyAll();
        }
    }
}
