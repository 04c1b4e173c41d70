package dev.heatline.agent.boot;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The calling contexts of one thread below its roots, with how often each was entered and how long
 * the thread was in it and in nothing that it called. Only that thread writes; others may read at
 * any time, and see numbers of about then.
 *
 * <p>One clock runs for the whole thread: what has passed since it was last read belongs to the
 * context that is left or that calls another (002 §5.3). So a context needs no stack of start
 * times, and whatever was forgotten to be left is closed by whoever comes back.
 *
 * <p>Where times are sampled, all calls are counted, but the clock is read for those only that
 * {@link CallSamples} chooses. Methods may also be counted only. During a call that is not timed,
 * nothing that it calls is either: what it takes is its caller's.
 *
 * <p>{@link IdleTimes} knows for how much of that the thread was not running. {@link Folding} makes
 * room in a tree that is full.
 */
public final class CallTree {
    /** A node is half a cache line. */
    public static final int STRIDE = 4;

    /** Nanoseconds spent here and in nothing that was called from here; bytes of what was made. */
    public static final int SELF = 0;

    /** How often it was entered. */
    public static final int CALLS = 1;

    /** The method in the upper half, or what was made; the parent's node in the lower. */
    public static final int PLACE = 2;

    /** The child that was entered last, where the next call is likely to lead. */
    private static final int RECENT = 3;

    /** Outside of all roots; the parent of roots. */
    static final int OUTSIDE = 0;

    /** In code that is not the application's, of which nothing is measured. */
    static final int AWAY = -1;

    /** In place of a method: the node outside, and those that are free. */
    private static final int NO_METHOD = -1;

    static final long FREE = (long) NO_METHOD << 32;

    private static final int FIRST_NODES = 32;

    /** As many every thread may have, whatever others need. */
    private static final int OWN_NODES = 256;

    private static final int TOLD = 64;
    private static final int LONGEST_NAME = 200;

    /** Whose it is at the moment; null if nobody's. */
    volatile @Nullable Thread thread;

    /** Whether another thread gets it when this one has left its root. */
    boolean isShared;

    /** Whether its thread is the agent's, of which nothing is measured. */
    boolean isOurs;

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final int number = NUMBERS.incrementAndGet();
    private final String name;

    private volatile long[] nodes = new long[FIRST_NODES * STRIDE];
    private volatile int size = 1;

    /** Nodes by parent and method, with free places between them; 0 is free. */
    private int[] index = new int[2 * FIRST_NODES];

    /** Null where every call is timed. */
    private @Nullable CallSamples samples;

    /** How many calls of a node were counted only; shorter where there was none. */
    private volatile long[] untimed = new long[0];

    private final IdleTimes idle = new IdleTimes();

    /** Which of the objects that are made are tracked, if any are. */
    private final ObjectSamples objects = new ObjectSamples(number);

    /** What was told last, by its identity. */
    private @Nullable Object[] told = new @Nullable Object[0];

    private int toldRound = -1;

    /** The call that is not timed, with all below it; 0 if the clock runs. */
    private int skipping;

    int current = OUTSIDE;
    private long last;
    private long awaySince;
    private long awayNanos;
    private long unseen;
    private long unseenObjects;
    private long folded;

    /** Before so many are not seen, it makes no sense to fold again. */
    private long foldFrom;

    /** The first that is free again; the others are linked by {@link #RECENT}. */
    private int free;

    /**
     * @param name of its thread, or of all whose it will be
     * @param sampled whether not every call is timed
     */
    CallTree(String name, boolean sampled) {
        this.name = name.substring(0, Math.min(LONGEST_NAME, name.length()));
        this.samples = sampled ? new CallSamples(FIRST_NODES, CallSamples.RAREST) : null;
        nodes[PLACE] = FREE;
    }

    /** Tells it from all others. */
    public int number() {
        return number;
    }

    /** The thread's name, or that of many. */
    public String name() {
        return name;
    }

    /** How many nodes there are, the one outside included. */
    public int size() {
        return size;
    }

    /** The nodes, {@link #STRIDE} numbers each; valid up to the {@link #size} read before. */
    public long[] nodes() {
        return nodes;
    }

    /** Whether not every call is timed. */
    public boolean isSampled() {
        return samples != null;
    }

