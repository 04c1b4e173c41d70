package dev.heatline.collector;

import dev.heatline.wire.RecordingSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Keeps what profiling costs a JVM within a share of the CPU time the JVM uses itself: when a
 * minute cost more, the next one does less, in steps from what is dearest and least missed; when it
 * has cost little for long enough, a step is taken back. A step back that does not hold makes the
 * wait before the next try twice as long, so settings do not swing.
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
    private final List<Step> steps = new ArrayList<>();
    private int step;
    private int calmPeriods;
    private int patience = FIRST_PATIENCE;
    private boolean tried;
    private double lastShare;
    private boolean warm;
    private long profilingNanos;
    private long jvmNanos;
    private long wallNanos;

    /** What is recorded, whether locks are traced, and what is left out, for people. */
    private record Step(RecordingSettings settings, boolean locks, String without) {}

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
        steps.add(new Step(wanted, locks, ""));
        List<String> without = new ArrayList<>();
        if (locks) {
            without.add("no locks");
            add(wanted, without);
        }
        // The thread that takes the samples is most of what is seen of the cost, and fewer samples
        // still tell what more do.
        addLongerInterval(without);
        if (wanted.allocationsPerSecond() > 0) {
            without.add("no allocations");
            add(settingsOfLast().withAllocationsPerSecond(0), without);
        }
        if (wanted.waitThreshold().isPresent()) {
            without.add("no waits");
            add(settingsOfLast().withWaitThreshold(Optional.empty()), without);
        }
        boolean longer = true;
        while (longer) {
            longer = addLongerInterval(without);
        }
    }

    private RecordingSettings settingsOfLast() {
        return steps.getLast().settings();
    }

    /** Whether there is a longer one. */
    private boolean addLongerInterval(List<String> without) {
        Duration longer = settingsOfLast().cpuInterval().multipliedBy(2);
        if (longer.compareTo(LONGEST_INTERVAL) > 0) {
            return false;
        }
        add(settingsOfLast().withCpuInterval(longer), without);
        return true;
    }

    private void add(RecordingSettings settings, List<String> without) {
        List<String> all = new ArrayList<>(without);
        if (!settings.cpuInterval().equals(steps.getFirst().settings().cpuInterval())) {
            all.add("samples every " + settings.cpuInterval().toMillis() + " ms");
        }
        steps.add(new Step(settings, false, String.join(", ", all)));
    }

    /** Whether locks may be traced now. */
    boolean tracesLocks() {
        return steps.get(step).locks();
    }

    /** What to record now. */
    RecordingSettings settings() {
        return steps.get(step).settings();
    }

    /** What is not recorded because of the budget, for people; empty if nothing. */
    String reduction() {
        return steps.get(step).without();
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
     * @param profiling CPU time spent on profiling, in the JVM and here, in nanoseconds
     * @param jvm CPU time of the whole JVM, profiling included
     * @param wall how long the interval was
     */
    void spent(long profiling, long jvm, long wall) {
        profilingNanos += profiling;
        jvmNanos += jvm;
        wallNanos += wall;
        if (wallNanos >= periodNanos) {
            double own = Math.max((double) (jvmNanos - profilingNanos), IDLE_CORES * wallNanos);
            lastShare = profilingNanos / Math.max(1, own);
            profilingNanos = 0;
            jvmNanos = 0;
            wallNanos = 0;
            if (warm) {
                judge();
            }
            warm = true;
        }
    }

    private void judge() {
        if (lastShare > share) {
            if (tried) {
                patience = Math.min(MAX_PATIENCE, patience * 2);
            }
            step = Math.min(step + 1, steps.size() - 1);
            calmPeriods = 0;
        } else if (lastShare > share * CALM) {
            calmPeriods = 0;
        } else if (step > 0 && ++calmPeriods >= patience) {
            step--;
            calmPeriods = 0;
            tried = true;
            return;
        }
        tried = false;
    }
}
