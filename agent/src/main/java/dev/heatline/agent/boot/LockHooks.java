package dev.heatline.agent.boot;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Called by injected code where a monitor is left or waited on and where threads park. While nobody
 * is blocked, and while tracing is off, a hook is one look at a field.
 *
 * <p>A hook must not throw, since the code around it does not expect that. What can be thrown in
 * one is a stack overflow or a lack of memory, and the application will meet that without us.
 */
public final class LockHooks {
    /** So few slots are looked through faster than a lock is looked up. */
    private static final int FEW = 8;

    /** The other slots: a lock is in one of a few behind its place. */
    private static final int PLACES = 4096;

    private static final int WINDOW = 8;
    private static final int SLOTS = FEW + PLACES + WINDOW;
    private static final int CLASS_BUCKETS = 256;

    /*
     * Written by native code only. A lock some thread is blocked on has a slot, and keeps it as long
     * as there is one, so its owner finds it there.
     */

    /** How many of the first slots to look at; one more than there are to look at others, too. */
    private static volatile int blocked;

    private static final @Nullable Object[] contended = new @Nullable Object[SLOTS];
    private static final int[] ids = new int[SLOTS];

    /** How many locks are in other slots than the first, by their class's identity hash code. */
    private static final int[] classes = new int[CLASS_BUCKETS];

    /** Native code counts in it, some thousand times a second while exits are told. */
    private static final ByteBuffer clock = ByteBuffer.allocateDirect(Integer.BYTES);

    /*
     * Who left the lock of a slot last and told so, when by that clock, and how often it did since.
     * Only the lock's owner reads and writes them.
     */
    private static final @Nullable Thread[] owners = new @Nullable Thread[SLOTS];
    private static final int[] times = new int[SLOTS];
    private static final int[] again = new int[SLOTS];

    /** Who entered the lock of a slot and has not left it, and when by the monotonic clock. */
    private static final @Nullable Thread[] inside = new @Nullable Thread[SLOTS];

    private static final long[] entered = new long[SLOTS];

    private static volatile boolean tracing;

    /** How many threads wait and have told so. */
    private static final AtomicInteger waiting = new AtomicInteger();

    /**
     * What is caught where the clock is read, in several JDKs. It would be loaded when first
     * something is thrown there: when the stack is exhausted, which is no time to load a class.
     */
    private static final String[] CAUGHT = {
        "jdk.internal.misc.ScopedMemoryAccess$Scope$ScopedAccessError",
        "jdk.internal.misc.ScopedMemoryAccess$ScopedAccessError"
    };

    private LockHooks() {}

    /** After the current thread entered a monitor. */
    public static void enter(Object lock) {
        if (blocked != 0) {
            come(lock);
        }
    }

    @SuppressWarnings("ReferenceEquality")
    private static void come(@Nullable Object lock) {
        try {
            int slot = slot(lock);
            Thread current = Thread.currentThread();
            // Not for a monitor it is already inside of, nor for one it has left just now.
            if (slot >= 0
                    && inside[slot] != current
                    && (owners[slot] != current || times[slot] != clock.getInt(0))) {
                inside[slot] = current;
                entered[slot] = System.nanoTime();
            }
        } catch (Throwable e) {
            return;
        }
    }

    /** Where the lock is, or -1. */
    @SuppressWarnings("ReferenceEquality") // A lock is this object and no other.
    private static int slot(@Nullable Object lock) {
        int limit = blocked;
        if (lock == null) {
            return -1;
        }
        for (int i = 0; i < limit && i < FEW; i++) {
            if (contended[i] == lock) {
                return i;
            }
        }
        return limit > FEW && isOfContendedClass(lock) ? otherSlot(lock) : -1;
    }

