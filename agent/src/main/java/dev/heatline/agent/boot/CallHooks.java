package dev.heatline.agent.boot;

import java.util.ArrayList;
import java.util.List;
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
         * Told of every call inside of a root that names its method at run time.
         *
         * @param callee a method or constructor as reflection knows it
         */
        void reflectiveCall(Object callee);
    }

    private static final int NODE_BITS = 24;
    private static final int NODE_MASK = (1 << NODE_BITS) - 1;
    private static final int FIRST_TREES = 1024;

    private static final int CALIBRATIONS = 500;
    private static final int CALLS = 200;

    /** The number of no method. */
    static final int CALIBRATION = Integer.MAX_VALUE;

    private static final int ENDED = 100;
    private static final String VIRTUAL = "virtual threads";
    private static final String OTHERS = "threads that have ended";

    /** Where a tree was. */
    private static final CallTree GONE = new CallTree("", false);

    /** Trees by the identity of their thread; null ends a search. Written under the lock. */
    private static volatile @Nullable CallTree[] table = new @Nullable CallTree[FIRST_TREES];

    /** How many places of the table are taken. */
    private static int taken;

    /** Those that no virtual thread has at the moment; there are as many as were ever at once. */
    private static final List<CallTree> free = new ArrayList<>();

    /** Those of threads that have ended. */
    private static final List<CallTree> ended = new ArrayList<>();

    private static volatile int measurement;
    private static volatile boolean[] invoked = new boolean[0];
    private static volatile @Nullable Listener listener;
    private static long nodesLeft;
    private static int firstMethod;
    private static boolean sampled;

    /* What calls cost, as it was last found out; which of several that was matters little. */

    private static double innerNanos;
    private static double pairNanos;
    private static double untimedNanos;

    private CallHooks() {}

    /** A method that is only of interest inside of a root. */
    public static int enter(int method) {
        CallTree tree = find(Thread.currentThread());
        if (tree == null || tree.current <= CallTree.OUTSIDE) {
            return 0;
        }
        int node = tree.enter(method);
        return node == 0 ? 0 : measurement << NODE_BITS | node;
    }

    /** A method with which measuring begins. */
    public static int root(int method) {
        Thread thread = Thread.currentThread();
        CallTree tree = find(thread);
        boolean inside = tree != null && tree.current > CallTree.OUTSIDE;
        if (!inside && listener == null) {
            return 0;
        }
        if (tree == null) {
            tree = add(thread, sampled);
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
        CallTree tree = find(Thread.currentThread());
        if (tree != null && entered >>> NODE_BITS == measurement) {
            tree.exit(entered & NODE_MASK);
            if (tree.current == CallTree.OUTSIDE && tree.isShared) {
                give(tree);
            }
        }
    }

    /** Where a method catches an exception, which may come from calls that could not say so. */
    public static void caught(int entered) {
        if (entered != 0 && entered >>> NODE_BITS == measurement) {
            CallTree tree = find(Thread.currentThread());
            if (tree != null) {
                tree.back(entered & NODE_MASK);
            }
        }
    }

    /** Where a method is about to be called by reflection. */
    public static void reflected(Object callee) {
        CallTree tree = find(Thread.currentThread());
        Listener told = listener;
        if (tree != null && tree.current > CallTree.OUTSIDE && told != null) {
            int from = tree.goAway();
            try {
                told.reflectiveCall(callee);
            } finally {
                tree.comeBack(from);
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // A thread is this object and no other.
    private static @Nullable CallTree find(Thread thread) {
        @Nullable CallTree[] all = table;
        int mask = all.length - 1;
        int at = System.identityHashCode(thread) & mask;
        CallTree tree = all[at];
        while (tree != null && tree.thread != thread) {
            at = at + 1 & mask;
            tree = all[at];
        }
        return tree;
    }

    /** Null while nothing is measured, which is when a call outlives its measurement. */
    private static synchronized @Nullable CallTree add(Thread thread, boolean someTimes) {
        if (listener == null) {
            return null;
        }
        boolean virtual = isVirtual(thread);
        CallTree tree;
        if (!virtual) {
            tree = new CallTree(thread.getName(), someTimes);
        } else if (free.isEmpty()) {
            tree = new CallTree(VIRTUAL, someTimes);
            tree.isShared = true;
        } else {
            tree = free.remove(free.size() - 1);
        }
        tree.thread = thread;
        @Nullable CallTree[] all = table;
        if (2 * taken >= all.length) {
            all = withoutGone(all);
        }
        put(all, tree, thread);
        table = all;
        return tree;
    }

    /**
     * Too many to keep a tree for each: one is used by another when its thread has left its root.
     */
    private static boolean isVirtual(Thread thread) {
        String type = thread.getClass().getName();
        return type.equals("java.lang.VirtualThread")
                || type.equals("java.lang.ThreadBuilders$BoundVirtualThread");
    }

    /** The same trees with enough room between them. */
    private static @Nullable CallTree[] withoutGone(@Nullable CallTree[] all) {
        int trees = 0;
        for (CallTree tree : all) {
            trees += tree == null || tree == GONE ? 0 : 1;
        }
        @Nullable CallTree[] wider =
                new @Nullable CallTree[4 * trees > all.length ? 2 * all.length : all.length];
        taken = 0;
        for (CallTree tree : all) {
            Thread thread = tree == null ? null : tree.thread;
            if (tree != null && thread != null) {
                put(wider, tree, thread);
            }
        }
        return wider;
    }

    private static void put(@Nullable CallTree[] all, CallTree tree, Thread thread) {
        int mask = all.length - 1;
        int at = System.identityHashCode(thread) & mask;
        while (all[at] != null) {
            at = at + 1 & mask;
        }
        all[at] = tree;
        taken++;
    }

    @SuppressWarnings("ReferenceEquality")
    private static synchronized void remove(CallTree tree) {
        @Nullable CallTree[] all = table;
        Thread thread = tree.thread;
        int mask = all.length - 1;
        int at = System.identityHashCode(thread) & mask;
        while (all[at] != null && all[at] != tree) {
            at = at + 1 & mask;
        }
        if (all[at] == tree) {
            all[at] = GONE;
        }
        tree.thread = null;
    }

    private static synchronized void give(CallTree tree) {
        remove(tree);
        free.add(tree);
    }

    /** Takes the trees of threads that have ended apart, so that the threads can be forgotten. */
    public static synchronized void forgetEnded() {
        for (CallTree tree : table) {
            Thread thread = tree == null ? null : tree.thread;
            if (tree != null && thread != null && !thread.isAlive()) {
                remove(tree);
                if (tree.isCalibration()) {
                    continue;
                }
                if (ended.size() < ENDED - 1) {
                    ended.add(tree);
                } else {
                    if (ended.size() < ENDED) {
                        ended.add(new CallTree(OTHERS, sampled));
                    }
                    ended.get(ENDED - 1).addAll(tree);
                    nodesLeft += tree.grownNodes();
                }
            }
        }
    }

    /** What this thread does from now on is not the application's; the answer is for the end. */
    public static int goAway() {
        CallTree tree = find(Thread.currentThread());
        return tree == null ? CallTree.AWAY : tree.goAway();
    }

    /** It is again. */
    public static void comeBack(int from) {
        CallTree tree = find(Thread.currentThread());
        if (tree != null) {
            tree.comeBack(from);
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

    /** Whether a tree may have so many nodes more. */
    static synchronized boolean takeNodes(int nodes) {
        if (nodes > nodesLeft || 2L * nodes > NODE_MASK) {
            return false;
        }
        nodesLeft -= nodes;
        return true;
    }

    /**
     * Begins a measurement.
     *
     * @param first the lowest number of its methods; lower ones are of calls that outlived others
     * @param nodes how many all trees together may have beyond the first few of each
     * @param someTimes whether the clock is read for some calls of a context only
     */
    public static synchronized void start(Listener told, int first, long nodes, boolean someTimes) {
        clear();
        nodesLeft = nodes;
        sampled = someTimes;
        firstMethod = first;
        listener = told;
    }

    /** Makes room for methods with numbers below that. */
    public static synchronized void methods(int number) {
        if (number > invoked.length) {
            boolean[] more = new boolean[Math.max(number, 2 * invoked.length)];
            System.arraycopy(invoked, 0, more, 0, invoked.length);
            invoked = more;
        }
    }

    /**
     * What a call costs that does nothing, in nanoseconds: what it seems to take itself, and what
     * its caller seems to take longer (002 §5.3). To be called by a thread that is in no root.
     */
    public static double[] calibrate() {
        Thread thread = Thread.currentThread();
        CallTree tree = find(thread);
        if (tree == null) {
            tree = add(thread, false);
        }
        if (tree == null) {
            return new double[2];
        }
        int caller = root(CALIBRATION);
        double inner = 0;
        double least = Double.MAX_VALUE;
        for (int batch = 0; batch < CALIBRATIONS; batch++) {
            long before = tree.self(caller & NODE_MASK);
            double total = emptyCalls();
            double outer = (double) (tree.self(caller & NODE_MASK) - before) / CALLS;
            if (total < least) {
                least = total;
                inner = total - outer;
            }
        }
        tree.skip(true);
        double untimed = Double.MAX_VALUE;
        for (int batch = 0; batch < CALIBRATIONS; batch++) {
            untimed = Math.min(untimed, emptyCalls());
        }
        tree.skip(false);
        exit(caller);
        innerNanos = Math.max(0, inner);
        pairNanos = least;
        untimedNanos = untimed;
        return new double[] {innerNanos, Math.max(0, pairNanos - innerNanos)};
    }

    /** What a call took without the hooks in it: its own, and those of so many that it made. */
    static double net(long took, long timed, long untimed) {
        return Math.max(0, took - innerNanos - timed * pairNanos - untimed * untimedNanos);
    }

    /** What one takes. */
    private static double emptyCalls() {
        long start = System.nanoTime();
        for (int i = 0; i < CALLS; i++) {
            exit(enter(CALIBRATION));
        }
        return (double) (System.nanoTime() - start) / CALLS;
    }

    /** The trees of all threads so far, but for who calibrated. */
    public static synchronized List<CallTree> trees() {
        List<CallTree> all = new ArrayList<>(free);
        all.addAll(ended);
        for (CallTree tree : table) {
            if (tree != null && tree.thread != null && !tree.isCalibration()) {
                all.add(tree);
            }
        }
        return all;
    }

    /** No root is entered any more. Calls inside of one are still counted. */
    public static synchronized void stop() {
        listener = null;
    }

    /** Whether a thread is still inside of a root. */
    public static boolean isAnyInside() {
        for (CallTree tree : table) {
            if (tree != null && tree.current != CallTree.OUTSIDE && !tree.isCalibration()) {
                return true;
            }
        }
        return false;
    }

    /** Ends it and forgets all trees; calls that are still under way are nobody's. */
    public static synchronized void clear() {
        listener = null;
        table = new @Nullable CallTree[FIRST_TREES];
        taken = 0;
        free.clear();
        ended.clear();
        measurement = measurement + 1 & 0xFF;
    }
}
