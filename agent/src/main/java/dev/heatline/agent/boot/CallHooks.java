package dev.heatline.agent.boot;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
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
    private static final int NODE_MASK = (1 << NODE_BITS) - 1;
    private static final int FIRST_TREES = 1024;

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

    /** By numbers of methods; shorter where there is none. */
    private static volatile boolean[] counted = new boolean[0];

    private static volatile @Nullable Listener listener;
    private static volatile @Nullable LongSupplier cpuClock;

    /** Counts how often everything was to be told again. */
    private static volatile int round;

    private static long nodesLeft;
    private static int firstMethod;
    private static boolean sampled;

    /** As they were last found out. */
    private static volatile CallCosts costs = new CallCosts(0, 0, 0, 0, 0, 0);

    /** Whether a tree is being found for a thread: what that calls may be measured, too. */
    private static boolean finding;

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

    /**
     * Where an object is made.
     *
     * @param what its class and place; its bytes are known by its class
     */
    public static void made(int what) {
        CallTree tree = find(Thread.currentThread());
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
        CallTree tree = find(Thread.currentThread());
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
        CallTree tree = known == null ? null : find(Thread.currentThread());
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
        if (array instanceof Object[] of && dimensions > 1) {
            made(of.length, what, referenceScale);
            track(of, what, referenceScale);
            for (Object each : of) {
                if (each != null) {
                    made(each, what, scale, dimensions - 1);
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
        CallTree tree = find(Thread.currentThread());
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

    @SuppressWarnings("ReferenceEquality") // A thread is this object and no other.
    static @Nullable CallTree find(Thread thread) {
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
        if (listener == null || finding) {
            return null;
        }
        finding = true;
        try {
            CallTree tree;
            if (!isVirtual(thread)) {
                tree = new CallTree(thread.getName(), someTimes);
            } else if (free.isEmpty()) {
                tree = new CallTree(VIRTUAL, someTimes);
                tree.isShared = true;
            } else {
                tree = free.remove(free.size() - 1);
            }
            putNew(tree, thread);
            return tree;
        } finally {
            finding = false;
        }
    }

    private static void putNew(CallTree tree, Thread thread) {
        tree.thread = thread;
        @Nullable CallTree[] all = table;
        if (2 * taken >= all.length) {
            all = withoutGone(all);
        }
        put(all, tree, thread);
        table = all;
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
        finding = true;
        try {
            remove(tree);
            free.add(tree);
        } finally {
            finding = false;
        }
    }

    /** What this thread does is the agent's, what it did until now included. */
    public static synchronized void ignore(Thread thread) {
        CallTree tree = find(thread);
        if (tree == null) {
            tree = new CallTree("", false);
            putNew(tree, thread);
        }
        tree.isOurs = true;
        tree.current = CallTree.AWAY;
    }

    /** It is the application's again. */
    public static synchronized void heed(Thread thread) {
        CallTree tree = find(thread);
        if (tree != null && tree.isOurs) {
            remove(tree);
        }
    }

    /** Takes the trees of threads that have ended apart, so that the threads can be forgotten. */
    public static synchronized void forgetEnded() {
        for (CallTree tree : table) {
            Thread thread = tree == null ? null : tree.thread;
            if (tree != null && thread != null && !thread.isAlive()) {
                remove(tree);
                if (tree.isOurs) {
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
     * @param made likewise the highest number of what they make, which is negative
     * @param nodes how many all trees together may have beyond the first few of each
     * @param someTimes whether the clock is read for some calls of a context only
     */
    public static synchronized void start(
            Listener told, int first, int made, long nodes, boolean someTimes) {
        clear();
        firstMade = made;
        nodesLeft = nodes;
        sampled = someTimes;
        firstMethod = first;
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

    /** Says how to read the CPU time of the thread that asks; without, it is not known. */
    public static void cpuClock(LongSupplier clock) {
        cpuClock = clock;
    }

    static boolean hasCpuClock() {
        return cpuClock != null;
    }

    static long cpuNanos() {
        LongSupplier clock = cpuClock;
        return clock == null ? 0 : clock.getAsLong();
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
    static void costs(CallCosts found) {
        costs = found;
    }

    /** Whether the clock is read for some calls of a context only. */
    static boolean isSampled() {
        return sampled;
    }

    /** What a call took without the hooks in it: its own, and those of so many that it made. */
    static double net(long took, long timed, long untimed) {
        return took - costs.inner() - hookNanos(timed, untimed);
    }

    /** What so many calls cost. */
    static double hookNanos(long timed, long untimed) {
        CallCosts known = costs;
        return timed * (known.inner() + known.outer()) + untimed * known.untimed();
    }

    /** The trees of all threads so far, but for the agent's. */
    public static synchronized List<CallTree> trees() {
        List<CallTree> all = new ArrayList<>(free);
        all.addAll(ended);
        for (CallTree tree : table) {
            if (tree != null && tree.thread != null && !tree.isOurs) {
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
            if (tree != null && tree.current != CallTree.OUTSIDE && !tree.isOurs) {
                return true;
            }
        }
        return false;
    }

    /** Ends it and forgets all trees; calls that are still under way are nobody's. */
    public static synchronized void clear() {
        listener = null;
        cpuClock = null;
        tracked = null;
        table = new @Nullable CallTree[FIRST_TREES];
        taken = 0;
        free.clear();
        ended.clear();
        counted = new boolean[0];
        measurement = measurement + 1 & 0xFF;
    }
}
