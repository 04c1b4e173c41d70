package dev.heatline.agent.locks;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** Scenes with many threads and many locks. */
@SuppressWarnings({"ThreadPriorityCheck", "WaitNotInLoop"})
final class Crowds {
    /** More than the JVM is asked about while somebody waits for each. */
    private static final int QUEUES = 20;

    private static final int KEPT = 200;
    private static final int WAITERS = 80;

    private static final List<Queue> queues = new ArrayList<>();

    private Crowds() {}

    /** So many threads blocked on each of many locks, all of which one thread has. */
    static void crowdAtLocks(int count, int threadsAtEach) throws Exception {
        List<Object> locks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            locks.add(new Contended());
        }
        List<Thread> threads = new ArrayList<>();
        holdAll(locks, threads, threadsAtEach);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void holdAll(List<Object> locks, List<Thread> threads, int threadsAtEach) {
        int next = threads.size() / threadsAtEach;
        if (next == locks.size()) {
            Scenes.await(threads.get(0), Thread.State.BLOCKED);
            return;
        }
        synchronized (locks.get(next)) {
            for (int i = 0; i < threadsAtEach; i++) {
                Thread thread =
                        new Thread(null, () -> take(locks.get(next)), "one of many " + next, 1);
                threads.add(thread);
                thread.start();
                while (thread.getState() != Thread.State.BLOCKED) {
                    Thread.yield();
                }
            }
            holdAll(locks, threads, threadsAtEach);
        }
    }

    /** Has a lock that others wait for, and spends its time in leaving another one. */
    static void leaveOthers() throws Exception {
        Object lock = new Contended();
        Object other = new Object();
        AtomicBoolean goesOn = new AtomicBoolean(true);
        CountDownLatch owned = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        threads.add(
                start(
                        "owner",
                        () -> {
                            synchronized (lock) {
                                owned.countDown();
                                leaveAgain(other, goesOn);
                            }
                        }));
        owned.await();
        threads.add(start("rival", () -> leaveAgain(other, goesOn)));
        for (int i = 0; i < WAITERS; i++) {
            threads.add(start("waiter", () -> take(lock)));
            Thread.sleep(5);
        }
        goesOn.set(false);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static Thread start(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.start();
        return thread;
    }

    private static void leaveAgain(Object lock, AtomicBoolean goesOn) {
        while (goesOn.get()) {
            take(lock);
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

    /** A monitor on which somebody waits twice, and somebody else once, who comes second. */
    private static final class Queue {
        private final Thread early = new Thread(this::awaitTwice, "early " + queues.size());
        private final Thread late = new Thread(this::await, "late " + queues.size());

        private void awaitTwice() {
            await();
            await();
        }

        private synchronized void await() {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        private synchronized void notifyOne() {
            notify();
        }
    }

    static void waitEarly() {
        for (int i = 0; i < QUEUES; i++) {
            Queue queue = new Queue();
            queues.add(queue);
            queue.early.start();
            Scenes.await(queue.early, Thread.State.WAITING);
        }
    }

    static void waitLateAndNotify() throws Exception {
        for (Queue queue : queues) {
            queue.late.start();
            Scenes.await(queue.late, Thread.State.WAITING);
            for (int i = 0; i < 3; i++) {
                queue.notifyOne();
                Scenes.pause();
            }
            queue.early.join();
            queue.late.join();
        }
    }

    /** Defines the same class again and again, each time for another loader. */
    static void define() {
        for (int i = 0; i < 2; i++) {
            Thread thread = new Thread(Crowds::defineMany, "definer");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static void defineMany() {
        List<Class<?>> defined = new ArrayList<>();
        try {
            while (true) {
                defined.add(new Defining().defineOnce());
                if (defined.size() == KEPT) {
                    // Who changes classes changes those, too, that nobody needs any more.
                    defined.subList(0, KEPT / 2).clear();
                    System.gc();
                }
                Thread.sleep(1);
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(defined.size() + " classes", e);
        }
    }

    private static final class Defining extends ClassLoader {
        private Defining() {
            super(Crowds.class.getClassLoader());
        }

        private Class<?> defineOnce() throws IOException {
            String name = Scenes.InHiding.class.getName();
            try (InputStream in =
                    Crowds.class.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
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
