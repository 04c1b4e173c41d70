package dev.heatline.collector;

import dev.heatline.collector.spool.Entry;
import dev.heatline.collector.spool.Once;
import dev.heatline.collector.spool.Spool;
import dev.heatline.collector.spool.SpoolException;
import dev.heatline.collector.threads.ThreadUse;
import dev.heatline.formats.jfr.LiveInterval;
import dev.heatline.formats.jfr.LiveRecording;
import dev.heatline.formats.jfr.LiveRecording.Position;
import dev.heatline.model.Execution;
import dev.heatline.model.GeneratedNames;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.wire.ProcessKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Turns what is read of one source into profiles in the spool. While the spool cannot take one,
 * that profile waits and the next interval goes on until memory is full; what is not read then is
 * still on disk. The position in the spool does not move meanwhile, so even the death of the
 * collector loses nothing that the JVM has not deleted.
 */
final class IntervalWriter implements AutoCloseable {
    /** What each thread really had of the CPUs, as the kernel tells it. */
    private static final Resource CORRECTED = Resource.seconds("corrected", "looks");

    /** What a hypervisor stole of each. */
    private static final Resource STEAL = Resource.seconds("steal", "looks");

    /** Recordings of the deepest stacks say a calling context in so little. */
    private static final int BYTES_PER_CONTEXT = 8;

    private final Spool spool;
    private final Memory memory;
    private final String source;
    private final ProcessKey process;
    private final Execution execution;
    private final CallTimes callTimes;
    private final Once remarks;

    /** Not left to the server, which would name generated classes again for every JVM. */
    private LiveInterval interval = new LiveInterval(GeneratedNames::normalise);

    private CostMeter.Cost cost = CostMeter.Cost.UNKNOWN;

    /** What was seen of the same time in other ways. */
    private final List<Profile> more = new ArrayList<>();

    /** What the spool could not take. */
    private @Nullable Waiting waiting;

    /** What of the memory is held here: by the interval, and by what waits. */
    private long intervalSize;

    private long waitingSize;

    private record Waiting(Entry entry, Profile profile) {}

    /** Whether all was read that there will ever be, and whether the spool knows. */
    private boolean ended;

    private boolean endIsKept;

    /** Whether something is known to be missing. */
    private boolean lost;

    /** From when on, until that is kept; null otherwise. */
    private @Nullable Instant lostSince;

    /**
     * @param process whose recording the source is
     * @param callTimes when calls were measured in it
     */
    IntervalWriter(
            Spool spool,
            Memory memory,
            String source,
            ProcessKey process,
            Execution execution,
            CallTimes callTimes,
            Consumer<String> say) {
        this.spool = spool;
        this.memory = memory;
        this.source = source;
        this.process = process;
        this.execution = execution;
        this.callTimes = callTimes;
        this.remarks = new Once(say);
    }

    /**
     * Keeps where reading begins, unless it has already begun: if the JVM and the collector die
     * before the first interval ends, it is read by the next collector.
     */
    void begin(Position position) {
        try {
            Instant now = Instant.now();
            spool.begin(entry(now, now, position));
        } catch (SpoolException e) {
            remarks.say(String.valueOf(e.getMessage()));
        }
    }

    private Entry entry(Instant from, Instant until, Position position) {
        return new Entry(
                UUID.randomUUID().toString(),
                execution,
                from,
                until,
                source,
                new Mark(position, process, ended).written());
    }

