package dev.heatline.agent.boot;

import java.lang.reflect.Array;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Called by injected code where a method begins and ends. A method that is called outside of all
 * roots costs a look at a table; the trees of threads that are inside know the rest.
 *
 * <p>What {@link #enter} and {@link #root} answer is handed to {@link #exit} by the same call: the
 * node that was entered, with the number of the measurement in its upper bits, since a call may
 * outlive a measurement and end in the next.
 */
public final class CallHooks {
    /** Told when a method is called for the first time, before it does anything. */
    public interface Listener {

        /** May take as long as it needs to; the time is nobody's. */
        void firstCall(int method);

        /**
         * Told of calls inside of a root that name their method at run time, of each method now and
         * then again.
         *
         * @param callee a method or constructor as reflection knows it, or a method handle
         */
        void reflectiveCall(Object callee);
    }

    private static final int NODE_BITS = 24;
    static final int MOST_NODES = (1 << NODE_BITS) - 1;

    private static volatile int measurement;
    private static volatile boolean[] invoked = new boolean[0];

    /** By numbers of methods; shorter where there is none. */
    private static volatile boolean[] counted = new boolean[0];

    private static volatile @Nullable Listener listener;
    private static volatile @Nullable LongSupplier cpuClock;

    /** By the numbers of threads. */
    private static volatile @Nullable LongUnaryOperator cpuClocks;

    /** Counts how often everything was to be told again. */
    private static volatile int round;

    private static int firstMethod;

    /** As they were last found out. */
    private static volatile CallCosts costs = new CallCosts(0, 0, 0, 0, 0, 0);

    /** The first number of what is made in this measurement; earlier ones are higher. */
    private static int firstMade;

    /** Those of this measurement; null if none are tracked. */
    private static volatile @Nullable TrackedObjects tracked;

    private static int[] arrayHeaders = new int[Long.BYTES + 1];
    private static int referenceScale = Integer.BYTES;
    private static long alignment = Long.BYTES;

    private CallHooks() {}

    /** A method that is only of interest inside of a root. */
    public static int enter(int method) {
        CallTree tree = CallTrees.find(Thread.currentThread());
        if (tree == null || tree.current <= CallTree.OUTSIDE) {
            return 0;
        }
        int node = tree.enter(method);
        return node == 0 ? 0 : measurement << NODE_BITS | node;
    }

    /** A method with which measuring begins. */
    public static int root(int method) {
        Thread thread = Thread.currentThread();
        CallTree tree = CallTrees.find(thread);
        boolean inside = tree != null && tree.current > CallTree.OUTSIDE;
        if (!inside && listener == null) {
            return 0;
        }
        if (tree == null) {
            tree = CallTrees.add(thread);
        }
        if (tree == null || tree.current == CallTree.AWAY) {
            return 0;
        }
        int node = tree.enter(method);
        return node == 0 ? 0 : measurement << NODE_BITS | node;
    }

    /** Where a method returns or is left by an exception. */
    public static void exit(int entered) {
        if (entered != 0) {
            leave(entered);
        }
    }

    private static void leave(int entered) {
        CallTree tree = CallTrees.find(Thread.currentThread());
        if (tree != null && entered >>> NODE_BITS == measurement) {
            tree.exit(entered & MOST_NODES);
            if (tree.current == CallTree.OUTSIDE && tree.isShared) {
                CallTrees.giveBack(tree);
            }
        }
    }

    /** Where a method catches an exception, which may come from calls that could not say so. */
    public static void caught(int entered) {
        if (entered != 0 && entered >>> NODE_BITS == measurement) {
            CallTree tree = CallTrees.find(Thread.currentThread());
            if (tree != null) {
                tree.back(entered & MOST_NODES);
            }
        }
    }

    /**
     * Where an object is made.
     *
     * @param what its class and place; its bytes are known by its class
     */
    public static void made(int what) {
        CallTree tree = CallTrees.find(Thread.currentThread());
        if (tree != null && tree.current > CallTree.OUTSIDE && what <= firstMade) {
            tree.made(what, 0);
        }
    }

    /**
     * Where an array is made.
     *
     * @param scale how many bytes each element takes
     */
    public static void made(int length, int what, int scale) {
        CallTree tree = CallTrees.find(Thread.currentThread());
        if (tree != null && tree.current > CallTree.OUTSIDE && what <= firstMade && length >= 0) {
            tree.made(what, arrayBytes(length, scale));
        }
    }

    private static long arrayBytes(int length, int scale) {
        long bytes = arrayHeaders[scale] + (long) length * scale;
        return bytes + alignment - 1 & -alignment;
    }

    /** Bytes of an array whose elements take so many; 0 if they take none, for what is no array. */
    static long arrayBytes(Object made, int scale) {
        return scale == 0 ? 0 : arrayBytes(Array.getLength(made), scale);
    }

    /**
     * Where an object has been made whole: its constructor has returned.
     *
     * @param what as it was said where it was made
     */
    public static void whole(Object made, int what) {
        track(made, what, 0);
    }

    private static void track(Object made, int what, int scale) {
        TrackedObjects known = tracked;
        CallTree tree = known == null ? null : CallTrees.find(Thread.currentThread());
        if (known != null && tree != null && tree.current > CallTree.OUTSIDE && what <= firstMade) {
            try {
                tree.track(made, what, scale, known);
            } catch (OutOfMemoryError | StackOverflowError e) {
                // The application has not asked for it: one less is tracked.
                return;
            }
        }
    }

    /** Where an array has been made, or an array of arrays; they may be tracked. */
    public static void made(Object array, int what, int scale, int dimensions) {
        CallTree tree = CallTrees.find(Thread.currentThread());
        if (tree != null && tree.current > CallTree.OUTSIDE) {
            madeAll(array, what, scale, dimensions);
        }
    }

    private static void madeAll(Object array, int what, int scale, int dimensions) {
        if (array instanceof Object[] of && dimensions > 1) {
            made(of.length, what, referenceScale);
            track(of, what, referenceScale);
            for (Object each : of) {
                if (each != null) {
                    madeAll(each, what, scale, dimensions - 1);
                }
            }
        } else {
            made(Array.getLength(array), what, scale);
            track(array, what, scale);
        }
    }

    /**
     * Says how large this JVM's arrays are.
     *
     * @param headers bytes before the first element, by the bytes of an element
     * @param reference the bytes of an element that is an object
     * @param align of what all sizes are multiples
     */
    public static void sizes(int[] headers, int reference, long align) {
        arrayHeaders = headers;
        referenceScale = reference;
        alignment = align;
    }

    /** Where a method is about to be called by reflection or by a method handle. */
    public static void reflected(Object callee) {
        CallTree tree = CallTrees.find(Thread.currentThread());
        Listener told = listener;
        if (tree != null
                && tree.current > CallTree.OUTSIDE
                && told != null
                && tree.meets(callee, round)) {
            int from = tree.goAway();
            try {
                told.reflectiveCall(callee);
            } finally {
                tree.comeBack(from);
            }
        }
    }

    /** Whether a method is one of this measurement's. */
    static boolean isKnown(int method) {
        return method >= firstMethod;
    }

    /** Called when a thread meets a method where it has not met it before. */
    static void invoked(int method) {
        boolean[] known = invoked;
        Listener told = listener;
        if (method < known.length && !known[method] && told != null) {
            told.firstCall(method);
            known[method] = true;
        }
    }

    /** Whether calls of a method are counted, and not timed. */
    static boolean isCounted(int method) {
        boolean[] all = counted;
        return method < all.length && all[method];
    }

    /** From now on calls of these methods are counted, and not timed. */
    public static synchronized void count(List<Integer> methods) {
        boolean[] more = new boolean[invoked.length];
        System.arraycopy(counted, 0, more, 0, Math.min(counted.length, more.length));
        for (int method : methods) {
            more[method] = true;
        }
        counted = more;
    }

    /**
     * Begins a measurement.
     *
     * @param first the lowest number of its methods; lower ones are of calls that outlived others
     * @param made likewise the highest number of what they make, which is negative
     * @param nodes how many all trees together may have beyond those that each has of its own
     * @param someTimes whether the clock is read for some calls of a context only
     */
    public static synchronized void start(
            Listener told, int first, int made, long nodes, boolean someTimes) {
        clear();
        firstMade = made;
        firstMethod = first;
        CallTrees.open(nodes, someTimes);
        listener = told;
    }

    /** Has objects of this measurement tracked from now on. */
    public static synchronized void trackObjects() {
        tracked = new TrackedObjects();
    }

    /** Those that are; null if none are. */
    public static @Nullable TrackedObjects tracked() {
        return tracked;
    }

    /** Has calls told again that name their method at run time. */
    public static synchronized void tellAgain() {
        round++;
    }

    /**
     * Says how to read CPU times; without, they are not known.
     *
     * @param own that of the thread that asks
     * @param others that of the thread with a number
     */
    public static void cpuClocks(LongSupplier own, LongUnaryOperator others) {
        cpuClock = own;
        cpuClocks = others;
    }

    static boolean hasCpuClock() {
        return cpuClock != null;
    }

    static long cpuNanos() {
        LongSupplier clock = cpuClock;
        return clock == null ? 0 : clock.getAsLong();
    }

    /** That of another thread; not above 0 if it is not known. */
    static long cpuNanos(Thread thread) {
        LongUnaryOperator clocks = cpuClocks;
        return clocks == null ? 0 : clocks.applyAsLong(thread.getId());
    }

    /** Makes room for methods with numbers below that. */
    public static synchronized void methods(int number) {
        if (number > invoked.length) {
            boolean[] more = new boolean[Math.max(number, 2 * invoked.length)];
            System.arraycopy(invoked, 0, more, 0, invoked.length);
            invoked = more;
        }
    }

    /** Says what calls cost. */
    public static void costs(CallCosts found) {
        costs = found;
    }

    /** What a call took without the hooks in it: its own, and those of so many that it made. */
    static double net(double took, double timed, double untimed) {
        return took - costs.inner() - hookNanos(timed, untimed);
    }

    /** What so many calls cost. */
    static double hookNanos(double timed, double untimed) {
        CallCosts known = costs;
        return timed * (known.inner() + known.outer()) + untimed * known.untimed();
    }

    /** No root is entered any more. Calls inside of one are still counted. */
    public static synchronized void stop() {
        listener = null;
        CallTrees.close();
    }

    /** Ends it and forgets all trees; calls that are still under way are nobody's. */
    public static synchronized void clear() {
        listener = null;
        cpuClock = null;
        cpuClocks = null;
        tracked = null;
        CallTrees.clear();
        counted = new boolean[0];
        measurement = measurement + 1 & 0xFF;
    }
}
