package dev.heatline.collector;

import dev.heatline.collector.spool.Entry;
import dev.heatline.collector.spool.Once;
import dev.heatline.collector.spool.Spool;
import dev.heatline.collector.spool.SpoolException;
import dev.heatline.formats.jfr.LiveInterval;
import dev.heatline.formats.jfr.LiveRecording.Position;
import dev.heatline.model.Execution;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Turns what was read of one source into profiles in the spool. While the spool cannot take any, an
 * interval just goes on: its position does not move, so even the death of the collector then loses
 * nothing that is still on disk.
 */
final class IntervalWriter {
    private final Spool spool;
    private final String source;
    private final Execution execution;
    private final Once remarks;
    private LiveInterval interval = new LiveInterval();

    IntervalWriter(Spool spool, String source, Execution execution, Consumer<String> say) {
        this.spool = spool;
        this.source = source;
        this.execution = execution;
        this.remarks = new Once(say);
    }

    /** What was read since the last profile. */
    LiveInterval interval() {
        return interval;
    }

    /**
     * Makes a profile of the interval, if anything was read.
     *
     * @param position of the source behind it
     * @param reduction what was not recorded to save cost; empty if nothing
     * @param full whether memory forbids to go on when the spool does not take it
     */
    void close(Position position, CostMeter.Cost cost, String reduction, boolean full) {
        Provenance read = interval.provenance();
        if (read.from().isEmpty()) {
            return;
        }
        Profile profile = interval.build(known(cost, reduction));
        Instant from = read.from().get();
        Instant until = read.until().orElse(from);
        Entry entry =
                new Entry(
                        UUID.randomUUID().toString(),
                        execution,
                        from,
                        until.isAfter(from) ? until : from.plusMillis(1),
                        source,
                        position.written());
        try {
            spool.append(entry, profile);
            interval = new LiveInterval();
            remarks.over("profiles can be kept again");
        } catch (SpoolException e) {
            remarks.say(String.valueOf(e.getMessage()));
            if (full) {
                interval = new LiveInterval();
                interval.count("profiles dropped by the collector", 1);
            }
        }
    }

    private Provenance known(CostMeter.Cost cost, String reduction) {
        Provenance known =
                Provenance.NONE
                        .withFact(Provenance.APPLICATION, execution.application())
                        .withFact(Provenance.INSTANCE, execution.instance());
        if (!execution.version().isEmpty()) {
            known = known.withFact(Provenance.VERSION, execution.version());
        }
        if (!reduction.isEmpty()) {
            known = known.withFact(Provenance.REDUCED, reduction);
        }
        return cost.isKnown()
                ? known.plusCount(Provenance.PROFILING_MICROS, cost.profilingNanos() / 1_000)
                        .plusCount(Provenance.PROFILED_MICROS, cost.jvmNanos() / 1_000)
                : known;
    }
}
