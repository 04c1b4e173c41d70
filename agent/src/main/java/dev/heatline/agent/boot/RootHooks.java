package dev.heatline.agent.boot;

import org.jspecify.annotations.Nullable;

/**
 * Called by injected code where a root begins and ends while roots are timed alone. Calls that are
 * made inside of a root are a part of it.
 */
public final class RootHooks {
    private static volatile @Nullable RootTimes times;

    private RootHooks() {}

    /** What is handed to {@link #end} by the same call. */
    public static long begin() {
        RootTimes known = times;
        return known == null ? RootTimes.NOT_TIMED : known.enter();
    }

    /** The call ends, with or without an exception. */
    public static void end(long begun, int method) {
        if (begun != RootTimes.NOT_TIMED) {
            long took = System.nanoTime() - begun;
            RootTimes known = times;
            if (known != null) {
                known.leave(method, begun, took);
            }
        }
    }

    /** Has calls timed from now on, or not any more. */
    public static void into(@Nullable RootTimes some) {
        times = some;
    }
}
