package dev.heatline.formats.jfr;

import dev.heatline.formats.jfr.EventKind.Measure;
import dev.heatline.formats.jfr.EventKind.Origin;
import dev.heatline.model.ColumnBuilder;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.RowSeconds;
import dev.heatline.model.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Adds up the events of one type in one chunk, and then enters the sums into the tree. */
final class EventReader {

    /** In how many seconds of a chunk events are told apart; those of later ones are not. */
    private static final int MOST_SECONDS = RowSeconds.MOST_PER_ROW;

    private final EventKind kind;
    private final Metadata metadata;
    private final Metadata.Type type;
    private final Plan plan;
    private final @Nullable PackedFields packed;

    /** Null if nobody asked for classes, or these events are about none. */
    private final @Nullable Subjects subjects;

    /** The sums of events of which nobody wants to know the second, or can. */
    private final Tally timeless;

    /** The sums of the others by second; null if nobody wants to know it. */
    private final @Nullable Map<Long, Tally> bySecond;

    /** The one of these that the last event belongs to. */
    private Tally tally;

    private final long[] slots;

    /** Null if it cannot be said in which seconds these events and what they stand for were. */
    private final @Nullable SecondCounter seconds;

    /** Null if what these events tell does not reach back before the chunk. */
    private final @Nullable FirstSamples firsts;

    /** The field behind each slot; the first ones are those of {@link Tally}. */
    private final List<String> fields = new ArrayList<>();

    /** The unit of each measure of the kind. */
    private final List<Unit> units = new ArrayList<>();

    EventReader(EventKind kind, Metadata metadata, Metadata.Type type, Requests requests) {
        this.kind = kind;
        this.metadata = metadata;
        this.type = type;
        fields.add("stackTrace");
        fields.add(type.field("sampledThread") != null ? "sampledThread" : "eventThread");
        fields.add(requests.classes() ? Subjects.field(metadata, type) : "");
        subjects = fields.get(Tally.EVENTS).isEmpty() ? null : new Subjects();
        kind.measures().forEach(measure -> addField(measure.field()));
        kind.notes().keySet().forEach(this::addField);
        plan = metadata.planUpTo(type, fields);
        packed = subjects == null ? PackedFields.of(plan) : null;
        kind.measures().forEach(measure -> units.add(unit(measure)));
        slots = new long[fields.size()];
        firsts =
                kind.event().equals(FirstSamples.EVENT) && fields.contains(FirstSamples.WEIGHT)
                        ? new FirstSamples(fields.indexOf(FirstSamples.WEIGHT))
                        : null;
        timeless = newTally();
        tally = timeless;
        seconds = kind.isOfMoments() && startsWithTime(metadata, type) ? new SecondCounter() : null;
        bySecond = seconds != null && requests.seconds() ? new TreeMap<>() : null;
    }

    private Tally newTally() {
        return new Tally(fields.size() - Tally.FIRST_SUM);
    }

    private static boolean startsWithTime(Metadata metadata, Metadata.Type type) {
        if (type.fields().isEmpty()) {
            return false;
        }
        Metadata.Field first = type.fields().getFirst();
        return first.name().equals("startTime")
                && Unit.isSummable(metadata, first)
                && metadata.type(first.type()).name().equals("long");
    }

    private void addField(String name) {
        if (!fields.contains(name) && Unit.isSummable(metadata, type.field(name))) {
            fields.add(name);
        }
    }

    boolean hasEvents() {
        return !timeless.isEmpty() || !(bySecond == null || bySecond.isEmpty());
    }

    /** Forgets the last chunk. */
    void reset() {
        resetSums();
        if (firsts != null) {
            firsts.clear();
        }
    }

    /** Forgets all sums. */
    void resetSums() {
        timeless.clear();
        tally = timeless;
        if (bySecond != null) {
            bySecond.clear();
        }
        if (seconds != null) {
            seconds.clear();
        }
        if (subjects != null) {
            subjects.clear();
        }
        if (firsts != null) {
            firsts.clearPending();
        }
    }

    EventKind kind() {
        return kind;
    }

    Metadata.Type type() {
        return type;
    }

    /** Adds the event whose fields start where the cursor stands. */
    void read(Cursor in, Chunk chunk) {
        if (seconds != null && seconds.add(in.peekLong(), chunk) && bySecond != null) {
            tally = tallyOf(seconds.second(), bySecond);
        }
        if (packed == null || !packed.read(in, tally)) {
            plan.run(in, slots);
            if (subjects != null) {
                slots[Tally.STACK] = subjects.number(slots[Tally.STACK], slots[Tally.EVENTS]);
            }
            tally.add(slots);
            if (firsts != null) {
                firsts.add(slots[Tally.THREAD], tally, slots);
            }
        } else if (firsts != null) {
            firsts.add(packed.thread(packed.key()), tally, packed.key(), packed.amount());
        }
    }