    /** What so many calls of a node took, where times are sampled. */
    public SampledTime sampled(int node, long calls) {
        return samples == null ? SampledTime.NONE : samples.of(node, calls);
    }

    /** How many calls of a node were counted only, where times are not sampled. */
    public long untimed(int node) {
        long[] all = untimed;
        return node < all.length ? all[node] : 0;
    }

    /** Whether it is known when its thread was not running. */
    public boolean knowsIdle() {
        return !isShared && CallHooks.hasCpuClock();
    }

    /** Of the nanoseconds spent in a node, those in which its thread was not running. */
    public long idleNanos(int node) {
        return idle.of(node);
    }

    /** When the clock was last read; what has passed since then is in no node yet. */
    public long readAt() {
        return thread == null ? 0 : last;
    }

    /** The node to which that belongs, as a call is under way there; the one outside if none is. */
    public int underWay() {
        Thread inside = thread;
        int skipped = skipping;
        int at = current;
        if (inside == null || at == AWAY) {
            return OUTSIDE;
        }
        return skipped == 0 ? at : (int) nodes[skipped * STRIDE + PLACE];
    }

    /** For how much of that its thread was not running, up to a moment. */
    public long idleUnderWay(long now) {
        Thread inside = thread;
        return inside == null || !knowsIdle()
                ? 0
                : idle.since(last - awayNanos, now - last, CallHooks.cpuNanos(inside));
    }

    /** How many nodes there is room for beyond its own. */
    int grownNodes() {
        return Math.max(0, nodes.length / STRIDE - OWN_NODES);
    }

    /** How many calls had no room in the tree, and count as a part of who called them. */
    public long unseen() {
        return unseen;
    }

    /** How many objects had no room in the tree, and are not counted. */
    public long unseenObjects() {
        return unseenObjects;
    }

    /** How many calls count as a part of who made them, because others needed their place. */
    public long folded() {
        return folded;
    }

    /** What was spent in a node itself up to the last time the clock was read. */
    long self(int node) {
        return nodes[node * STRIDE + SELF];
    }

    /** Has all calls timed from here on, in the way in which samples are, or in the usual way. */
    void timeAll(boolean asSamples) {
        samples = asSamples ? new CallSamples(nodes.length / STRIDE, 1) : null;
    }

    /** Times nothing from here on, or everything again. */
    void skip(boolean skip) {
        skipping = skip ? current : 0;
    }

    /** Enters a method from where the thread is; returns the node, or 0 if there is no room. */
    int enter(int method) {
        long[] all = nodes;
        int caller = current;
        int node = (int) all[caller * STRIDE + RECENT];
        if (node == 0 || (int) (all[node * STRIDE + PLACE] >>> 32) != method) {
            node = child(caller, method);
            if (node == 0) {
                return 0;
            }
            all = nodes;
            all[caller * STRIDE + RECENT] = node;
        }
        all[node * STRIDE + CALLS]++;
        current = node;
        if ((samples != null || skipping != 0 || CallHooks.isCounted(method))
                && !isTimed(node, method)) {
            return node;
        }
        spend(caller);
        if (samples != null) {
            samples.begin(node, last - awayNanos);
        }
        return node;
    }

    /** What has passed since the clock was last read was spent in a node. */
    private void spend(int node) {
        long now = System.nanoTime();
        long took = now - last;
        nodes[node * STRIDE + SELF] += took;
        last = now;
        if (idle.isDue(took, now - awayNanos) && knowsIdle()) {
            lookForIdle(node, took);
        }
    }

    /**
     * Finds out how long the thread was running meanwhile. What this takes belongs to nobody. But a
     * kernel that is asked for a thread's time notices that the thread has had its share, and lets
     * others run: who is away for longer than that takes waits as it would have waited elsewhere.
     */
    private void lookForIdle(int node, long took) {
        int from = current;
        // Should the stack run out in there, whoever finds the thread away knows since when.
        awaySince = last;
        current = AWAY;
        long cpu = CallHooks.cpuNanos();
        idle.look(node, took, last - awayNanos, cpu, nodes.length / STRIDE);
        current = from;
        long away = Math.min(System.nanoTime() - last, IdleTimes.BRIEF_NANOS);
        awayNanos += away;
        last += away;
    }

