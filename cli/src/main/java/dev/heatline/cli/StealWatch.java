package dev.heatline.cli;

import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.proc.Proc;
import dev.heatline.collector.threads.ThreadUse;
import dev.heatline.collector.threads.ThreadWatch;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import java.util.Optional;

/**
 * Something that is watched, and beside it what the JVM had of the CPUs: the profile says how much
 * of that was stolen, and that its times mislead where it was much. To be taken once.
 */
final class StealWatch implements Watch {
    /** How much is stolen changes as fast. */
    private static final long LOOK_AT_THREADS_NANOS = 1_000_000_000;

    private final Watch watch;

    /** Empty where the system does not tell. */
    private final Optional<ThreadWatch> threads;

    private final boolean tracesLocks;
    private long lastNanos = System.nanoTime();

    /**
     * @param tracesLocks whether locks are traced all the time
     */
    StealWatch(Watch watch, Jvm jvm, boolean tracesLocks) {
        this.watch = watch;
        this.tracesLocks = tracesLocks;
        this.threads = ThreadWatch.begin(Proc.HERE, jvm.process());
    }

    @Override
    public void look() {
        watch.look();
        long now = System.nanoTime();
        if (now - lastNanos >= LOOK_AT_THREADS_NANOS) {
            lastNanos = now;
            threads.ifPresent(ThreadWatch::look);
        }
    }

    @Override
    public boolean isOver() {
        return watch.isOver();
    }

    @Override
    public Optional<String> remark() {
        return watch.remark();
    }

    @Override
    public void stop() {
        threads.ifPresent(ThreadWatch::look);
        watch.stop();
    }

    @Override
    public Profile take() {
        Profile seen = watch.take();
        return threads.map(it -> seen.withProvenance(withCpus(seen.provenance(), it.seen())))
                .orElse(seen);
    }

    private Provenance withCpus(Provenance known, ThreadWatch.Seen seen) {
        ThreadUse used = seen.process();
        long correctedMicros = used.correctedNanos() / 1_000;
        return known.plusCount(Provenance.STEAL_MICROS, used.stealNanos() / 1_000)
                .plusCount(Provenance.CORRECTED_MICROS, correctedMicros)
                .plusCount(Provenance.LOCKS_TRACED_MICROS, tracesLocks ? correctedMicros : 0)
                .plusCount(Provenance.RUN_QUEUE_MICROS, used.runQueueNanos() / 1_000)
                .plusCount(Provenance.THROTTLED_MICROS, seen.throttled().nanos() / 1_000);
    }

    @Override
    public void close() {
        watch.close();
    }
}
