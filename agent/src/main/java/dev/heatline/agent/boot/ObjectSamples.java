package dev.heatline.agent.boot;

/**
 * Which of the objects that the contexts of one thread make at a line are tracked: of each the
 * first, and then one of <i>N</i>, at random distances, so that no rhythm of the application is
 * mistaken for its habit. <i>N</i> is doubled when many of a context were chosen since the last
 * look at {@link TrackedObjects}, and halved at each look.
 *
 * <p>The thread of the contexts writes how many it has made. How many tracked ones are gone is
 * written and read under the lock of {@link TrackedObjects}. Methods of the JDK are not called
 * where an object is counted: they may be measured themselves.
 */
final class ObjectSamples {
    private static final int STRIDE = 3;

    /** How many objects were made whole. */
    private static final int MADE = 0;

    /** Which of them is the next that is chosen; 0 for the first. */
    private static final int NEXT = 1;

    /**
     * From below: 8 bits of the power of two that is <i>N</i>, 24 of how many were chosen since a
     * look, 32 of the number of that look.
     */
    private static final int RATE = 2;

    private static final int CHOSEN_SHIFT = 8;
    private static final int CHOSEN_MASK = (1 << 24) - 1;
    private static final int LOOK_SHIFT = 32;
    private static final int RAREST = 24;

    private volatile long[] states = new long[0];
    private int random;

    private long[] gone = new long[0];
    private long[] goneTracked = new long[0];

    ObjectSamples(int seed) {
        random = seed | 1;
    }

    /**
     * Counts an object that a node has made; returns how many it stands for if it is to be tracked,
     * otherwise 0.
     *
     * @param nodes how many there may be
     */
    int count(int node, int nodes, TrackedObjects objects) {
        long[] all = states;
        int at = node * STRIDE;
        if (at >= all.length) {
            all = grown(nodes);
        }
        long made = ++all[at + MADE];
        return made < all[at + NEXT] ? 0 : choose(all, at, made, objects);
    }

    private long[] grown(int nodes) {
        long[] all = new long[nodes * STRIDE];
        System.arraycopy(states, 0, all, 0, states.length);
        states = all;
        return all;
    }

    private int choose(long[] all, int at, long made, TrackedObjects objects) {
        long rate = all[at + RATE];
        int power = (int) rate & 0xFF;
        // What this one stands for was decided when it was.
        int weight = 1 << power;
        int chosen = (int) (rate >>> CHOSEN_SHIFT) & CHOSEN_MASK;
        int look = (int) (rate >>> LOOK_SHIFT);
        int now = objects.looks();
        if (look != now) {
            power = now - look < power ? power - (now - look) : 0;
            chosen = 0;
            objects.countContext();
        }
        chosen++;
        if (chosen >= objects.mostOfAContext() && power < RAREST) {
            power++;
            chosen = 0;
        }
        all[at + RATE] = (long) now << LOOK_SHIFT | (long) chosen << CHOSEN_SHIFT | power;
        all[at + NEXT] = made + distance(1 << power);
        return weight;
    }

    /** From 1 to 2<i>N</i> - 1, which is <i>N</i> on average. */
    private int distance(int mean) {
        int next = random;
        next ^= next << 13;
        next ^= next >>> 17;
        next ^= next << 5;
        random = next;
        return 1 + (next >>> 1) % (2 * mean - 1);
    }

    /** How many objects a node has made whole. */
    long made(int node) {
        long[] all = states;
        return node * STRIDE < all.length ? all[node * STRIDE + MADE] : 0;
    }

    /** One that was tracked is gone, and all those that it stands for. */
    void addGone(int node, long objects, long tracked, int nodes) {
        gone = Numbers.plus(gone, node, objects, nodes);
        goneTracked = Numbers.plus(goneTracked, node, tracked, nodes);
    }

    /** How many are gone, as far as those tell that were tracked. */
    long gone(int node) {
        return Numbers.of(gone, node);
    }

    /** How many that were tracked are. */
    long goneTracked(int node) {
        return Numbers.of(goneTracked, node);
    }

    /** All of that, as it is now. */
    ObjectCounts counts() {
        long[] all = states;
        long[] made = new long[all.length / STRIDE];
        for (int i = 0; i < made.length; i++) {
            made[i] = all[i * STRIDE + MADE];
        }
        return new ObjectCounts(made, gone.clone(), goneTracked.clone());
    }

    /** What others have made was made by a node. */
    void addMade(int node, long made, int nodes) {
        long[] all = node * STRIDE < states.length ? states : grown(nodes);
        all[node * STRIDE + MADE] += made;
        all[node * STRIDE + NEXT] += made;
    }

    /** A node is used for another context from now on. */
    void forget(int node) {
        long[] all = states;
        if (node * STRIDE < all.length) {
            all[node * STRIDE + MADE] = 0;
            all[node * STRIDE + NEXT] = 0;
            all[node * STRIDE + RATE] = 0;
        }
    }

    /** Likewise of those that are gone. */
    void forgetGone(int node) {
        Numbers.clear(gone, node);
        Numbers.clear(goneTracked, node);
    }
}
