package dev.heatline.collector.locks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Scanner;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Threads that keep each other waiting, each with a role that says how long it holds the lock, and
 * that write down for themselves who waited and who held when. Started by tests in JVMs of their
 * own, which begin by the word {@code go}; prints how long each role kept others waiting.
 */
final class Contenders {
    private static final long SECONDS = 2;

    /** Acquires, calls {@link Log#entered}, holds, calls {@link Log#left}, and lets go. */
    private interface Section {
        void run(Log log) throws InterruptedException;
    }

    private static final Object MONITOR = new Object();
    private static final Lock UNFAIR = new ReentrantLock();
    private static final Lock FAIR = new ReentrantLock(true);
    private static final ReentrantReadWriteLock READ_WRITE = new ReentrantReadWriteLock();

    private static final Map<String, Section> SECTIONS =
            Map.of(
                    "monitor", Contenders::monitor,
                    "nested", Contenders::nested,
                    "recursive", Contenders::recursive,
                    "exception", Contenders::exception,
                    "unfair", log -> locked(UNFAIR, log),
                    "fair", log -> locked(FAIR, log),
                    "write", log -> locked(READ_WRITE.writeLock(), log));

    private Contenders() {}

    public static void main(String[] args) throws Exception {
        Section section = Objects.requireNonNull(SECTIONS.get(args[0]), args[0]);
        boolean virtual = args.length > 1 && args[1].equals("virtual");
        System.out.println("ready");
        if (!new Scanner(System.in, UTF_8).nextLine().equals("go")) {
            return;
        }
        long until = System.nanoTime() + SECONDS * 1_000_000_000L;
        List<Log> logs = new ArrayList<>();
        logs.add(new Log("asLong", 10_000, 6_000));
        logs.add(new Log("asMiddle", 1_000, 3_000));
        logs.add(new Log("asShort", 50, 500));
        logs.add(new Log("asShort", 50, 700));
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
        done.await();
        for (String role : List.of("asLong", "asMiddle", "asShort")) {
            long nanos = 0;
            for (Log holder : logs) {
                if (holder.role.equals(role)) {
                    for (Log waiter : logs) {
                        nanos += waiter == holder ? 0 : waiter.waitedFor(holder);
                    }
                }
            }
            System.out.println(role + " " + nanos);
        }
        System.out.println("sections " + logs.stream().mapToInt(log -> log.count).sum());
        System.out.println("done");
        System.in.read();
    }

    private static void monitor(Log log) throws InterruptedException {
        synchronized (MONITOR) {
            log.entered();
            log.hold();
            log.left();
        }
    }

    private static void nested(Log log) throws InterruptedException {
        synchronized (log) {
            monitor(log);
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

    /** One thread's own account of what it did. */
    private static final class Log {
        private final String role;
        private final long holdMicros;
        private final long pauseMicros;
        private final List<long[]> waits = new ArrayList<>();
        private final List<long[]> holds = new ArrayList<>();
        private long wanted;
        private long got;
        private int count;

        Log(String role, long holdMicros, long pauseMicros) {
            this.role = role;
            this.holdMicros = holdMicros;
            this.pauseMicros = pauseMicros;
        }

        void work(Section section, long until) {
            try {
                while (System.nanoTime() < until) {
                    wanted = System.nanoTime();
                    switch (role) {
                        case "asLong" -> asLong(section);
                        case "asMiddle" -> asMiddle(section);
                        default -> asShort(section);
                    }
                    pause(pauseMicros);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        void asLong(Section section) throws InterruptedException {
            section.run(this);
        }

        void asMiddle(Section section) throws InterruptedException {
            section.run(this);
        }

        void asShort(Section section) throws InterruptedException {
            section.run(this);
        }

        void entered() {
            got = System.nanoTime();
            waits.add(new long[] {wanted, got});
        }

        void hold() throws InterruptedException {
            pause(holdMicros);
        }

        void left() {
            holds.add(new long[] {got, System.nanoTime()});
        }

        private static void pause(long micros) throws InterruptedException {
            if (micros >= 1_000) {
                Thread.sleep(micros / 1_000, (int) (micros % 1_000) * 1_000);
            } else {
                long until = System.nanoTime() + micros * 1_000;
                while (System.nanoTime() < until) {
                    Thread.onSpinWait();
                }
            }
        }

        /** How long it waited while the other held the lock. */
        long waitedFor(Log holder) {
            long sum = 0;
            int first = 0;
            for (long[] wait : waits) {
                while (first < holder.holds.size() && holder.holds.get(first)[1] <= wait[0]) {
                    first++;
                }
                for (int i = first; i < holder.holds.size(); i++) {
                    long[] held = holder.holds.get(i);
                    if (held[0] >= wait[1]) {
                        break;
                    }
                    sum += Math.min(wait[1], held[1]) - Math.max(wait[0], held[0]);
                }
            }
            return sum;
        }
    }
}
