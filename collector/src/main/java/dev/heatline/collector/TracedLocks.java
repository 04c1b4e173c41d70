package dev.heatline.collector;

import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.JvmException;
import dev.heatline.collector.locks.LockWatch;
import dev.heatline.collector.spool.Once;
import dev.heatline.formats.FormatException;
import dev.heatline.model.Profile;
import java.nio.file.Path;
import java.util.Optional;

/** The locks of one JVM, traced for as long as that is wanted and the budget allows it. */
final class TracedLocks implements AutoCloseable {
    private final Jvm jvm;
    private final Optional<Path> agent;
    private final Memory memory;
    private final Once obstacles;
    private Optional<LockWatch> watch = Optional.empty();
    private boolean on;
    private boolean hopeless;
    private long lastNanos;

    /** What of the memory is held here. */
    private long size;

    /**
     * @param agent what is loaded into the JVM; empty if locks are not to be traced
     * @param obstacles told why that cannot be done
     */
    TracedLocks(Jvm jvm, Optional<Path> agent, Memory memory, Once obstacles) {
        this.jvm = jvm;
        this.agent = agent;
        this.memory = memory;
        this.obstacles = obstacles;
    }

    /** Whether they are traced now. */
    boolean areOn() {
        return on;
    }

    /** Switches tracing on or off. What cannot be switched on is not tried again. */
    void switchOn(boolean wanted) {
        if (wanted && agent.isPresent() && watch.isEmpty() && !hopeless) {
            attempt(() -> watch = Optional.of(LockWatch.start(jvm, agent.get())));
            on = watch.isPresent();
            lastNanos = 0;
        } else if (!wanted && on) {
            on = false;
            attempt(watch.orElseThrow()::stop);
        }
    }

    /** Takes what is new. */
    void look() {
        watch.ifPresent(locks -> attempt(() -> look(locks)));
        account();
    }

    private void look(LockWatch locks) {
        locks.look();
        on &= !locks.isOver();
    }

    /** The contentions since the last time; of a tracer that was stopped, the last. */
    Optional<Profile> take() {
        look();
        Optional<Profile> seen = watch.map(LockWatch::take);
        if (!on) {
            close();
        }
        account();
        return seen;
    }

    private void account() {
        long now = watch.map(locks -> locks.analysis().size()).orElse(0L);
        memory.add(now - size);
        size = now;
    }

    /** Time that tracing took in the application since the last time. */
    long spentNanos() {
        long nanos = watch.map(locks -> locks.analysis().tracerNanos()).orElse(lastNanos);
        long spent = Math.max(0, nanos - lastNanos);
        lastNanos = nanos;
        return spent;
    }

    private void attempt(Runnable action) {
        try {
            action.run();
        } catch (JvmException | FormatException e) {
            hopeless = true;
            on = false;
            if (jvm.process().isAlive()) {
                obstacles.say("locks of " + jvm + " are not traced: " + e.getMessage());
            }
        }
    }

    @Override
    public void close() {
        Optional<LockWatch> last = watch;
        watch = Optional.empty();
        on = false;
        last.ifPresent(locks -> attempt(locks::close));
        account();
    }
}