    /** Passes over an event whose sums were entered by an earlier reader of this chunk. */
    void pass(Cursor in) {
        if (firsts != null) {
            plan.run(in, slots);
            firsts.pass(slots[Tally.THREAD]);
        }
    }

    /** Takes from the sums what belongs to the time before the chunk. */
    void leaveOut(AllocatedBefore allocatedBefore) {
        if (firsts != null) {
            firsts.leaveOut(allocatedBefore);
        }
    }

    private Tally tallyOf(long second, Map<Long, Tally> tallies) {
        Tally known = tallies.get(second);
        if (known == null && tallies.size() < MOST_SECONDS) {
            known = newTally();
            tallies.put(second, known);
        }
        return known == null ? timeless : known;
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
        Entry entry = new Entry(targets, stacks, names, builder, chunk);
        entry.enter(timeless, null);
        if (bySecond != null) {
            bySecond.forEach((second, sums) -> entry.enter(sums, second));
        }
        if (seconds != null && !targets.isEmpty()) {
            counts.add(meaning.occurrences(), seconds.moments());
        }
        counts.add(Provenance.TRUNCATED, entry.truncated);
        if (entry.undecodable > 0) {
            counts.add(
                    EventKind.about(Provenance.UNDECODABLE, meaning.occurrences()),
                    entry.undecodable);
        }
        for (Map.Entry<String, String> note : kind.notes().entrySet()) {
            int cell = fields.indexOf(note.getKey());
            if (cell >= 0) {
                counts.add(note.getValue(), Math.max(0, entry.noteSums[cell]));
            }
        }
    }

    /** Enters tallies into a tree. */
    private final class Entry {
        private final List<Target> targets;
        private final StackTraces stacks;
        private final Names names;
        private final ProfileBuilder builder;
        private final Chunk chunk;
        private final long[] noteSums = new long[fields.size()];
        private long truncated;
        private long undecodable;

        private Entry(
                List<Target> targets,
                StackTraces stacks,
                Names names,
                ProfileBuilder builder,
                Chunk chunk) {
            this.targets = targets;
            this.stacks = stacks;
            this.names = names;
            this.builder = builder;
            this.chunk = chunk;
        }

        /**
         * @param second that its events were in; null if that is not known
         */
        void enter(Tally sums, @Nullable Long second) {
            for (int row = 0; row < sums.capacity(); row++) {
                if (sums.cell(row, Tally.EVENTS) > 0) {
                    for (int i = Tally.FIRST_SUM; i < noteSums.length; i++) {
                        noteSums[i] += sums.cell(row, i);
                    }
                    if (!targets.isEmpty()) {
                        enter(sums, row, second);
                    }
                }
            }
        }

        private void enter(Tally sums, int row, @Nullable Long second) {
            long stack = sums.cell(row, Tally.STACK);
            long threadId = sums.cell(row, Tally.THREAD);
            if (threadId == Tally.PACKED && packed != null) {
                threadId = packed.thread(stack);
                stack = packed.stack(stack);
            }
            long subject = 0;
            if (subjects != null) {
                subject = subjects.type(stack);
                stack = subjects.stack(stack);
            }
            int node = node(stack, sums.cell(row, Tally.EVENTS));
            if (subject != 0) {
                node = builder.child(node, names.type(subject), Site.NONE);
            }
            int thread = names.thread(threadId);
            for (Target target : targets) {
                long amount = target.amount(sums.cell(row, target.cell), chunk);
                if (second != null && target.countsEvents()) {
                    target.column.add(node, thread, amount, second);
                } else {
                    target.column.add(node, thread, amount);
                }
            }
        }

        private int node(long stack, long events) {
            if (stack == 0) {
                return stacks.noStack();
            }
            if (!stacks.has(stack)) {
                undecodable += events;
                return stacks.noStack();
            }
            int node = stacks.node(stack);
            truncated += node < 0 ? events : 0;
            return node < 0 ? ~node : node;
        }
    }

    /** A column, and the cell of the tally whose sums it takes. */
    private record Target(ColumnBuilder column, int cell, Unit unit, long intervalNanos) {

        boolean countsEvents() {
            return cell == Tally.EVENTS && intervalNanos == 0;
        }

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
