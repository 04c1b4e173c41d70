package dev.heatline.agent.boot;

import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A sample of the objects that were made, of which is looked now and then whether they are still
 * there (002 §9 asks for such an analysis). Weak references keep no object, and who looks does not
 * ask for the object itself, which would keep it for the collection that is under way.
 *
 * <p>There is room for so many and no more. When that is used up, half of those that are left are
 * forgotten where a context has many, and the others stand for twice as many each.
 *
 * <p>A garbage collection is noticed by an object that nobody needs: it is gone after the next one
 * that looks at weak references. Whoever has an object tracked looks for that first, so none is
 * taken for having survived what was before it. Collections that follow each other while nobody
 * looks count as one.
 */
public final class TrackedObjects {
    /** Told of objects that are alive. */
    public interface Reader {

        /**
         * One that is tracked.
         *
         * @param node what made it, in a tree
         * @param collections how many it has survived
         * @param objects how many it stands for
         * @param bytes of all of them, if they are arrays; otherwise 0
         */
        void alive(CallTree tree, int node, int collections, long objects, long bytes);
    }

    /** They take some 100 bytes each. */
    static final int ROOM = 1 << 15;

    /** Room that was made is worth what it took if no more than these are left. */
    private static final int WORTHWHILE = ROOM - ROOM / 8;

    /** How many all contexts together may choose between two looks before they choose fewer. */
    private static final int MOST_OF_ALL = 1 << 13;

    private static final int MOST_OF_A_CONTEXT = 1 << 10;
    private static final int LEAST_OF_A_CONTEXT = 1 << 3;

    /** What becomes of the next of a context when some have to go. */
    private static final int FIRST_OF_TWO = 0;

    private static final int GOES = 1;
    private static final int STAYS = 2;

    private final @Nullable WeakReference<?>[] references;
    private final @Nullable CallTree[] trees = new @Nullable CallTree[ROOM];
    private final int[] nodes = new int[ROOM];

    /** How many collections had been when it was made. */
    private final int[] collectionsBefore = new int[ROOM];

    private final long[] weights = new long[ROOM];
    private final long[] bytes = new long[ROOM];
    private int size;

    /** Whether making room would take long for what it gives, until some are gone. */
    private boolean crowded;

    private WeakReference<Object> witness = new WeakReference<>(new Object());
    private int collections;
    private long withoutRoom;

    private int random = 0x2545F491;

    private volatile int looks = 1;

    /** Contexts that have chosen an object since the last look, and before it; about so many. */
    private int contexts;

    private int contextsBefore;

    /** With room for all that it will ever have. */
    TrackedObjects() {
        references = new @Nullable WeakReference<?>[ROOM];
    }

    /**
     * Takes an object in. Never keeps it.
     *
     * @param weight how many it stands for
     * @param arrayBytes its own, if it is an array; otherwise 0
     */
    synchronized void add(Object made, CallTree tree, int node, int weight, long arrayBytes) {
        notice();
        if (size == ROOM && !crowded) {
            forgetGone();
            if (size > WORTHWHILE) {
                thinOut();
            }
            crowded = size > WORTHWHILE;
        }
        if (size == ROOM) {
            withoutRoom++;
            return;
        }
        references[size] = new WeakReference<>(made);
        trees[size] = tree;
        nodes[size] = node;
        collectionsBefore[size] = collections;
        weights[size] = weight;
        bytes[size] = arrayBytes * weight;
        size++;
    }

    /** Counts a collection, if there was one since this was last done. */
    private void notice() {
        if (witness.refersTo(null)) {
            collections++;
            crowded = false;
            witness = new WeakReference<>(new Object());
        }
    }

    /** O(tracked objects). */
    private void forgetGone() {
        int at = 0;
        while (at < size) {
            WeakReference<?> reference = references[at];
            CallTree tree = trees[at];
            if (reference != null && tree != null && reference.refersTo(null)) {
                tree.addGone(nodes[at], weights[at], 1);
                remove(at);
            } else {
                at++;
            }
        }
    }

