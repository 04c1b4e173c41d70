package dev.heatline.agent.boot;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The trees of all threads. Finding one takes no lock: a table of them is only ever replaced, or
 * written where nothing was.
 */
public final class CallTrees {
    private static final int FIRST_TREES = 1024;
    private static final int LARGEST_TREE = CallHooks.MOST_NODES / 2;

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

    /** Whether threads get trees. */
    private static boolean open;

    private static long nodesLeft;
    private static boolean sampled;

    /** Whether a tree is being found for a thread: what that calls may be measured, too. */
    private static boolean finding;

    private CallTrees() {}

    /**
     * Threads get trees from now on.
     *
     * @param nodes how many all trees together may have beyond those that each has of its own
     * @param someTimes whether the clock is read for some calls of a context only
     */
    static synchronized void open(long nodes, boolean someTimes) {
        nodesLeft = nodes;
        sampled = someTimes;
        open = true;
    }

    /** No thread gets one any more. */
    static synchronized void close() {
        open = false;
    }

    /** There are none any more. */
    static synchronized void clear() {
        open = false;
        table = new @Nullable CallTree[FIRST_TREES];
        taken = 0;
        free.clear();
        ended.clear();
    }

    /** Whether the clock is read for some calls of a context only. */
    static boolean isSampled() {
        return sampled;
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
    static synchronized @Nullable CallTree add(Thread thread) {
        if (!open || finding) {
            return null;
        }
        finding = true;
        try {
            CallTree tree;
            if (!isVirtual(thread)) {
                tree = new CallTree(thread.getName(), sampled);
            } else if (free.isEmpty()) {
                tree = new CallTree(VIRTUAL, sampled);
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

    /**
     * Too many to keep a tree for each: one is used by another when its thread has left its root.
     */
    static boolean isVirtual(Thread thread) {
        String type = thread.getClass().getName();
        return type.equals("java.lang.VirtualThread")
                || type.equals("java.lang.ThreadBuilders$BoundVirtualThread");
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

    /** Where one was, too: a thread that often gets one and gives it back takes no more places. */
    @SuppressWarnings("ReferenceEquality")
    private static void put(@Nullable CallTree[] all, CallTree tree, Thread thread) {
        int mask = all.length - 1;
        int at = System.identityHashCode(thread) & mask;
        while (all[at] != null && all[at] != GONE) {
            at = at + 1 & mask;
        }
        taken += all[at] == null ? 1 : 0;
        all[at] = tree;
    }

    /** How many places of the table are taken, those included where a tree was. */
    static synchronized int taken() {
        return taken;
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

    /** Its virtual thread has left its root. */
    static synchronized void giveBack(CallTree tree) {
        finding = true;
        try {
            remove(tree);
            free.add(tree);
        } finally {
            finding = false;
        }
    }

    /** Whether a tree may have so many nodes more. */
    static synchronized boolean takeNodes(int nodes) {
        if (nodes > nodesLeft || nodes > LARGEST_TREE) {
            return false;
        }
        nodesLeft -= nodes;
        return true;
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

    /** Takes the trees of threads that have ended apart, so that the threads can be forgotten. */
    public static synchronized void forgetEnded() {
        for (CallTree tree : table) {
            Thread thread = tree == null ? null : tree.thread;
            if (tree != null && thread != null && !thread.isAlive()) {
                remove(tree);
                if (!tree.isOurs) {
                    keep(tree);
                }
            }
        }
    }

    /** By itself as long as there are few, together with others then. */
    private static void keep(CallTree tree) {
        if (ended.size() < ENDED - 1) {
            ended.add(tree);
            return;
        }
        if (ended.size() < ENDED) {
            ended.add(new CallTree(OTHERS, sampled));
        }
        ended.get(ENDED - 1).addAll(tree);
        nodesLeft += tree.grownNodes();
    }

    /** Those of all threads so far, but for the agent's. */
    public static synchronized List<CallTree> all() {
        List<CallTree> all = new ArrayList<>(free);
        all.addAll(ended);
        for (CallTree tree : table) {
            if (tree != null && tree.thread != null && !tree.isOurs) {
                all.add(tree);
            }
        }
        return all;
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
}
