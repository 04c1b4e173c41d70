package dev.heatline.agent.boot;

/**
 * Finds out what calls cost (002 §5.3): those that do nothing, and those where there is something
 * to do before and after, during which the CPU does a part of the hooks' work.
 */
public final class Calibration {
    /** The number of no method. */
    private static final int METHOD = Integer.MAX_VALUE - 1;

    private static final int BATCHES = 500;
    private static final int CALLS = 200;
    private static final int ROUNDS = 10;

    /** What came out, so that it is not left out. */
    private static long worked = 1;

    private Calibration() {}

    /** To be called by a thread that is {@link CallHooks#ignore ignored}. */
    public static CallCosts run() {
        CallTree tree = CallHooks.find(Thread.currentThread());
        if (tree == null || !tree.isOurs) {
            throw new IllegalStateException("calibration is for threads of the agent");
        }
        tree.current = CallTree.OUTSIDE;
        try {
            CallCosts found = run(tree);
            CallHooks.costs(found);
            return found;
        } finally {
            tree.current = CallTree.AWAY;
        }
    }

    private static CallCosts run(CallTree tree) {
        int caller = tree.enter(METHOD);
        double[] empty = calls(tree, caller, 0);
        double[] busy = calls(tree, caller, ROUNDS);
        double alone = work();
        tree.skip(true);
        double untimed = calls(tree, caller, 0)[0];
        tree.skip(false);
        tree.exit(caller);
        double inner = Math.max(0, busy[1] - alone);
        double outer = Math.max(0, busy[0] - busy[1] - alone);
        return new CallCosts(
                inner,
                outer,
                Math.max(0, empty[1] - inner),
                Math.max(0, empty[0] - empty[1] - outer),
                untimed);
    }

    /** What one of many calls takes, at best, and which part of that seems to be its own. */
    private static double[] calls(CallTree tree, int caller, int rounds) {
        double[] best = {Double.MAX_VALUE, 0};
        long x = worked;
        for (int batch = 0; batch < BATCHES; batch++) {
            long before = tree.self(caller);
            long start = System.nanoTime();
            for (int i = 0; i < CALLS; i++) {
                int entered = CallHooks.enter(METHOD);
                x = work(x, rounds);
                CallHooks.exit(entered);
                x = work(x, rounds);
            }
            double each = (double) (System.nanoTime() - start) / CALLS;
            if (each < best[0]) {
                best[0] = each;
                best[1] = each - (double) (tree.self(caller) - before) / CALLS;
            }
        }
        worked = x;
        return best;
    }

    /** What the work takes alone. */
    private static double work() {
        double best = Double.MAX_VALUE;
        long x = worked;
        for (int batch = 0; batch < BATCHES; batch++) {
            long start = System.nanoTime();
            for (int i = 0; i < CALLS; i++) {
                x = work(x, ROUNDS);
            }
            best = Math.min(best, (double) (System.nanoTime() - start) / CALLS);
        }
        worked = x;
        return best;
    }

    /** Some nanoseconds, each of which needs the one before. */
    private static long work(long from, int rounds) {
        long x = from;
        for (int i = 0; i < rounds; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        return x;
    }
}