    /**
     * Reads what was flushed, chunk by chunk: after a pause, more may wait there than memory holds.
     *
     * @return whether that is all; otherwise the interval has to end before more is read
     */
    boolean read(LiveRecording live) {
        if (isBlocked() && memory.isFull()) {
            return false;
        }
        boolean more = true;
        while (more) {
            if (!isEmpty() && memory.isFullWith(live.unreadBytes() / BYTES_PER_CONTEXT)) {
                return false;
            }
            long until = live.position().untilNanos();
            more = live.readChunk(interval);
            long size = interval.size();
            memory.add(size - intervalSize);
            intervalSize = size;
            // When the clock was put back, one interval cannot cover both times.
            boolean enough = memory.isFull() || live.position().untilNanos() < until;
            if (enough && !isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** Adds to this interval what was seen in another way. */
    void add(Profile seen) {
        more.add(seen);
    }

    /**
     * What is kept next is the last: the JVM has ended, and all that it left was read. The spool is
     * told even if nothing was left, so that nobody looks for more.
     */
    void end() {
        ended = true;
    }

    /**
     * Counts that the JVM has deleted what it recorded after this moment.
     *
     * @return whether that was not known
     */
    boolean lose(Instant since) {
        if (lost) {
            return false;
        }
        lost = true;
        interval.count(LiveRecording.LOST_CHUNKS, 1);
        lostSince = since;
        return true;
    }

    private boolean isEmpty() {
        return interval.provenance().from().isEmpty();
    }

    /** Whether the spool did not take the last profile. */
    boolean isBlocked() {
        return waiting != null;
    }

    /**
     * Ends the interval and makes a profile of it, if anything was read.
     *
     * @param position of the source behind it
     * @param spent since the last call
     * @param reduction what was not recorded to save cost; empty if nothing
     * @return whether all that was read is in the spool
     */
    boolean keep(Position position, CostMeter.Cost spent, String reduction) {
        cost = cost.plus(spent);
        if (!isAppended()) {
            return false;
        }
        boolean nothing = isEmpty() && more.stream().allMatch(seen -> seen.columns().isEmpty());
        if (nothing && lostSince == null && !isEndToBeKept(position)) {
            return true;
        }
        Provenance read = interval.provenance();
        if (isEmpty()) {
            // A JVM that was killed may have flushed nothing more.
            read = more.stream().map(Profile::provenance).reduce(read, Provenance::merge);
        }
        Instant from = read.from().orElseGet(() -> reached(position));
        Instant until = read.until().orElse(from);
        Entry entry = entry(from, until.isAfter(from) ? until : from.plusMillis(1), position);
        for (ThreadUse thread : cost.taken().threads()) {
            interval.addThread(thread.tid(), thread.name(), CORRECTED, thread.correctedNanos());
            interval.addThread(thread.tid(), thread.name(), STEAL, thread.stealNanos());
        }
        long measured = callTimes.seconds(process, from, until);
        while (!more.isEmpty()) {
            interval.add(more.removeFirst());
        }
        waiting =
                new Waiting(
                        entry,
                        interval.build(
                                known(reduction)
                                        .plusCount(Provenance.CALLS_MEASURED_SECONDS, measured)));
        waitingSize = intervalSize;
        intervalSize = 0;
        interval = new LiveInterval(GeneratedNames::normalise);
        cost = CostMeter.Cost.UNKNOWN;
        endIsKept = ended;
        lostSince = null;
        return isAppended();
    }

    /** Where nothing was ever read, the spool forgets without being told. */
    private boolean isEndToBeKept(Position position) {
        return ended && !endIsKept && !position.isBeforeFirst();
    }

    /** Where the next profile begins if nothing was read. */
    private Instant reached(Position position) {
        return lostSince == null ? Instant.EPOCH.plusNanos(position.untilNanos()) : lostSince;
    }

    /** Tries to get rid of what waits. */
    private boolean isAppended() {
        if (waiting == null) {
            return true;
        }
        try {
            spool.append(waiting.entry(), waiting.profile());
        } catch (SpoolException e) {
            remarks.say(String.valueOf(e.getMessage()));
            return false;
        }
        waiting = null;
        memory.add(-waitingSize);
        waitingSize = 0;
        remarks.over("profiles can be kept again");
        return true;
    }

    /** What is known of every profile of an execution. */
    static Provenance known(Execution execution) {
        Provenance known =
                Provenance.NONE
                        .withFact(Provenance.APPLICATION, execution.application())
                        .withFact(Provenance.INSTANCE, execution.instance());
        return execution.version().isEmpty()
                ? known
                : known.withFact(Provenance.VERSION, execution.version());
    }

    private Provenance known(String reduction) {
        Provenance known = known(execution);
        if (!reduction.isEmpty()) {
            known = known.withFact(Provenance.REDUCED, reduction);
        }
        return cost.isKnown() ? withCost(known) : known;
    }

    private Provenance withCost(Provenance known) {
        ThreadUse threads = cost.taken().all();
        return known.plusCount(Provenance.PROFILING_MICROS, cost.profilingNanos() / 1_000)
                .plusCount(Provenance.PROFILING_BYTES, cost.profilingBytes())
                .plusCount(Provenance.PROFILED_MICROS, cost.jvmNanos() / 1_000)
                .plusCount(Provenance.STEAL_MICROS, threads.stealNanos() / 1_000)
                .plusCount(Provenance.CORRECTED_MICROS, threads.correctedNanos() / 1_000)
                .plusCount(Provenance.RUN_QUEUE_MICROS, threads.runQueueNanos() / 1_000)
                .plusCount(Provenance.THROTTLED_MICROS, cost.taken().throttledNanos() / 1_000);
    }

    /** Gives back its memory; what is not kept is read again by the next collector, if it can. */
    @Override
    public void close() {
        memory.add(-intervalSize - waitingSize);
    }
}
