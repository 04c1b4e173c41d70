package dev.heatline.agent.boot;

import java.util.Set;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What roots take by which nothing else is measured: how often they were called from outside of all
 * roots, the sum of the times for which their threads were running and of those for which they were
 * not, and those of the squares. As everywhere, who took not long is taken for running, and virtual
 * threads for running all the time. Threads write to parts of their own as far as there are enough.
 */
public final class RootTimes {
    /** Instead of the time at which a call began. */
    static final long NOT_TIMED = 0;

    private static final int PARTS = 8;

    /* Of each root in each part; as many numbers as keep threads from each other's. */

    private static final int CALLS = 0;
    private static final int RUNNING = 1;

    /** The bits of a floating-point number, as those below. */
    private static final int RUNNING_SQUARES = 2;

    private static final int IDLE = 3;
    private static final int IDLE_SQUARES = 4;

    private static final int SLOT = 16;

    private static final long LOOK_AGAIN_NANOS = 20_000_000;

    /**
     * An older reading of the CPU clock is not good enough. A shorter pause counts as running
     * anyway.
     */
    private static final long STALE_NANOS = IdleTimes.BRIEF_NANOS;

    private final int[] methods;
    private final Set<String> names;
    private final AtomicLongArray sums;

    /** Without the classes, JDK 25 does not tell descriptors. */
    private final StackWalker walker =
            StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    /** Not static: what threads keep of it may go when it goes. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable Place> places = new ThreadLocal<>();

    private volatile boolean any;

    /**
     * @param methods the roots by their numbers
     * @param names and by class, name and descriptor, written without anything between them
     */
    public RootTimes(int[] methods, Set<String> names) {
        this.methods = methods.clone();
        this.names = names;
        this.sums = new AtomicLongArray(PARTS * methods.length * SLOT);
    }

    /**
     * Where a thread is. Each thread holds its own for as long as it lives, or until the JVM finds
     * that nobody else does, so this must not know whose it is.
     */
    private static final class Place {
        private final boolean isVirtual = CallTrees.isVirtual(Thread.currentThread());
        private boolean isInside;

        /** The thread's CPU time shortly before it was inside. */
        private long cpuBefore;

        /** When that was. */
        private long readAt = System.nanoTime() - STALE_NANOS;

        /** Whether every root that it is in was seen to begin. */
        private boolean isKnown;

        private long lookAgain = System.nanoTime();

        /**
         * A root that was called before its code was changed is on the stack, and nowhere else.
         * While there is one, looking again at each call would take for ever.
         */
        private boolean isKnown(StackWalker walker, Set<String> names) {
            if (!isKnown && System.nanoTime() - lookAgain >= 0) {
                isKnown = new RootsOnStack(names).areFew(walker);
                lookAgain = System.nanoTime() + LOOK_AGAIN_NANOS;
            }
            return isKnown;
        }

        private long cpuNanos() {
            return isVirtual ? 0 : CallHooks.cpuNanos();
        }

        /**
         * The time from which on it is inside. The code right after a reading of the CPU clock runs
         * slower, so brief calls share one.
         */
        private long begin() {
            long now = System.nanoTime();
            if (now - readAt < STALE_NANOS) {
                return now;
            }
            cpuBefore = cpuNanos();
            readAt = System.nanoTime();
            return readAt;
        }

        /**
         * For how much of the time that it was inside the thread ran. It is taken to have run from
         * the reading until it was inside, which is brief.
         */
        private long runningNanos(long begun, long tookNanos) {
            long cpu = tookNanos > IdleTimes.BRIEF_NANOS ? cpuNanos() : 0;
            return cpu > 0 && cpuBefore > 0
                    ? Math.max(0, Math.min(tookNanos, cpu - cpuBefore - (begun - readAt)))
                    : tookNanos;
        }
    }

    /** Counts the roots that a thread is in. */
    private static final class RootsOnStack implements Consumer<StackWalker.StackFrame> {
        private final Set<String> names;
        private int found;

        private RootsOnStack(Set<String> names) {
            this.names = names;
        }

        /** Whether there is none besides the one that is just being called. */
        private boolean areFew(StackWalker walker) {
            try {
                walker.forEach(this);
                return found <= 1;
            } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
                return false;
            }
        }

        @Override
        public void accept(StackWalker.StackFrame frame) {
            String name = frame.getClassName() + frame.getMethodName() + frame.getDescriptor();
            found += names.contains(name) ? 1 : 0;
        }
    }

    /**
     * A root begins. The application has not asked for it: where it has no memory or stack left for
     * this, that call is not timed.
     *
     * @return the time, or {@link #NOT_TIMED}, as where the thread is in a root already
     */
    long enter() {
        try {
            Place place = places.get();
            if (place == null) {
                place = new Place();
                places.set(place);
            }
            if (place.isInside || !place.isKnown(walker, names)) {
                return NOT_TIMED;
            }
            long now = place.begin();
            if (!any) {
                any = true;
            }
            // Last: whatever may fail has not.
            place.isInside = true;
            return now == NOT_TIMED ? 1 : now;
        } catch (StackOverflowError | OutOfMemoryError e) {
            return NOT_TIMED;
        }
    }

    /** One that was timed has ended. */
    void leave(int method, long begun, long tookNanos) {
        try {
            Place place = places.get();
            if (place != null) {
                place.isInside = false;
                add(method, tookNanos, place.runningNanos(begun, tookNanos));
            }
        } catch (StackOverflowError | OutOfMemoryError e) {
            // The application has not asked for this either.
            return;
        }
    }

    private void add(int method, long tookNanos, long ranNanos) {
        int root = 0;
        while (root < methods.length && methods[root] != method) {
            root++;
        }
        if (root < methods.length) {
            int at = at((int) Thread.currentThread().getId() & PARTS - 1, root);
            sums.getAndIncrement(at + CALLS);
            add(at + RUNNING, ranNanos);
            add(at + IDLE, tookNanos - ranNanos);
        }
    }

    private void add(int at, long nanos) {
        if (nanos > 0) {
            sums.getAndAdd(at, nanos);
            addSquare(at + 1, (double) nanos * nanos);
        }
    }

    private void addSquare(int at, double square) {
        long before;
        long after;
        do {
            before = sums.get(at);
            after = Double.doubleToRawLongBits(Double.longBitsToDouble(before) + square);
        } while (!sums.compareAndSet(at, before, after));
    }

    private int at(int part, int root) {
        return (part * methods.length + root) * SLOT;
    }

    /** Whether a call has begun that is timed. */
    public boolean any() {
        return any;
    }

    /** How many calls of a root have ended, by its place among those given. */
    public long calls(int root) {
        return sum(root, CALLS);
    }

    /** For how long they ran. */
    public long runningNanos(int root) {
        return sum(root, RUNNING);
    }

    /** The sum of the squares of how long each ran. */
    public double runningSquares(int root) {
        return squares(root, RUNNING_SQUARES);
    }

    /** For how long their threads did not run meanwhile. */
    public long idleNanos(int root) {
        return sum(root, IDLE);
    }

    /** The sum of the squares of how long each did not. */
    public double idleSquares(int root) {
        return squares(root, IDLE_SQUARES);
    }

    private long sum(int root, int what) {
        long sum = 0;
        for (int part = 0; part < PARTS; part++) {
            sum += sums.get(at(part, root) + what);
        }
        return sum;
    }

    private double squares(int root, int what) {
        double sum = 0;
        for (int part = 0; part < PARTS; part++) {
            sum += Double.longBitsToDouble(sums.get(at(part, root) + what));
        }
        return sum;
    }
}
