package dev.heatline.agent.locks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.security.Permission;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The program that tests trace: plays small scenes with locks as it is told. */
// What is bad style in a program is what a tracer must cope with.
@SuppressWarnings({
    "InfiniteRecursion",
    "JdkObsolete",
    "removal",
    "LockNotBeforeTry",
    "ThreadPriorityCheck",
    "WaitNotInLoop"
})
public final class Scenes {
    private static final Object LOCK = new Object();
    private static final Object OTHER = new Object();
    private static final ReentrantLock REENTRANT = new ReentrantLock();
    private static final Hashtable<String, String> TABLE = new Hashtable<>();
    private static final Heir HEIR = new Heir();
    private static final int EXIT_CODE = 7;
    private static final int CROWD = 1000;

    /** Before names of the JDK's classes. */
    private static final String LOAD = "load ";

    private static volatile boolean loaded;
    private static boolean notified;

    private Scenes() {}

    public static void main(String[] args) throws Exception {
        System.out.println("ready");
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            play(line);
            System.out.println("played " + line);
        }
        loaded = false;
        System.exit(EXIT_CODE);
    }

    private static void play(String scene) throws Exception {
        if (scene.startsWith(LOAD)) {
            for (String name : scene.substring(LOAD.length()).split(",", -1)) {
                Class.forName(name, false, ClassLoader.getPlatformClassLoader());
            }
            return;
        }
        switch (scene) {
            case "block" -> contend(Scenes::inBlock, () -> inBlock(() -> {}));
            case "method" -> contend(new Scenes()::inMethod, null);
            case "static method" -> contend(Scenes::inStaticMethod, null);
            case "throw from block" -> contend(Scenes::throwFromBlock, null);
            case "throw from method" -> contend(new Scenes()::throwFromMethod, null);
            case "recursion" -> contend(Scenes::recursive, () -> inBlock(() -> {}));
            case "nested" -> contend(Scenes::nested, () -> inBlock(() -> {}));
            case "many exits" -> contend(Scenes::manyExits, () -> inBlock(() -> {}));
            case "alone" -> inBlock(() -> {});
            case "owner elsewhere" ->
                    contend(inside -> Elsewhere.hold(LOCK, inside), () -> inBlock(() -> {}));
            case "notified elsewhere" -> notifiedElsewhere();
            case "own notify" -> new Announcer().announce();
            case "owner in an heir" ->
                    contend(inside -> Heir.hold(LOCK, inside), () -> inBlock(() -> {}));
            case "lock of an heir" -> contend(Scenes::inHeir, () -> inHeir(() -> {}));
            case "parked on" -> parkedOn();
            case "table" -> contend(Scenes::inTable, () -> TABLE.get("x"));
            case "wait" -> waitAndNotify();
            case "reentrant" -> reentrant();
            case "virtual" -> virtual();
            case "overflow" -> overflow();
            case "crowd" -> crowd();
            case "crowd at many locks" -> Crowds.crowdAtLocks(500, 2);
            case "crowd at too many locks" -> Crowds.crowdAtLocks(3000, 1);
            case "leave others" -> Crowds.leaveOthers();
            case "block in an own loader" -> Loaders.block();
            case "block in a stuck loader" -> Loaders.blockInStuck();
            case "let loaders go" -> Loaders.letGo();
            case "many locks" -> Crowds.manyLocks();
            case "wait early" -> Crowds.waitEarly();
            case "wait late and notify" -> Crowds.waitLateAndNotify();
            case "define" -> Crowds.define();
            case "define once" -> defineOnce();
            case "many virtual threads" -> Crowds.manyVirtualThreads();
            case "block for a second" -> blockForASecond();
            case "many chains" -> Paths.manyChains();
            case "deep parks" -> Paths.deepParks(false);
            case "deep parks after an unpark" -> Paths.deepParks(true);
            case "deep" -> contend(inside -> dig(200, inside), () -> inBlock(() -> {}));
            case "no new threads" -> System.setSecurityManager(new NoNewThreads());
            case "new threads" -> System.setSecurityManager(null);
            case "load" -> load();
            case "hidden hooks" -> hiddenHooks();
            case "look around" -> lookAround();
            default -> throw new IllegalArgumentException(scene);
        }
    }

    /** One thread takes a lock and leaves it when another, which runs enter, is blocked on it. */
    static void contend(Consumer<Runnable> hold, @Nullable Runnable enter) throws Exception {
        Runnable entering = enter == null ? () -> quietly(() -> hold.accept(() -> {})) : enter;
        Thread waiter = new Thread(entering, "waiter");
        Runnable untilBlocked =
                () -> {
                    waiter.start();
                    await(waiter, Thread.State.BLOCKED);
                };
        Thread holder = new Thread(() -> quietly(() -> hold.accept(untilBlocked)), "holder");
        holder.start();
        holder.join();
        waiter.join();
    }

    private static void blockForASecond() throws Exception {
        contend(
                inside ->
                        inBlock(
                                () -> {
                                    inside.run();
                                    LockSupport.parkNanos(1_000_000_000);
                                }),
                () -> inBlock(() -> {}));
    }

    static void await(Thread thread, Thread.State state) {
        while (thread.getState() != state) {
            Thread.yield();
        }
        // The state comes a moment before the JVM tells the tracer.
        pause();
    }

    static void pause() {
        long start = System.nanoTime();
        while (System.nanoTime() - start < 20_000_000) {
            Thread.yield();
        }
    }

    private static void quietly(Runnable body) {
        try {
            body.run();
        } catch (IllegalStateException e) {
            if (!"expected".equals(e.getMessage())) {
                throw e;
            }
        }
    }

    private static void inBlock(Runnable inside) {
        synchronized (LOCK) {
            inside.run();
        }
    }

    private static void inTable(Runnable inside) {
        synchronized (TABLE) {
            inside.run();
        }
    }

    private static void inHeir(Runnable inside) {
        synchronized (HEIR) {
            inside.run();
        }
    }

    private synchronized void inMethod(Runnable inside) {
        inside.run();
    }

    private static synchronized void inStaticMethod(Runnable inside) {
        inside.run();
    }

    private static void throwFromBlock(Runnable inside) {
        synchronized (LOCK) {
            inside.run();
            throw new IllegalStateException("expected");
        }
    }

    private synchronized void throwFromMethod(Runnable inside) {
        inside.run();
        throw new IllegalStateException("expected");
    }

    private static void recursive(Runnable inside) {
        synchronized (LOCK) {
            inBlock(inside);
            // Exits in the same moment are told once.
            pause();
        }
    }

    private static void nested(Runnable inside) {
        synchronized (OTHER) {
            synchronized (LOCK) {
                inside.run();
            }
        }
    }

    /** Stays the owner, since whoever is blocked needs longer to wake up. */
    private static void manyExits(Runnable inside) {
        synchronized (LOCK) {
            inside.run();
            for (int i = 0; i < 1000; i++) {
                synchronized (LOCK) {
                    notified = !notified;
                }
            }
        }
    }

    private static void waitAndNotify() throws Exception {
        notified = false;
        Thread waiter = new Thread(Scenes::waitForIt, "waiter");
        waiter.start();
        await(waiter, Thread.State.WAITING);
        synchronized (LOCK) {
            notified = true;
            LOCK.notifyAll();
            await(waiter, Thread.State.BLOCKED);
        }
        waiter.join();
        Thread timed =
                new Thread(
                        () -> {
                            synchronized (LOCK) {
                                waitBriefly();
                            }
                        },
                        "timed");
        timed.start();
        timed.join();
        Thread interrupted = new Thread(Scenes::waitForIt, "interrupted");
        notified = false;
        interrupted.start();
        await(interrupted, Thread.State.WAITING);
        interrupted.interrupt();
        interrupted.join();
        try {
            LOCK.wait();
        } catch (IllegalMonitorStateException e) {
            System.out.println("not the owner");
        }
    }

    private static void notifiedElsewhere() throws Exception {
        Thread waiter = new Thread(Scenes::waitOnce, "waiter");
        waiter.start();
        await(waiter, Thread.State.WAITING);
        Elsewhere.wake(LOCK);
        waiter.join();
    }

    @SuppressWarnings("WaitNotInLoop") // Nobody else notifies.
    private static void waitOnce() {
        synchronized (LOCK) {
            try {
                LOCK.wait();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static void waitForIt() {
        synchronized (LOCK) {
            try {
                while (!notified) {
                    LOCK.wait();
                }
            } catch (InterruptedException e) {
                System.out.println("interrupted");
            }
        }
    }

    private static void waitBriefly() {
        try {
            LOCK.wait(5);
            LOCK.wait(5, 1);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void reentrant() throws Exception {
        Thread waiter = new Thread(Scenes::lockAndUnlock, "waiter");
        REENTRANT.lock();
        waiter.start();
        await(waiter, Thread.State.WAITING);
        REENTRANT.unlock();
        waiter.join();
    }

    private static void parkedOn() throws Exception {
        Thread waiter = new Thread(() -> LockSupport.park(HEIR), "waiter");
        waiter.start();
        await(waiter, Thread.State.WAITING);
        LockSupport.unpark(waiter);
        waiter.join();
    }

    private static void lockAndUnlock() {
        REENTRANT.lock();
        REENTRANT.unlock();
    }

    /** As contend and reentrant, with virtual threads; by reflection, since 17 has none. */
    private static void virtual() throws Exception {
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        List<Thread> threads = new ArrayList<>();
        synchronized (LOCK) {
            for (int i = 0; i < 50; i++) {
                threads.add((Thread) start.invoke(null, (Runnable) () -> inBlock(() -> {})));
            }
            for (Thread thread : threads) {
                await(thread, Thread.State.BLOCKED);
            }
        }
        REENTRANT.lock();
        for (int i = 0; i < 50; i++) {
            threads.add((Thread) start.invoke(null, (Runnable) Scenes::lockAndUnlock));
        }
        await(threads.get(threads.size() - 1), Thread.State.WAITING);
        REENTRANT.unlock();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** While somebody is blocked on the lock, so that the hooks have something to do. */
    private static void overflow() throws Exception {
        contend(
                inside ->
                        inBlock(
                                () -> {
                                    inside.run();
                                    try {
                                        dive(0);
                                    } catch (StackOverflowError e) {
                                        System.out.println("overflown");
                                    }
                                }),
                () -> inBlock(() -> {}));
    }

    private static int dive(int depth) {
        synchronized (LOCK) {
            return dive(depth + 1) + 1;
        }
    }

    private static void crowd() throws Exception {
        List<Thread> threads = new ArrayList<>();
        synchronized (LOCK) {
            for (int i = 0; i < CROWD; i++) {
                Thread thread = new Thread(null, () -> inBlock(() -> {}), "one of many " + i, 1);
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                while (thread.getState() != Thread.State.BLOCKED) {
                    Thread.yield();
                }
            }
            await(threads.get(0), Thread.State.BLOCKED);
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void dig(int depth, Runnable inside) {
        if (depth == 0) {
            inBlock(inside);
        } else {
            dig(depth - 1, inside);
        }
    }

    /** An application that lets no thread of other groups be made but its own. */
    private static final class NoNewThreads extends SecurityManager {
        @Override
        public void checkAccess(ThreadGroup group) {
            if (Thread.currentThread().getName().equals("Attach Listener")) {
                throw new SecurityException("no new threads");
            }
        }

        @Override
        public void checkPermission(Permission permission) {
            // Everything else is allowed.
        }
    }

    /** Locks of all kinds, taken by many threads until the program ends. */
    private static void load() {
        loaded = true;
        for (int i = 0; i < 8; i++) {
            int kind = i % 4;
            Thread thread = new Thread(() -> work(kind), "load " + i);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static void work(int kind) {
        long count = 0;
        while (loaded) {
            count++;
            switch (kind) {
                case 0 -> inBlock(Thread::yield);
                case 1 -> inStaticMethod(Thread::yield);
                case 2 -> lockAndUnlock();
                default -> {
                    synchronized (LOCK) {
                        waitBriefly();
                    }
                }
            }
        }
        System.out.println("work " + kind + " " + count);
    }

    /** Loads a class in a way that hides from it what the boot loader has. */
    private static void hiddenHooks() throws Exception {
        Class<?> hidden = new Hiding().loadClass("dev.heatline.agent.locks.Scenes$InHiding");
        hidden.getMethod("run").invoke(null);
    }

    /** A loader as module systems have them. */
    private static final class Hiding extends ClassLoader {
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("java.")) {
                return super.loadClass(name, resolve);
            }
            if (!name.endsWith("InHiding")) {
                throw new ClassNotFoundException(name);
            }
            String file = "/" + name.replace('.', '/') + ".class";
            try (var in = Scenes.class.getResourceAsStream(file)) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    /** Has a monitor. */
    public static final class InHiding {
        private InHiding() {}

        public static synchronized void run() {
            System.out.println("ran in hiding");
        }
    }

    /** Does not wait for its end. */
    private static void defineOnce() {
        Thread thread =
                new Thread(() -> System.out.println("defined " + InHiding.class), "definer");
        thread.setDaemon(true);
        thread.start();
    }

    private static void lookAround() throws Exception {
        for (String name :
                List.of("org.objectweb.asm.ClassReader", "dev.heatline.agent.locks.Locks")) {
            try {
                System.out.println("sees " + Class.forName(name));
            } catch (ClassNotFoundException e) {
                System.out.println("does not see " + name);
            }
        }
        CountDownLatch latch = new CountDownLatch(1);
        Thread thread = new Thread(latch::countDown);
        thread.start();
        latch.await();
        for (Thread other : Thread.getAllStackTraces().keySet()) {
            if (other.getName().contains("Heatline")) {
                System.out.println("has thread " + other.getName());
            }
        }
    }
}
