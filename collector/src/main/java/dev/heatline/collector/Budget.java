package dev.heatline.collector;

import dev.heatline.wire.RecordingSettings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Keeps what profiling costs a JVM within a share of the CPU time the JVM uses itself: when a
 * minute cost more, the next one does less of what is dearest; when it has cost little for long
 * enough, the last step is taken back. A step back that does not hold makes the wait before the
 * next try twice as long, so settings do not swing.
 *
 * <p>Most of what the recorder's threads take is for samples, of which fewer tell the same. Most of
 * what reading takes is for other events, where there are many; these are left out one kind after
 * the other.
 */
final class Budget {

    /** A JVM that idles is still allowed the cost of a JVM that uses a tenth of a core. */
    private static final double IDLE_CORES = 0.1;

    /** Taking a step back roughly doubles the cost: only from far below the limit. */
    private static final double CALM = 0.4;

    private static final int FIRST_PATIENCE = 5;
    private static final int MAX_PATIENCE = 320;

    /** Over less than a minute, a single chunk or compilation weighs too much. */
    static final Duration PERIOD = Duration.ofMinutes(1);

    private static final Duration LONGEST_INTERVAL = Duration.ofMillis(320);

    private final double share;
    private final long periodNanos;

    /** What is done now, behind all that was done before less was; the first is what is wanted. */
    private final Deque<Step> steps = new ArrayDeque<>();

    private int calmPeriods;
    private int patience = FIRST_PATIENCE;
    private boolean tried;
    private double lastShare;
    private boolean warm;
    private long recorderNanos;
    private long readerNanos;
    private long jvmNanos;
    private long wallNanos;

    /** What is recorded, and whether locks are traced. */
    private record Step(RecordingSettings settings, boolean locks) {}

    /**
     * @param share of the JVM's CPU time, such as 0.01
     * @param wanted what to record as long as there is room for it
     * @param locks whether to trace locks, likewise
     */
    Budget(double share, RecordingSettings wanted, boolean locks) {
        this(share, wanted, locks, PERIOD);
    }

    /**
     * @param period how long is judged at once
     */
    Budget(double share, RecordingSettings wanted, boolean locks, Duration period) {
        this.share = share;
        this.periodNanos = period.toNanos();
        steps.add(new Step(wanted, locks));
    }

    /** Whether locks may be traced now. */
    boolean tracesLocks() {
        return steps.getLast().locks();
    }

    /** What to record now. */
    RecordingSettings settings() {
        return steps.getLast().settings();
    }

    /** What is not recorded because of the budget, for people; empty if nothing. */
    String reduction() {
        Step wanted = steps.getFirst();
        List<String> without = new ArrayList<>();
        if (tracesLocks() != wanted.locks()) {
            without.add("no locks");
        }
        if (settings().allocationsPerSecond() != wanted.settings().allocationsPerSecond()) {
            without.add("no allocations");
        }
        if (!settings().waitThreshold().equals(wanted.settings().waitThreshold())) {
            without.add("no waits");
        }
        if (!settings().cpuInterval().equals(wanted.settings().cpuInterval())) {
            without.add("samples every " + settings().cpuInterval().toMillis() + " ms");
        }
        return String.join(", ", without);
    }

    /** What the last minute cost, for people: {@code 0.40 % of its CPU time}. */
    String cost() {
        return String.format(Locale.ROOT, "%.2f %% of its CPU time", 100 * lastShare);
    }

    /**
     * Takes note of what an interval cost. Every full minute is judged; afterwards {@link
     * #settings} may be others. The first is not: it has the start of the recorder in it, and code
     * that is not compiled yet.
     *
     * @param recorder CPU time of the threads that record in the JVM, in nanoseconds
     * @param reader CPU time of reading it here
     * @param jvm CPU time of the whole JVM, the recorder's included
     * @param wall how long the interval was
     */
    void spent(long recorder, long reader, long jvm, long wall) {
        recorderNanos += recorder;
        readerNanos += reader;
        jvmNanos += jvm;
        wallNanos += wall;
        if (wallNanos >= periodNanos) {
            long profiling = recorderNanos + readerNanos;
            double own = Math.max((double) (jvmNanos - recorderNanos), IDLE_CORES * wallNanos);
            lastShare = profiling / Math.max(1, own);
            if (warm) {
                judge();
            }
            warm = true;
            recorderNanos = 0;
            readerNanos = 0;
            jvmNanos = 0;
            wallNanos = 0;
        }
    }

    private void judge() {
        if (lastShare > share) {
            if (tried) {
                patience = Math.min(MAX_PATIENCE, patience * 2);
            }
            less().ifPresent(steps::add);
            calmPeriods = 0;
        } else if (lastShare > share * CALM) {
            calmPeriods = 0;
        } else if (steps.size() > 1 && ++calmPeriods >= patience) {
            steps.removeLast();
            calmPeriods = 0;
            tried = true;
            return;
        }
        tried = false;
    }

    /** One step less than now, of what was dearest; empty if nothing is left. */
    private Optional<Step> less() {
        RecordingSettings now = settings();
        if (tracesLocks()) {
            return Optional.of(new Step(now, false));
        }
        Duration longer = now.cpuInterval().multipliedBy(2);
        Optional<Step> fewerSamples =
                longer.compareTo(LONGEST_INTERVAL) > 0
                        ? Optional.empty()
                        : Optional.of(new Step(now.withCpuInterval(longer), false));
        if (fewerSamples.isPresent() && recorderNanos >= readerNanos) {
            return fewerSamples;
        }
        if (now.allocationsPerSecond() > 0) {
            return Optional.of(new Step(now.withAllocationsPerSecond(0), false));
        }
        if (now.waitThreshold().isPresent()) {
            return Optional.of(new Step(now.withWaitThreshold(Optional.empty()), false));
        }
        return fewerSamples;
    }
}