    private void remove(int at) {
        size--;
        references[at] = references[size];
        trees[at] = trees[size];
        nodes[at] = nodes[size];
        collectionsBefore[at] = collectionsBefore[size];
        weights[at] = weights[size];
        bytes[at] = bytes[size];
        references[size] = null;
        trees[size] = null;
    }

    /**
     * One of two where a context has no fewer than half of what contexts have on average. Such
     * contexts have at least half of all, so about a quarter of the room is free then, unless most
     * contexts have a single one. Which of the two goes is left to chance: their order tells how
     * old they are, and so what they stand for.
     */
    private void thinOut() {
        // Without lambdas: who links one loads classes, and must not have this lock then.
        Map<Long, Integer> counts = new HashMap<>();
        for (int i = 0; i < size; i++) {
            Integer others = counts.get(maker(i));
            counts.put(maker(i), others == null ? 1 : others + 1);
        }
        int enough = Math.max(2, size / (2 * counts.size()));
        Map<Long, Integer> turns = new HashMap<>();
        // From behind: what takes the place of one that goes was looked at.
        for (int i = size - 1; i >= 0; i--) {
            Long maker = maker(i);
            Integer count = counts.get(maker);
            if (count != null && count >= enough) {
                int turn = turns.getOrDefault(maker, FIRST_OF_TWO);
                boolean goes = turn == FIRST_OF_TWO ? isHeads() : turn == GOES;
                turns.put(maker, turn != FIRST_OF_TWO ? FIRST_OF_TWO : goes ? STAYS : GOES);
                if (goes) {
                    remove(i);
                } else {
                    weights[i] *= 2;
                    bytes[i] *= 2;
                }
            }
        }
    }

    private boolean isHeads() {
        random ^= random << 13;
        random ^= random >>> 17;
        random ^= random << 5;
        return random < 0;
    }

    private long maker(int at) {
        CallTree tree = trees[at];
        return (long) (tree == null ? 0 : tree.number()) << 32 | nodes[at];
    }

    /** Looks at all of them. */
    public synchronized void look(Reader reader) {
        looks++;
        contextsBefore = contexts;
        contexts = 0;
        crowded = false;
        notice();
        forgetGone();
        for (int i = 0; i < size; i++) {
            CallTree tree = trees[i];
            if (tree != null) {
                reader.alive(
                        tree, nodes[i], collections - collectionsBefore[i], weights[i], bytes[i]);
            }
        }
    }

    /** How many garbage collections were noticed. */
    public synchronized int collections() {
        return collections;
    }

    /** How many objects were to be tracked, and were not. */
    public synchronized long withoutRoom() {
        return withoutRoom;
    }

    /**
     * What nodes of a tree have made was made by others, of another tree or the same.
     *
     * @param places where each of them is now; 0 if nowhere
     */
    synchronized void move(CallTree from, CallTree to, int[] places) {
        for (int i = 1; i < places.length; i++) {
            boolean stays = places[i] == i && from.number() == to.number();
            if (!stays) {
                from.moveGone(i, to, places[i]);
            }
        }
        for (int i = size - 1; i >= 0; i--) {
            CallTree tree = trees[i];
            if (tree != null && tree.number() == from.number() && nodes[i] < places.length) {
                int place = places[nodes[i]];
                if (place == 0) {
                    remove(i);
                } else {
                    trees[i] = to;
                    nodes[i] = place;
                }
            }
        }
    }

    /** Changes with each look. */
    int looks() {
        return looks;
    }

    /** A context chooses for the first time since the last look. */
    void countContext() {
        contexts++;
    }

    /** How many a context may choose between two looks before it chooses fewer. */
    int mostOfAContext() {
        // Without methods of the JDK: they may be measured themselves.
        int many = contexts > contextsBefore ? contexts : contextsBefore;
        int share = many == 0 ? MOST_OF_ALL : MOST_OF_ALL / many;
        if (share > MOST_OF_A_CONTEXT) {
            return MOST_OF_A_CONTEXT;
        }
        return share < LEAST_OF_A_CONTEXT ? LEAST_OF_A_CONTEXT : share;
    }
}