    @SuppressWarnings("ReferenceEquality")
    private static int otherSlot(Object lock) {
        int place = FEW + System.identityHashCode(lock) % PLACES;
        for (int i = place; i < place + WINDOW; i++) {
            if (contended[i] == lock) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Before the current thread leaves a monitor; the site is a number of that place in the code.
     */
    public static void exit(Object lock, int site) {
        if (blocked != 0) {
            leave(lock, site);
        }
    }

    private static void leave(@Nullable Object lock, int site) {
        try {
            int slot = slot(lock);
            if (slot >= 0) {
                leave(slot, site);
            }
        } catch (Throwable e) {
            return;
        }
    }

    /** On a hot lock one thread leaves thousands of times while another wakes up. */
    @SuppressWarnings("ReferenceEquality")
    private static void leave(int slot, int site) {
        int time = clock.getInt(0);
        Thread current = Thread.currentThread();
        if (owners[slot] == current && times[slot] == time) {
            again[slot]++;
            return;
        }
        long since = inside[slot] == current ? entered[slot] : 0;
        inside[slot] = null;
        exited(slot, ids[slot], site, again[slot], since, current);
        // Only then, since the clock goes on because of what was told.
        owners[slot] = current;
        times[slot] = time;
        again[slot] = 0;
    }

    /**
     * By its class first: asking for the hash code of a lock that is not contended may inflate it.
     */
    private static boolean isOfContendedClass(Object lock) {
        return classes[System.identityHashCode(lock.getClass()) % CLASS_BUCKETS] != 0;
    }

    /** In the place of {@link Object#wait()}. */
    @SuppressWarnings("WaitNotInLoop") // The loop is where this is called.
    public static void await(Object lock) throws InterruptedException {
        boolean told = waiting(lock);
        try {
            lock.wait();
        } finally {
            waited(told);
        }
    }

    /** In the place of {@link Object#wait(long)}. */
    @SuppressWarnings("WaitNotInLoop")
    public static void await(Object lock, long millis) throws InterruptedException {
        boolean told = waiting(lock);
        try {
            lock.wait(millis);
        } finally {
            waited(told);
        }
    }

    /** In the place of {@link Object#wait(long, int)}. */
    @SuppressWarnings("WaitNotInLoop")
    public static void await(Object lock, long millis, int nanos) throws InterruptedException {
        boolean told = waiting(lock);
        try {
            lock.wait(millis, nanos);
        } finally {
            waited(told);
        }
    }

    private static boolean waiting(@Nullable Object lock) {
        try {
            // Who does not own it gets an exception in a moment, and has nothing to tell.
            boolean told =
                    tracing
                            && lock != null
                            && Thread.holdsLock(lock)
                            && beginWait(lock, Thread.currentThread());
            if (told) {
                waiting.incrementAndGet();
            }
            return told;
        } catch (Throwable e) {
            return false;
        }
    }

    private static void waited(boolean told) {
        try {
            if (told) {
                waiting.decrementAndGet();
                endWait(Thread.currentThread());
            }
        } catch (Throwable e) {
            return;
        }
    }

    /** Before {@link Object#notify()} or {@link Object#notifyAll()}. */
    public static void notifying(@Nullable Object lock, boolean all) {
        try {
            if (waiting.get() != 0 && tracing && lock != null && Thread.holdsLock(lock)) {
                notified(lock, all);
            }
        } catch (Throwable e) {
            return;
        }
    }

    /** Before the current thread parks. */
    public static void parking(@Nullable Object blocker, boolean timed) {
        try {
            if (tracing) {
                beginPark(blocker, timed, Thread.currentThread());
            }
        } catch (Throwable e) {
            return;
        }
    }

    /** Before the current thread parks without saying on what. */
    public static void parking(boolean timed) {
        try {
            if (tracing) {
                Thread current = Thread.currentThread();
                beginPark(LockSupport.getBlocker(current), timed, current);
            }
        } catch (Throwable e) {
            return;
        }
    }

    /** After the current thread was parked. */
    public static void parked() {
        try {
            if (tracing) {
                endPark(Thread.currentThread());
            }
        } catch (Throwable e) {
            return;
        }
    }

    /** Before the current thread wakes another. */
    public static void unparking(@Nullable Thread other) {
        try {
            if (tracing && other != null) {
                unpark(other, Thread.currentThread());
            }
        } catch (Throwable e) {
            return;
        }
    }

    /** Before the current thread, which owns a lock, signals another that waits for a condition. */
    public static void signalling(Object lock, @Nullable Thread other) {
        try {
            if (tracing && other != null) {
                signal(lock, other, Thread.currentThread());
            }
        } catch (Throwable e) {
            return;
        }
    }

    /** Begins a trace; returns why that is not possible, or null. */
    public static @Nullable String start(String file, int blocks) {
        link();
        String reason = on(file, blocks);
        tracing = reason == null;
        return reason;
    }

    /** Lets the JVM look up the native methods now, by Java code that must not run in a hook. */
    private static void link() {
        Thread current = Thread.currentThread();
        exited(0, 0, 0, 0, 0, current);
        beginWait(current, current);
        endWait(current);
        notified(current, true);
        beginPark(LockSupport.getBlocker(current), false, current);
        endPark(current);
        unpark(current, current);
        signal(current, current, current);
        for (String name : CAUGHT) {
            load(name);
        }
    }

    private static void load(String name) {
        try {
            Class.forName(name, true, null);
        } catch (ClassNotFoundException e) {
            // Another JDK's.
            return;
        }
    }

    /** Ends all events. What the trace says of itself can be changed until it is closed. */
    public static void stop() {
        tracing = false;
        silence();
    }

    /** Ends the trace. */
    public static native void close();

    /** CPU time of the current thread. */
    public static native long cpuNanos();

    /** Counts CPU time that tracing took outside of hooks. */
    public static native void spent(long nanos);

    /** Publishes counters; returns whether the reader gave a sign of life since the last call. */
    public static native boolean beat(
            int changedClasses, int skippedClasses, int notRestoredClasses);

    /** Waits until there is something to take, but not longer; returns whether there is. */
    public static native boolean awaitMet(int millis);

    /**
     * Fills in classes in whose code or on whose objects somebody was blocked or waited, or whose
     * code kept others waiting, each once; returns how many.
     */
    public static native int takeMet(@Nullable Class<?>[] types);

    /** To be called when classes got hooks: their lines begin elsewhere from then on. */
    public static native void renewLines(Class<?>[] types);

    /**
     * Replaces classes that have nothing to do with monitors by null: without a synchronized method
     * or block, and without a call that waits or notifies.
     *
     * @param opcodeLengths of all 256, with operands; 0 for those that depend
     */
    public static native void keepThoseWithMonitors(
            @Nullable Class<?>[] types, byte[] opcodeLengths);

    /** Replaces classes that call nothing named as {@link Object#wait()} is by null. */
    public static native void keepThoseThatWait(@Nullable Class<?>[] types);

    /** Likewise, {@link Object#notify()} or {@link Object#notifyAll()}. */
    public static native void keepThoseThatNotify(@Nullable Class<?>[] types);

    private static native @Nullable String on(String file, int blocks);

    private static native void silence();

    private static native void exited(
            int slot, int id, int site, int again, long entered, Thread current);

    private static native boolean beginWait(Object lock, Thread current);

    private static native void endWait(Thread current);

    private static native void notified(Object lock, boolean all);

    private static native void beginPark(@Nullable Object blocker, boolean timed, Thread current);

    private static native void endPark(Thread current);

    private static native void unpark(Thread other, Thread current);

    private static native void signal(Object lock, Thread other, Thread current);
}
