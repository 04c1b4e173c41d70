package dev.heatline.collector.locks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Scanner;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Collectors;

/**
 * Threads that keep each other waiting, each with a role that says how long it holds the lock, and
 * that write down for themselves who waited and who held when. Started by tests in JVMs of their
 * own, which begin by the word {@code go}; prints how long each role kept others waiting.
 *
 * <p>Arguments: what they do, {@code virtual} or nothing, and for how many seconds.
 */
final class Contenders {
    /** Owners are looked for in the first tenth of one, and seen from then on. */
    private static final String SECONDS = "4";

    /** Acquires, calls {@link Log#entered}, holds, calls {@link Log#left}, and lets go. */
    interface Section {
        void run(Log log) throws InterruptedException;
    }

    /** Enough that what they keep others waiting is no small part of the whole. */
    private static final int SHORT_ONES = 6;

    private static final Object MONITOR = new Object();
    private static final Outer OUTER = new Outer();
    private static final Inner INNER = new Inner();
    private static final Lock UNFAIR = new ReentrantLock();
    private static final Lock FAIR = new ReentrantLock(true);
    private static final Condition NEVER = UNFAIR.newCondition();
    private static final Condition CHANGED = UNFAIR.newCondition();
    private static final ReentrantReadWriteLock READ_WRITE = new ReentrantReadWriteLock();
    private static final Semaphore PERMITS = new Semaphore(0, true);

    /** Whether somebody takes a permit. */
    private static final AtomicBoolean TAKEN = new AtomicBoolean();

    /** Who gave the permits, in their order. */
    private static final Queue<Log> GIVERS = new ConcurrentLinkedQueue<>();

    /** Who waits on the monitor, or for the condition; only the owner looks. */
    private static final List<Log> WAITING = new ArrayList<>();

    private static volatile Gate gate = new Gate();

    private static final Map<String, Section> SECTIONS =
            Map.ofEntries(
                    Map.entry("monitor", Contenders::monitor),
                    Map.entry("within-own", Contenders::withinOwn),
                    Map.entry("nested", Contenders::nested),
                    Map.entry("recursive", Contenders::recursive),
                    Map.entry("exception", Contenders::exception),
                    Map.entry("exception-in-block", Contenders::exceptionInBlock),
                    Map.entry("notify", Contenders::notified),
                    Map.entry("unfair", log -> locked(UNFAIR, log)),
                    Map.entry("fair", log -> locked(FAIR, log)),
                    Map.entry("condition", log -> signalled(log, false)),
                    Map.entry("condition-in-time", log -> signalled(log, true)),
                    Map.entry("condition-timed", Contenders::conditionTimed),
                    Map.entry("write", log -> locked(READ_WRITE.writeLock(), log)),
                    Map.entry("read-write", log -> readOrWrite(log, Log.LONG)),
                    Map.entry("readers", log -> readOrWrite(log, Log.LONG, Log.MIDDLE)),
                    Map.entry("semaphore", Contenders::permitted),
                    Map.entry("latch", Contenders::gated));

    private Contenders() {}

