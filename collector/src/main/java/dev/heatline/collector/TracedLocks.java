package dev.heatline.collector;

import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.JvmException;
import dev.heatline.collector.locks.LockWatch;
import dev.heatline.collector.spool.Once;
import dev.heatline.formats.FormatException;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import java.nio.file.Path;
import java.util.Optional;

/** The locks of one JVM, traced for as long as that is wanted and the budget allows it. */
final class TracedLocks implements AutoCloseable {
    /** So many calls of {@link #switchOn} are the longest between two attempts. */
    private static final int MOST_PAUSE = 64;

    private final Jvm jvm;
    private final Optional<Path> agent;
    private final Memory memory;
    private final Once obstacles;
    private Optional<LockWatch> watch = Optional.empty();
    private boolean on;

    /** Whether another attempt would disturb the application. */
    private boolean hopeless;

    /** Calls that are let pass before the next attempt, and after the next that fails. */
    private int pause;

    private int nextPause = 1;
    private long lastNanos;

    /** Whether they were traced when the interval began. */
    private boolean wereOn;

    /** When the interval began. */
    private long beganNanos;

    /** When they were last known to be traced. */
    private long knownNanos;

    /** CPU time of the JVM with tracing whose contentions were not taken yet. */
    private long ranNanos;

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

    /**
     * Switches tracing on or off, to be called where an interval begins. What cannot be switched
     * on, as somebody else traces it now, is tried again, and less and less often.
     */
    void switchOn(boolean wanted) {
        if (wanted && agent.isPresent() && watch.isEmpty() && !hopeless) {
            if (pause > 0) {
                pause--;
            } else {
                start(agent.get());
            }
        } else if (!wanted) {
            stop();
        }
        begin();
    }

    private void begin() {
        beganNanos = System.nanoTime();
        knownNanos = beganNanos;
        wereOn = on;
    }

    /** Ends tracing in the middle of an interval. */
    void stop() {
        if (on) {
            on = false;
            knownNanos = System.nanoTime();
            attempt(watch.orElseThrow()::stop);
        }
    }

    /**
     * Ends an interval in which the JVM had so much CPU time, nothing stolen in it. Where tracing
     * ended in the middle, what is due to the time until then.
     */
    void ran(long correctedNanos) {
        long nanos = Math.max(1, System.nanoTime() - beganNanos);
        double traced = on ? 1 : (double) (knownNanos - beganNanos) / nanos;
        ranNanos += wereOn ? (long) (correctedNanos * traced) : 0;
        begin();
    }

    private void start(Path agentJar) {
        attempt(() -> watch = Optional.of(LockWatch.start(jvm, agentJar)));
        on = watch.isPresent();
        lastNanos = 0;
        if (on) {
            nextPause = 1;
            obstacles.over("locks of " + jvm + " are traced now");
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
        if (on) {
            knownNanos = System.nanoTime();
        }
    }

    /** The contentions since the last time; of a tracer that was stopped, the last. */
    Optional<Profile> take() {
        look();
        Optional<Profile> seen = watch.map(LockWatch::take).map(this::withRunningTime);
        if (!on) {
            close();
        }
        if (watch.isEmpty()) {
            wereOn = false;
            ranNanos = 0;
        }
        account();
        if (memory.isFull()) {
            watch.ifPresent(locks -> locks.analysis().forgetChains());
            account();
        }
        return seen;
    }

    private Profile withRunningTime(Profile seen) {
        // None at all would say that nobody counted.
        long micros = Math.max(1, ranNanos / 1_000);
        ranNanos = 0;
        return seen.withProvenance(
                seen.provenance().plusCount(Provenance.LOCKS_TRACED_MICROS, micros));
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
        } catch (JvmException e) {
            hopeless |= e.isHarmfulToRepeat();
            failed(e);
        } catch (FormatException e) {
            failed(e);
        }
    }

    private void failed(RuntimeException why) {
        on = false;
        pause = nextPause - 1;
        nextPause = Math.min(2 * nextPause, MOST_PAUSE);
        if (jvm.process().isAlive()) {
            obstacles.say("locks of " + jvm + " are not traced: " + why.getMessage());
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
