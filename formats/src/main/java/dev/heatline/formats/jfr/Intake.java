package dev.heatline.formats.jfr;

import dev.heatline.formats.Intervals;
import dev.heatline.model.Consumer;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import java.util.function.UnaryOperator;

/** What chunks add up to: a tree, and how it came about. */
final class Intake {
    private final UnaryOperator<Consumer> naming;
    private final ProfileBuilder builder = new ProfileBuilder();
    private final Counts counts = new Counts();
    private final LongIntMap osThreads = new LongIntMap();
    private Provenance provenance = Provenance.NONE;

    /**
     * @param naming what methods are to be called instead
     */
    Intake(UnaryOperator<Consumer> naming) {
        this.naming = naming;
    }

    ProfileBuilder builder() {
        return builder;
    }

    Counts counts() {
        return counts;
    }

    /** The consumers of the threads that events were on, by the operating system's numbers. */
    LongIntMap osThreads() {
        return osThreads;
    }

    Provenance provenance() {
        return counts.addedTo(provenance);
    }

    /**
     * Enters what the readers of a schema have summed up.
     *
     * @param origin what is known of the chunk as a whole
     */
    void enter(Chunk chunk, Schema schema, Circumstances circumstances, Provenance origin) {
        Metadata metadata = schema.metadata();
        ConstantPools pools = schema.pools();
        provenance = provenance.merge(origin);
        Names names = new Names(metadata, pools, builder, naming, osThreads);
        StackTraces stacks = new StackTraces(metadata, pools, names, builder);
        for (EventReader reader : schema.readers()) {
            EventKind kind = circumstances.meaning(reader.kind());
            long interval = circumstances.intervalNanos(kind, reader.type());
            String fact = kind.intervalFact();
            if (interval > 0 && !fact.isEmpty()) {
                provenance = provenance.withFact(fact, Intervals.write(interval));
            }
            reader.leaveOut(circumstances.allocatedBefore());
            reader.enter(kind, stacks, names, builder, chunk, interval, counts);
        }
    }
}
