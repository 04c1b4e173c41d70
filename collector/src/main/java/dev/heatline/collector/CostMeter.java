package dev.heatline.collector;

import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.ProfilingCost;
import java.lang.management.ManagementFactory;
import java.util.Optional;

/**
 * What profiling a JVM costs from one interval to the next: the threads of its recorder, and the
 * thread that follows it here, which has to be the one that asks. With it comes what all threads of
 * the JVM had of the CPUs.
 */
final class CostMeter {
    private final Jvm jvm;
    private final StealMeter steal;
    private Optional<ProfilingCost> lastReading = Optional.empty();
    private long lastOwnNanos;
    private long lastNanos;

    /**
     * What an interval cost.
     *
     * @param recorderNanos CPU time of profiling there
     * @param readerNanos CPU time of profiling here
     * @param profilingBytes what the recorder there wrote
     * @param jvmNanos CPU time of the whole JVM
     * @param wallNanos length of the interval; 0 if nothing is known
     * @param taken what the JVM had of the CPUs, and what was taken from it
     */
    record Cost(
            long recorderNanos,
            long readerNanos,
            long profilingBytes,
            long jvmNanos,
            long wallNanos,
            StealMeter.Taken taken) {
        static final Cost UNKNOWN = new Cost(0, 0, 0, 0, 0, StealMeter.Taken.UNKNOWN);

        boolean isKnown() {
            return wallNanos > 0;
        }

        /** CPU time of profiling, there and here. */
        long profilingNanos() {
            return recorderNanos + readerNanos;
        }

        /** With CPU time of profiling there that was counted elsewhere. */
        Cost plusRecorder(long nanos) {
            return isKnown()
                    ? new Cost(
                            recorderNanos + nanos,
                            readerNanos,
                            profilingBytes,
                            jvmNanos,
                            wallNanos,
                            taken)
                    : this;
        }

        Cost plus(Cost other) {
            return new Cost(
                    recorderNanos + other.recorderNanos,
                    readerNanos + other.readerNanos,
                    profilingBytes + other.profilingBytes,
                    jvmNanos + other.jvmNanos,
                    wallNanos + other.wallNanos,
                    taken.plus(other.taken));
        }
    }

    CostMeter(Jvm jvm) {
        this.jvm = jvm;
        this.steal = new StealMeter(jvm.process());
    }

    /** Begins the first interval. */
    void start() {
        steal.lookIfDue();
        begin();
    }

    /** To be called every second in between. */
    void look() {
        steal.lookIfDue();
    }

    private void begin() {
        lastReading = ProfilingCost.of(jvm);
        lastOwnNanos = ownNanos();
        lastNanos = System.nanoTime();
    }

    /** Ends an interval and begins the next. Unknown on systems without {@code /proc}. */
    Cost sinceLast() {
        Optional<ProfilingCost> before = lastReading;
        long ownBefore = lastOwnNanos;
        long nanosBefore = lastNanos;
        StealMeter.Taken taken = steal.sinceLast();
        begin();
        if (before.isEmpty() || lastReading.isEmpty()) {
            return Cost.UNKNOWN;
        }
        ProfilingCost spent = lastReading.get().since(before.get());
        return new Cost(
                spent.recorderNanos(),
                lastOwnNanos - ownBefore,
                spent.recorderBytes().orElse(0),
                spent.cpuNanos(),
                lastNanos - nanosBefore,
                taken);
    }

    /** CPU time of the thread that asks. */
    static long ownNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