    /**
     * Whether something that is about to be called has to be told. It may be told again; all of it
     * is in another round.
     */
    @SuppressWarnings("ReferenceEquality") // Asking it whether it is equal may call anything.
    boolean meets(Object callee, int round) {
        if (round != toldRound) {
            told = new @Nullable Object[TOLD];
            toldRound = round;
        }
        int at = System.identityHashCode(callee) & TOLD - 1;
        if (told[at] == callee) {
            return false;
        }
        told[at] = callee;
        return true;
    }

    /** Counts something that was made here, and its bytes. */
    void made(int what, long bytes) {
        int caller = current;
        int node = index[place(index, caller, what)];
        if (node == 0) {
            int from = goAway();
            node = added(caller, what, true);
            comeBack(from);
        }
        if (node == 0) {
            unseenObjects++;
            return;
        }
        long[] all = nodes;
        all[node * STRIDE + CALLS]++;
        all[node * STRIDE + SELF] += bytes;
    }

    /** Where an object is whole that was made here: it may be one of those that are tracked. */
    void track(Object made, int what, int scale, TrackedObjects tracked) {
        int node = index[place(index, current, what)];
        if (node == 0) {
            return;
        }
        int weight = objects.count(node, nodes.length / STRIDE, tracked);
        if (weight > 0) {
            int from = goAway();
            try {
                tracked.add(made, this, node, weight, CallHooks.arrayBytes(made, scale));
            } finally {
                comeBack(from);
            }
        }
    }

    /** What its nodes have made; for who holds the lock of those that are tracked. */
    public ObjectCounts objectCounts() {
        return objects.counts();
    }

    /** Some are gone; for who holds the lock of those that are tracked. */
    void addGone(int node, long gone, long tracked) {
        objects.addGone(node, gone, tracked, nodes.length / STRIDE);
    }

    /** Likewise: those that are gone were made elsewhere. */
    void moveGone(int node, CallTree to, int place) {
        if (place != OUTSIDE && objects.goneTracked(node) > 0) {
            to.addGone(place, objects.gone(node), objects.goneTracked(node));
        }
        objects.forgetGone(node);
    }

    /** What a node has made was made by another one. */
    void giveWhole(int node, CallTree to, int place) {
        if (objects.made(node) > 0) {
            to.objects.addMade(place, objects.made(node), to.nodes.length / STRIDE);
        }
    }

    /** Whether this call of it is. */
    private boolean isTimed(int node, int method) {
        if (skipping == 0) {
            boolean chosen = samples == null || samples.isTimed(node);
            if (chosen && !CallHooks.isCounted(method)) {
                return true;
            }
            skipping = node;
        } else if (samples != null) {
            samples.skip();
        }
        if (samples == null) {
            countUntimed(node, 1);
        }
        return false;
    }

    private void countUntimed(int node, long calls) {
        untimed = Numbers.plus(untimed, node, calls, nodes.length / STRIDE);
    }

    /** Leaves a node, and all below it that were not left. */
    void exit(int node) {
        find(node);
        if (skipping != 0) {
            exitSkipped(node);
            return;
        }
        int from = current;
        if (from != node && !isInside(node)) {
            return;
        }
        spend(from);
        current = (int) nodes[node * STRIDE + PLACE];
        endTimed(node);
    }

    private void exitSkipped(int node) {
        if (current == node) {
            current = (int) nodes[node * STRIDE + PLACE];
            skipping = node == skipping ? 0 : skipping;
        } else if (isInside(node)) {
            current = (int) nodes[node * STRIDE + PLACE];
            if (node == skipping) {
                skipping = 0;
            } else if (!isInside(skipping)) {
                // A timed call is left together with what it had called.
                skipping = 0;
                exitTimed(node);
            }
        }
    }

    private void exitTimed(int node) {
        spend(node);
        endTimed(node);
    }

    private void endTimed(int node) {
        if (samples != null) {
            samples.end(node, last - awayNanos, nodes[node * STRIDE + CALLS]);
        }
    }

    /** Comes back to a node from what it called, which was left by an exception. */
    void back(int node) {
        find(node);
        int from = current;
        if (from != node && isInside(node)) {
            current = node;
            if (skipping == 0) {
                spend(from);
            } else if (!isInside(skipping)) {
                skipping = 0;
            }
        }
    }

    /**
     * A thread is never away where it leaves a node, unless the stack ran out where it would have
     * come back.
     */
    private void find(int node) {
        if (current == AWAY) {
            comeBack(node);
        }
    }

