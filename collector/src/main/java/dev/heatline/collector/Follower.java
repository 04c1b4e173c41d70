package dev.heatline.collector;

import dev.heatline.collector.spool.Once;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The tries to follow one JVM. A JVM that cannot be profiled says why once, and is tried again
 * after one minute, two, four, up to a quarter of an hour.
 */
final class Follower {
    private static final int FIRST_WAIT_LOOKS = 30;
    private static final int MAX_WAIT_LOOKS = 450;

    private final Once obstacles;

    /** Written by the thread that looks for JVMs, and read by the one that ends the collector. */
    private volatile @Nullable Try last;

    private int waitLooks = FIRST_WAIT_LOOKS;
    private int looksSinceEnd;

    /**
     * A try that was started.
     *
     * @param followed whether the JVM was profiled, for a while at least
     * @param hopeless whether another try would only disturb the application
     */
    record Try(Thread thread, BooleanSupplier followed, BooleanSupplier hopeless) {}

    Follower(Consumer<String> say) {
        obstacles = new Once(say);
    }

    /**
     * Called at every look at the JVMs.
     *
     * @param start begins a try, which says through this what stands in its way
     */
    void tryIfDue(Function<Once, Try> start) {
        if (last == null) {
            last = start.apply(obstacles);
            return;
        }
        if (isAtWork() || last.hopeless().getAsBoolean()) {
            return;
        }
        if (looksSinceEnd++ == 0 && last.followed().getAsBoolean()) {
            waitLooks = FIRST_WAIT_LOOKS;
        }
        if (looksSinceEnd >= waitLooks) {
            looksSinceEnd = 0;
            waitLooks = Math.min(2 * waitLooks, MAX_WAIT_LOOKS);
            last = start.apply(obstacles);
        }
    }

    boolean isAtWork() {
        return last != null && last.thread().isAlive();
    }

    /** That of the last try. */
    Optional<Thread> thread() {
        return Optional.ofNullable(last).map(Try::thread);
    }
}
