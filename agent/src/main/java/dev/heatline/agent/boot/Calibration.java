package dev.heatline.agent.boot;

/**
 * Finds out what calls cost (002 §5.3): those where there is something to do before and after,
 * during which the CPU does a part of the hooks' work, and those that do nothing or whose caller
 * does nothing.
 */
public final class Calibration {
    /** The number of no method. */
    private static final int METHOD = Integer.MAX_VALUE - 1;

    /** An odd number, so that one is in the middle. */
    private static final int BATCHES = 251;

    private static final int CALLS = 200;

    /** Not final: what it takes alone is to be the same code, and not one made for this number. */
    private static int rounds = 10;

    /** What came out, so that it is not left out. */
    private static long worked = 1;

    private Calibration() {}

    /** To be called by a thread that is {@link CallTrees#ignore ignored}. */
    public static CallCosts run() {
        CallTree tree = CallTrees.find(Thread.currentThread());
        if (tree == null || !tree.isOurs) {
            throw new IllegalStateException("calibration is for threads of the agent");
        }
        tree.current = CallTree.OUTSIDE;
        try {
            tree.timeAll(CallTrees.isSampled());
            return run(tree);
        } finally {
            tree.timeAll(false);
            tree.current = CallTree.AWAY;
        }
    }

    /**
     * A method with hooks, like all others: whether compilers make it a part of its caller is not
     * known beforehand, and a call that they do not costs more than the hooks.
     */
    private static long call(long from, int times) {
        int entered = CallHooks.enter(METHOD);
        long x;
        try {
            x = work(from, times);
        } catch (Throwable thrown) {
            CallHooks.exit(entered);
            throw thrown;
        }
        CallHooks.exit(entered);
        return x;
    }

    private static CallCosts run(CallTree tree) {
        int caller = tree.enter(METHOD);
        double[] busy = calls(tree, caller, rounds, rounds);
        double[] idleOutside = calls(tree, caller, rounds, 0);
        double[] idleInside = calls(tree, caller, 0, rounds);
        double alone = work();
        tree.skip(true);
        double untimed = Math.max(0, calls(tree, caller, rounds, rounds)[0] - 2 * alone);
        double idleUntimed = calls(tree, caller, 0, 0)[0];
        tree.skip(false);
        tree.exit(caller);
        double inner = Math.max(0, busy[1] - alone);
        double outer = Math.max(0, busy[0] - busy[1] - alone);
        return new CallCosts(
                inner,
                outer,
                Math.max(0, idleInside[1] - inner),
                Math.max(0, idleOutside[0] - idleOutside[1] - outer),
                untimed,
                Math.max(0, idleUntimed - untimed));
    }

    /**
     * What one of many calls usually takes, and which part of that seems to be its own.
     *
     * @param inside how much there is to do in a call
     * @param outside how much before the next one
     */
    private static double[] calls(CallTree tree, int caller, int inside, int outside) {
        double[] each = new double[BATCHES];
        double[] own = new double[BATCHES];
        long x = worked;
        for (int batch = 0; batch < BATCHES; batch++) {
            // Until then, the caller's time is that of what was between two batches.
            x = call(x, inside);
            long before = tree.self(caller);
            long start = System.nanoTime();
            for (int i = 0; i < CALLS; i++) {
                x = call(x, inside);
                x = work(x, outside);
            }
            each[batch] = (double) (System.nanoTime() - start) / CALLS;
            own[batch] = each[batch] - (double) (tree.self(caller) - before) / CALLS;
        }
        worked = x;
        return new double[] {median(each), median(own)};
    }

    /** What the work takes alone. */
    private static double work() {
        double[] each = new double[BATCHES];
        long x = worked;
        for (int batch = 0; batch < BATCHES; batch++) {
            long start = System.nanoTime();
            for (int i = 0; i < CALLS; i++) {
                x = work(x, rounds);
            }
            each[batch] = (double) (System.nanoTime() - start) / CALLS;
        }
        worked = x;
        return median(each);
    }

    /**
     * That of most batches: at best they take less than an application's calls do, and a batch that
     * is interrupted has the time of others. Without methods of the JDK, which may be measured
     * themselves.
     */
    private static double median(double[] batches) {
        for (int i = 1; i < batches.length; i++) {
            double moved = batches[i];
            int to = i;
            while (to > 0 && batches[to - 1] > moved) {
                batches[to] = batches[to - 1];
                to--;
            }
            batches[to] = moved;
        }
        return batches[batches.length / 2];
    }

    /** Some nanoseconds, each of which needs the one before. */
    private static long work(long from, int times) {
        long x = from;
        for (int i = 0; i < times; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        return x;
    }
}