    /** Whether the thread is in that node. */
    private boolean isInside(int node) {
        long[] all = nodes;
        int at = current;
        while (at != node && at != OUTSIDE) {
            at = (int) all[at * STRIDE + PLACE];
        }
        return at == node;
    }

    /** Looks a child up, and makes one if there is none. What that takes belongs to nobody. */
    private int child(int caller, int method) {
        int place = place(index, caller, method);
        int found = index[place];
        if (found != 0) {
            return found;
        }
        if (!CallHooks.isKnown(method)) {
            return OUTSIDE;
        }
        int from = goAway();
        try {
            CallHooks.invoked(method);
            int node = added(caller, method, true);
            unseen += node == OUTSIDE ? 1 : 0;
            return node;
        } finally {
            comeBack(from);
        }
    }

    /** Stops the clock until the thread comes back to where it is, which is the answer. */
    int goAway() {
        int from = current;
        if (from != AWAY) {
            awaySince = System.nanoTime();
            current = AWAY;
        }
        return from;
    }

    void comeBack(int to) {
        if (to != AWAY) {
            boolean isLong = System.nanoTime() - awaySince > IdleTimes.BRIEF_NANOS;
            long cpu = isLong && knowsIdle() ? CallHooks.cpuNanos() : 0;
            current = to;
            long now = System.nanoTime();
            awayNanos += now - awaySince;
            last += now - awaySince;
            if (cpu > 0) {
                // What it ran meanwhile is not the application's.
                idle.anchor(now - awayNanos, cpu);
            }
        }
    }

    /**
     * The child, made if it is not there; outside if there is no room for it.
     *
     * @param folding whether others may have to go for it
     */
    private int added(int parent, int method, boolean folding) {
        int place = place(index, parent, method);
        if (index[place] != 0) {
            return index[place];
        }
        if (free == 0 && !hasRoom(size) && folding && unseen >= foldFrom) {
            fold(parent);
        }
        int node = free;
        if (node == 0 && size * STRIDE == nodes.length) {
            return OUTSIDE;
        }
        long at = (long) method << 32 | parent;
        if (node != 0) {
            free = (int) nodes[node * STRIDE + RECENT];
            nodes[node * STRIDE + RECENT] = 0;
            nodes[node * STRIDE + PLACE] = at;
        } else {
            node = size;
            nodes[node * STRIDE + PLACE] = at;
            // Last: whoever reads may look at it from now on.
            size = node + 1;
        }
        index[place(index, parent, method)] = node;
        return node;
    }

    private void fold(int inside) {
        Folding folding = new Folding(this, inside);
        folding.run(size / 4);
        folded += folding.calls();
        TrackedObjects tracked = CallHooks.tracked();
        if (tracked != null) {
            tracked.move(this, this, folding.places());
        }
        if (folding.contexts() == 0) {
            // All of it is where the thread is. It takes long to find that out.
            foldFrom = unseen + size;
        }
        Arrays.fill(index, 0);
        for (int i = 1; i < size; i++) {
            long at = nodes[i * STRIDE + PLACE];
            if (at != FREE) {
                index[place(index, (int) at, (int) (at >>> 32))] = i;
            }
        }
    }

    /** The node of something that was made there; 0 if there is none. */
    int madeBy(int caller, int what) {
        return index[place(index, caller, what)];
    }

    /** What was spent in a node was spent by its caller, but for the hooks: nobody counts those. */
    void giveTime(int node, int caller) {
        takeTime(this, node, caller);
        nodes[caller * STRIDE + RECENT] = 0;
    }

    private void takeTime(CallTree from, int node, int caller) {
        long calls = from.nodes[node * STRIDE + CALLS];
        long notTimed = from.samples == null ? from.untimed(node) : calls;
        nodes[caller * STRIDE + SELF] +=
                from.nodes[node * STRIDE + SELF]
                        - Math.round(
                                CallHooks.hookNanos((double) calls - notTimed, (double) notTimed));
        if (from.idleNanos(node) > 0) {
            idle.add(caller, from.idleNanos(node), nodes.length / STRIDE);
        }
    }

