package dev.heatline.agent.locks;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Scenes with many threads and many locks. */
@SuppressWarnings({"ThreadPriorityCheck", "WaitNotInLoop"})
final class Crowds {
    private static final int LOCKS = 500;

    private Crowds() {}

    /** Two threads blocked on each of many locks, all of which one thread has. */
    static void crowdAtManyLocks() throws Exception {
        List<Object> locks = new ArrayList<>();
        for (int i = 0; i < LOCKS; i++) {
            locks.add(new Contended());
        }
        List<Thread> threads = new ArrayList<>();
        holdAll(locks, threads);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void holdAll(List<Object> locks, List<Thread> threads) {
        int next = threads.size() / 2;
        if (next == locks.size()) {
            Scenes.await(threads.get(0), Thread.State.BLOCKED);
            return;
        }
        synchronized (locks.get(next)) {
            for (int i = 0; i < 2; i++) {
                Thread thread =
                        new Thread(null, () -> take(locks.get(next)), "one of many " + next, 1);
                threads.add(thread);
                thread.start();
                while (thread.getState() != Thread.State.BLOCKED) {
                    Thread.yield();
                }
            }
            holdAll(locks, threads);
        }
    }

    private static void take(Object lock) {
        synchronized (lock) {
            lock.notifyAll();
        }
    }

    /** A class of locks. */
    private static final class Contended {}

    /** More locks than are remembered, each of them waited on once. */
    static void manyLocks() throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            Thread thread = new Thread(Crowds::waitOnManyLocks);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void waitOnManyLocks() {
        for (int i = 0; i < 1000; i++) {
            Object lock = new Contended();
            synchronized (lock) {
                try {
                    lock.wait(1);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }
    }

    /** By reflection, since 17 has none. */
    static void manyVirtualThreads() throws Exception {
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        for (int i = 0; i < 1000; i++) {
            List<Thread> threads = new ArrayList<>();
            for (int j = 0; j < 100; j++) {
                Runnable body = () -> LockSupport.parkNanos(1);
                threads.add((Thread) start.invoke(null, body));
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }
}