    public static void main(String[] args) throws Exception {
        Section section = Objects.requireNonNull(SECTIONS.get(args[0]), args[0]);
        boolean virtual = args.length > 1 && args[1].equals("virtual");
        System.out.println("ready");
        if (!new Scanner(System.in, UTF_8).nextLine().equals("go")) {
            return;
        }
        String seconds = args.length > 2 ? args[2] : SECONDS;
        long until = System.nanoTime() + Long.parseLong(seconds) * 1_000_000_000L;
        List<Log> logs = new ArrayList<>();
        logs.add(new Log(Log.LONG, 10_000, 6_000));
        logs.add(new Log(Log.MIDDLE, 1_000, 3_000));
        for (int i = 0; i < SHORT_ONES; i++) {
            logs.add(new Log(Log.SHORT, 200, 1_500 + 300 * i));
        }
        CountDownLatch done = new CountDownLatch(logs.size());
        for (Log log : logs) {
            Runnable work =
                    () -> {
                        log.work(section, until);
                        done.countDown();
                    };
            if (virtual) {
                Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work);
            } else {
                new Thread(work, "contender-" + log.role).start();
            }
        }
        while (!done.await(100, TimeUnit.MILLISECONDS)) {
            if (System.nanoTime() > until) {
                release(new Log("nobody", 0, 0));
            }
        }
        List<Log> inner = logs.stream().map(Log::inner).collect(Collectors.toList());
        new Truth(logs).told().forEach(System.out::println);
        new Truth(inner).told().forEach(line -> System.out.println("inner " + line));
        logs.addAll(inner);
        long late = logs.stream().mapToLong(log -> log.lateNanos).sum();
        System.out.println("late " + late / logs.stream().mapToInt(log -> log.sleeps).sum());
        System.out.println("sections " + logs.stream().mapToInt(log -> log.count).sum());
        System.out.println("done");
        System.in.read();
    }

    /** Lets those go on who wait for others that have come to their end. */
    private static void release(Log by) {
        synchronized (MONITOR) {
            UNFAIR.lock();
            try {
                noteWanted();
                MONITOR.notifyAll();
                CHANGED.signalAll();
            } finally {
                UNFAIR.unlock();
            }
        }
        gate.open(by);
        GIVERS.add(by);
        PERMITS.release();
    }

    private static void monitor(Log log) throws InterruptedException {
        synchronized (MONITOR) {
            log.entered();
            log.hold();
            log.left();
        }
    }

    private static void withinOwn(Log log) throws InterruptedException {
        synchronized (log) {
            monitor(log);
        }
    }

    /** Who has the outer lock has to wait for the inner one, and keeps others waiting by that. */
    private static void nested(Log log) throws InterruptedException {
        if (log.role.equals(Log.LONG)) {
            inner(log.inner());
            return;
        }
        synchronized (OUTER) {
            log.entered();
            if (log.role.equals(Log.MIDDLE)) {
                inner(log.inner());
            } else {
                log.hold();
            }
            log.left();
        }
    }

    private static void inner(Log log) throws InterruptedException {
        log.wanted = System.nanoTime();
        synchronized (INNER) {
            log.entered();
            log.hold();
            log.left();
        }
    }

    private static void recursive(Log log) throws InterruptedException {
        synchronized (MONITOR) {
            log.entered();
            synchronized (MONITOR) {
                log.hold();
            }
            again(log);
            log.left();
        }
    }

    private static void again(Log log) {
        synchronized (MONITOR) {
            log.count++;
        }
    }

    private static void exception(Log log) throws InterruptedException {
        try {
            failing(log);
        } catch (IllegalStateException e) {
            log.count++;
        }
    }

    private static synchronized void failing(Log log) throws InterruptedException {
        log.entered();
        log.hold();
        log.left();
        throw new IllegalStateException("as it should");
    }

    private static void exceptionInBlock(Log log) {
        try {
            synchronized (MONITOR) {
                log.entered();
                log.hold();
                log.left();
                throw new IllegalStateException("as it should");
            }
        } catch (IllegalStateException | InterruptedException e) {
            log.count++;
        }
    }

    /** Who is notified in the middle of somebody's time waits for the rest of it. */
    private static void notified(Log log) throws InterruptedException {
        synchronized (MONITOR) {
            log.entered();
            log.hold();
            noteWanted();
            MONITOR.notifyAll();
            log.hold();
            log.left();
            if (log.role.equals(Log.SHORT)) {
                WAITING.add(log);
                while (WAITING.contains(log)) {
                    MONITOR.wait();
                }
                log.enteredAgain();
                log.hold();
                log.left();
            }
        }
    }

    /** Everybody who waits is about to be woken, and wants the lock from now on. */
    private static void noteWanted() {
        long now = System.nanoTime();
        WAITING.forEach(log -> log.wanted = now);
        WAITING.clear();
    }

    /** The same with a condition of a lock. */
    private static void signalled(Log log, boolean inTime) throws InterruptedException {
        UNFAIR.lock();
        try {
            log.entered();
            log.hold();
            noteWanted();
            CHANGED.signalAll();
            log.hold();
            log.left();
            if (log.role.equals(Log.SHORT)) {
                WAITING.add(log);
                while (WAITING.contains(log)) {
                    if (inTime) {
                        CHANGED.await(1, TimeUnit.MINUTES);
                    } else {
                        CHANGED.await();
                    }
                }
                log.enteredAgain();
                log.hold();
                log.left();
            }
        } finally {
            UNFAIR.unlock();
        }
    }

    private static void locked(Lock lock, Log log) throws InterruptedException {
        lock.lock();
        try {
            log.entered();
            log.hold();
            log.left();
        } finally {
            lock.unlock();
        }
    }

    private static void conditionTimed(Log log) throws InterruptedException {
        UNFAIR.lock();
        try {
            log.entered();
            log.hold();
            log.left();
            log.wanted = System.nanoTime() + 2_000_000;
            long left = 2_000_000;
            while (left > 0) {
                left = NEVER.awaitNanos(left);
            }
            log.enteredAgain();
            log.hold();
            log.left();
        } finally {
            UNFAIR.unlock();
        }
    }

    private static void readOrWrite(Log log, String... readers) throws InterruptedException {
        log.shares = List.of(readers).contains(log.role);
        locked(log.shares ? READ_WRITE.readLock() : READ_WRITE.writeLock(), log);
    }

    /**
     * One takes the permits that the others give. A second one that waits would be woken with the
     * first, in vain, and go on waiting for somebody else.
     */
    private static void permitted(Log log) throws InterruptedException {
        if (log.role.equals(Log.SHORT)) {
            if (TAKEN.compareAndSet(false, true)) {
                log.wanted = System.nanoTime();
                PERMITS.acquire();
                log.woken(GIVERS.remove());
                TAKEN.set(false);
            }
        } else {
            work(log);
            GIVERS.add(log);
            PERMITS.release();
        }
    }

    /** One at a time waits for a gate that the others open; a second would be in its way. */
    private static void gated(Log log) throws InterruptedException {
        if (log.role.equals(Log.SHORT)) {
            Gate closed = gate;
            if (closed.waiters.incrementAndGet() == 1) {
                closed.latch.await();
                log.woken(closed.openers.get(0));
            }
        } else {
            work(log);
            gate.open(log);
        }
    }

    /** Long enough that going to sleep and waking up do not matter beside it. */
    private static void work(Log log) throws InterruptedException {
        for (int i = 0; i < 5; i++) {
            log.hold();
        }
    }

    private static final class Outer {}

    private static final class Inner {}

    private static final class Gate {
        private final CountDownLatch latch = new CountDownLatch(1);
        private final AtomicInteger waiters = new AtomicInteger();
        private final List<Log> openers = new CopyOnWriteArrayList<>();

        synchronized void open(Log by) {
            if (openers.isEmpty()) {
                openers.add(by);
                gate = new Gate();
                latch.countDown();
            }
        }
    }
}