    /** A node can be used for another context. */
    void release(int node) {
        long[] all = nodes;
        all[node * STRIDE + PLACE] = FREE;
        all[node * STRIDE + CALLS] = 0;
        all[node * STRIDE + SELF] = 0;
        all[node * STRIDE + RECENT] = free;
        free = node;
        Numbers.clear(untimed, node);
        idle.forget(node);
        objects.forget(node);
        if (samples != null) {
            samples.forget(node);
        }
    }

    /** Adds what another thread did, which has ended. O(its nodes). */
    void addAll(CallTree other) {
        long[] its = other.nodes;
        long[] theirs = other.places();
        int[] places = new int[theirs.length];
        // Where the time is of those that have no room.
        int[] callers = new int[theirs.length];
        for (int i : parentsFirst(theirs)) {
            long place = theirs[i];
            int parent = places[(int) place];
            boolean cutOff = parent == OUTSIDE && (int) place != OUTSIDE;
            int node = cutOff ? OUTSIDE : added(parent, (int) (place >>> 32), false);
            places[i] = node;
            callers[i] = node == OUTSIDE ? callers[(int) place] : node;
            if (node == OUTSIDE && place < 0) {
                unseenObjects += its[i * STRIDE + CALLS];
            } else if (node == OUTSIDE) {
                unseen += its[i * STRIDE + CALLS];
                takeTime(other, i, callers[i]);
            } else {
                nodes[node * STRIDE + CALLS] += its[i * STRIDE + CALLS];
                nodes[node * STRIDE + SELF] += its[i * STRIDE + SELF];
                other.giveWhole(i, this, node);
                if (other.idleNanos(i) > 0) {
                    idle.add(node, other.idleNanos(i), nodes.length / STRIDE);
                }
                if (samples != null) {
                    long calls = its[i * STRIDE + CALLS];
                    samples.add(node, calls, other.sampled(i, calls));
                } else if (other.untimed(i) > 0) {
                    countUntimed(node, other.untimed(i));
                }
            }
        }
        unseen += other.unseen;
        unseenObjects += other.unseenObjects;
        folded += other.folded;
        TrackedObjects tracked = CallHooks.tracked();
        if (tracked != null) {
            tracked.move(other, this, places);
        }
    }

    /** The {@link #PLACE} of every node at this moment. */
    public long[] places() {
        long[] places = new long[size];
        long[] all = nodes;
        for (int i = 0; i < places.length; i++) {
            places[i] = all[i * STRIDE + PLACE];
        }
        return places;
    }

    /**
     * The nodes that are in use, each behind its parent: places are used again. Of a tree that is
     * being folded meanwhile, some have a parent that is not in use, or comes later.
     */
    public static int[] parentsFirst(long[] places) {
        int[] order = new int[places.length];
        int[] above = new int[places.length];
        boolean[] placed = new boolean[places.length];
        placed[OUTSIDE] = true;
        int count = 0;
        for (int i = 1; i < places.length; i++) {
            int depth = 0;
            int at = i;
            while (at < places.length && !placed[at] && places[at] != FREE) {
                placed[at] = true;
                above[depth++] = at;
                at = (int) places[at];
            }
            while (depth > 0) {
                order[count++] = above[--depth];
            }
        }
        return Arrays.copyOf(order, count);
    }

    private boolean hasRoom(int node) {
        if (node * STRIDE < nodes.length) {
            return true;
        }
        if (node >= OWN_NODES && !CallTrees.takeNodes(node)) {
            return false;
        }
        long[] larger = new long[2 * nodes.length];
        System.arraycopy(nodes, 0, larger, 0, nodes.length);
        int[] wider = new int[2 * index.length];
        for (int i = 1; i < node; i++) {
            long at = larger[i * STRIDE + PLACE];
            wider[place(wider, (int) at, (int) (at >>> 32))] = i;
        }
        if (samples != null) {
            samples.grow();
        }
        nodes = larger;
        index = wider;
        return true;
    }

    /** Where the node is, or where it would be. */
    private int place(int[] places, int caller, int method) {
        long[] all = nodes;
        int mask = places.length - 1;
        int at = (caller * 0x9E3779B1 + method * 0x85EBCA6B) >>> 7 & mask;
        long wanted = (long) method << 32 | caller;
        while (places[at] != 0 && all[places[at] * STRIDE + PLACE] != wanted) {
            at = at + 1 & mask;
        }
        return at;
    }
}
