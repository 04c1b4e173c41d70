package dev.heatline.collector.calls;

import dev.heatline.wire.CallSnapshot;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Finds out from when on times count. Code that was changed is interpreted until the JVM has
 * compiled it anew, and takes many times as long until then. That is over when no more methods are
 * changed and the compilers have little to do.
 */
final class Settling {

    /** Compilers always have something to do. */
    private static final double USUAL_PART = 0.1;

    /** In a large program they may have for ever. */
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(15);

    /** Looks that come quickly one after the other tell nothing. */
    private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private CallSnapshot last;
    private Optional<CallSnapshot> settled = Optional.empty();

    /**
     * @param first the first look
     */
    Settling(CallSnapshot first) {
        last = first;
    }

    /** Takes another look. */
    void look(CallSnapshot now) {
        long passed = now.elapsedNanos() - last.elapsedNanos();
        if (settled.isPresent() || passed < LEAST_NANOS) {
            return;
        }
        long compiling = since(now, CallSnapshot.COMPILING_MILLIS);
        boolean quiet =
                since(now, CallSnapshot.METHODS) == 0
                        && TimeUnit.MILLISECONDS.toNanos(compiling) <= USUAL_PART * passed;
        // Before anybody is in a root, there is nothing to compile.
        if (!now.trees().isEmpty() && (quiet || now.elapsedNanos() >= LONGEST_NANOS)) {
            settled = Optional.of(now);
        }
        last = now;
    }

    private long since(CallSnapshot now, String count) {
        return now.counts().getOrDefault(count, 0L) - last.counts().getOrDefault(count, 0L);
    }

    /** What had been measured when times began to count; empty if they do not yet. */
    Optional<CallSnapshot> settled() {
        return settled;
    }
}
