package dev.heatline.formats.jfr;

import dev.heatline.formats.jfr.EventKind.Measure;
import dev.heatline.formats.jfr.EventKind.Origin;
import dev.heatline.model.ColumnBuilder;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Adds up the events of one type in one chunk, and then enters the sums into the tree. */
final class EventReader {
    private final EventKind kind;
    private final Metadata metadata;
    private final Metadata.Type type;
    private final Plan plan;
    private final @Nullable PackedFields packed;

    /** Null if nobody asked for classes, or these events are about none. */
    private final @Nullable Subjects subjects;

    private final Tally tally;
    private final long[] slots;

    /** The field behind each slot; the first ones are those of {@link Tally}. */
    private final List<String> fields = new ArrayList<>();

    /** The unit of each measure of the kind. */
    private final List<Unit> units = new ArrayList<>();

    /**
     * @param classes whether the class that an event is about becomes the innermost part of its
     *     stack
     */
    EventReader(EventKind kind, Metadata metadata, Metadata.Type type, boolean classes) {
        this.kind = kind;
        this.metadata = metadata;
        this.type = type;
        fields.add("stackTrace");
        fields.add(type.field("sampledThread") != null ? "sampledThread" : "eventThread");
        fields.add(classes ? Subjects.field(metadata, type) : "");
        subjects = fields.get(Tally.EVENTS).isEmpty() ? null : new Subjects();
        kind.measures().forEach(measure -> addField(measure.field()));
        kind.notes().keySet().forEach(this::addField);
        plan = metadata.planUpTo(type, fields);
        packed = subjects == null ? PackedFields.of(plan) : null;
        kind.measures().forEach(measure -> units.add(unit(measure)));
        slots = new long[fields.size()];
        tally = new Tally(fields.size() - Tally.FIRST_SUM);
    }

    private void addField(String name) {
        if (!fields.contains(name) && Unit.isSummable(metadata, type.field(name))) {
            fields.add(name);
        }
    }

    boolean hasEvents() {
        return !tally.isEmpty();
    }

    /** Forgets all sums. */
    void reset() {
        tally.clear();
        if (subjects != null) {
            subjects.clear();
        }
    }

    EventKind kind() {
        return kind;
    }

    Metadata.Type type() {
        return type;
    }

    /** Adds the event whose fields start where the cursor stands. */
    void read(Cursor in) {
        if (packed == null || !packed.read(in, tally)) {
            plan.run(in, slots);
            if (subjects != null) {
                slots[Tally.STACK] = subjects.number(slots[Tally.STACK], slots[Tally.EVENTS]);
            }
            tally.add(slots);
        }
    }

    /**
     * Enters all sums.
     *
     * @param meaning this reader's kind as it is meant in the chunk, with as many measures
     * @param intervalNanos of this kind's sampling, 0 if unknown
     */
    void enter(
            EventKind meaning,
            StackTraces stacks,
            Names names,
            ProfileBuilder builder,
            Chunk chunk,
            long intervalNanos,
            Counts counts) {
        List<Target> targets = targets(meaning, builder, intervalNanos);
        long truncated = 0;
        long undecodable = 0;
        long[] noteSums = new long[fields.size()];
        for (int row = 0; row < tally.capacity(); row++) {
            long events = tally.cell(row, Tally.EVENTS);
            if (events == 0) {
                continue;
            }
            for (int i = Tally.FIRST_SUM; i < noteSums.length; i++) {
                noteSums[i] += tally.cell(row, i);
            }
            if (targets.isEmpty()) {
                continue;
            }
            long stack = tally.cell(row, Tally.STACK);
            long threadId = tally.cell(row, Tally.THREAD);
            if (threadId == Tally.PACKED && packed != null) {
                threadId = packed.thread(stack);
                stack = packed.stack(stack);
            }
            long subject = 0;
            if (subjects != null) {
                subject = subjects.type(stack);
                stack = subjects.stack(stack);
            }
            int node;
            if (stack == 0) {
                node = stacks.noStack();
            } else if (!stacks.has(stack)) {
                node = stacks.noStack();
                undecodable += events;
            } else {
                node = stacks.node(stack);
                if (node < 0) {
                    node = ~node;
                    truncated += events;
                }
            }
            if (subject != 0) {
                node = builder.child(node, names.type(subject), Site.NONE);
            }
            int thread = names.thread(threadId);
            for (Target target : targets) {
                target.column.add(node, thread, target.amount(tally.cell(row, target.cell), chunk));
            }
        }
        counts.add(Provenance.TRUNCATED, truncated);
        if (undecodable > 0) {
            counts.add(EventKind.about(Provenance.UNDECODABLE, meaning.occurrences()), undecodable);
        }
        for (Map.Entry<String, String> note : kind.notes().entrySet()) {
            int cell = fields.indexOf(note.getKey());
            if (cell >= 0) {
                counts.add(note.getValue(), Math.max(0, noteSums[cell]));
            }
        }
    }

    /** A column, and the cell of the tally whose sums it takes. */
    private record Target(ColumnBuilder column, int cell, Unit unit, long intervalNanos) {

        long amount(long sum, Chunk chunk) {
            return intervalNanos > 0 ? Unit.multiply(sum, intervalNanos) : unit.stored(sum, chunk);
        }
    }

    private List<Target> targets(EventKind meaning, ProfileBuilder builder, long intervalNanos) {
        List<Target> targets = new ArrayList<>();
        for (int i = 0; i < units.size(); i++) {
            Measure measure = meaning.measures().get(i);
            boolean interval = measure.origin() == Origin.INTERVAL;
            if (interval && intervalNanos <= 0) {
                continue;
            }
            int cell = measure.field().isEmpty() ? Tally.EVENTS : fields.indexOf(measure.field());
            if (cell >= 0) {
                targets.add(
                        new Target(
                                builder.column(measure.resource()),
                                cell,
                                units.get(i),
                                interval ? intervalNanos : 0));
            }
        }
        return targets;
    }

    private Unit unit(Measure measure) {
        Metadata.Field field = type.field(measure.field());
        return field == null ? Unit.PLAIN : Unit.of(metadata, field);
    }
}
