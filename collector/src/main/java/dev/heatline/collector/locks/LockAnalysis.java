package dev.heatline.collector.locks;

import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.wire.LockTrace;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.Function;

/**
 * Who kept whom waiting, from a lock trace that a JVM is still writing or that was kept. Memory is
 * bounded by the locks that are contended and by those who wait, not by the length of the trace.
 */
public final class LockAnalysis implements AutoCloseable {

    /** Events of a trace that never came: there was no room for them. */
    public static final String LOST_EVENTS = "lock events lost";

    /** Waits that were not followed because there were too many at once. */
    public static final String UNFOLLOWED = "lock waits not followed";

    /**
     * How many classes leave locks unseen because they could not be changed. A fact and no count:
     * it holds for every interval of a JVM, and adding it up says nothing.
     */
    public static final String UNTOLD_CLASSES = "classes not traced";

    /**
     * How many classes could not be given their own code back when tracing ended; their hooks do
     * nothing any more. A fact, likewise.
     */
    public static final String UNRESTORED_CLASSES = "classes not restored";

    private final TraceNames names;
    private final ContentionSink sink;
    private final TraceReader reader;
    private final EventOrder order;
    private final Instant start;
    private long lastNanos;

    /** When the trace was looked at last: what came before the time before that is known by now. */
    private long lookedAt;

    private long allKnownUntil;
    private boolean neglected;
    private boolean ended;
    private long lostBefore;
    private long unfollowedBefore;
    private Instant from;

    private LockAnalysis(TraceNames names, Function<TraceNames, TraceReader> open) {
        this.names = names;
        reader = open.apply(names);
        start = reader.start();
        sink = new ContentionSink(names, start);
        order =
                new EventOrder(
                        new ParkReplay(names, sink), lock -> new MonitorReplay(lock, names, sink));
        from = start;
    }

    /**
     * Of the trace that a JVM is writing.
     *
     * @throws dev.heatline.formats.FormatException if this is none
     */
    public static LockAnalysis live(Path trace) {
        return new LockAnalysis(new TraceNames(), names -> TraceReader.live(trace, names));
    }

    /** Of a trace that was kept; likewise. */
    public static LockAnalysis kept(Path trace) {
        // All that is described comes first, and none of it may be forgotten.
        return new LockAnalysis(
                new TraceNames(Long.MAX_VALUE), names -> TraceReader.kept(trace, names));
    }

    /** Keeps the trace, for {@link #kept}. */
    public void keepIn(Path copy) {
        reader.keepIn(copy);
    }

    /** Takes what is new in the trace, and tells the tracer that somebody does. */
    public void look() {
        neglected |= hasBeenSilent();
        reader.beat(System.nanoTime());
        allKnownUntil = lookedAt;
        lookedAt = reader.now();
        reader.read(
                event -> {
                    lastNanos = Math.max(lastNanos, event.nanos());
                    order.add(event);
                });
        order.looked(lookedAt);
        if (!reader.isKept()) {
            names.forgetOld();
        }
    }

    /**
     * Nothing more comes: whoever still waits has waited until now, or until a trace was kept; of
     * one that was never finished, until its last event. Where one was cut off, those who still
     * wait are left out: the end of it may be in what is missing.
     */
    public void end() {
        look();
        if (reader.lacksBlocks()) {
            order.breakOff(lastNanos);
            ended = true;
        } else {
            end(reader.isCutOff() ? lastNanos : lookedAt);
        }
    }

    /**
     * Nothing more comes, since the JVM has ended or the tracer in it: whoever still waits has
     * waited until somebody looked when it was still there.
     */
    public void endAtLastLook() {
        look();
        end(allKnownUntil);
        // A trace that is kept ends there, too.
        reader.beat(reader.counter(LockTrace.START_MONOTONIC) + lastNanos);
    }

    private void end(long nanos) {
        lastNanos = Math.max(lastNanos, nanos);
        order.end(lastNanos);
        ended = true;
    }

    /** Whether a file begins as a lock trace does. */
    public static boolean isTrace(Path file) {
        return TraceReader.isTrace(file);
    }

    /** Whether the file ends before it should. */
    public boolean isCutOff() {
        return reader.isCutOff();
    }

    /** Whether the tracer is still at work. */
    public boolean isOn() {
        return reader.isOn();
    }

    /**
     * Whether the tracer had ended, since nobody looked for too long, when somebody looked again.
     */
    public boolean isNeglected() {
        return neglected;
    }

    private boolean hasBeenSilent() {
        long end = reader.counter(LockTrace.END_MONOTONIC);
        long silentNanos = end - reader.counter(LockTrace.HEARTBEAT);
        // Its watch looks once a second.
        return end != 0
                && silentNanos >= (LockTrace.READER_LOST_SECONDS - 1) * Resource.NANOS_PER_SECOND;
    }

    /** How often somebody was kept waiting so far. */
    public long contentions() {
        return sink.count();
    }

    /** How many bytes that took in the trace. */
    public long bytes() {
        return reader.bytesRead();
    }

    /** CPU time that tracing took in the application's threads. */
    public long tracerNanos() {
        return reader.counter(LockTrace.TRACER_NANOS);
    }

    /**
     * Contexts, names and values: what is held until it is taken, and call chains. The rest is
     * bounded.
     */
    public long size() {
        return sink.size() + names.sizeOfChains();
    }

    /** Forgets half of the call chains, unless they are few. They are unknown from then on. */
    public void forgetChains() {
        names.forgetChains();
    }

    /**
     * The contentions since the last time. Of those who still wait it has what they have waited so
     * far; the rest is in the next, which counts them.
     */
    public Profile take() {
        if (!ended && !reader.isKept()) {
            order.cut(allKnownUntil);
        }
        Instant until = start.plusNanos(lastNanos);
        Provenance provenance =
                Provenance.NONE
                        .withFact(Provenance.COLLECTOR, Provenance.LOCK_TRACER)
                        .covering(nanos(from), nanos(until.isAfter(from) ? until : from));
        long lost = lost();
        long unfollowed = reader.counter(LockTrace.UNFOLLOWED);
        provenance =
                provenance
                        .plusCount(LOST_EVENTS, lost - lostBefore)
                        .plusCount(UNFOLLOWED, unfollowed - unfollowedBefore);
        provenance = withClasses(provenance, UNTOLD_CLASSES, LockTrace.CLASSES_SKIPPED);
        provenance = withClasses(provenance, UNRESTORED_CLASSES, LockTrace.CLASSES_NOT_RESTORED);
        lostBefore = lost;
        unfollowedBefore = unfollowed;
        from = until;
        return sink.take(provenance);
    }

    private Provenance withClasses(Provenance provenance, String what, int counter) {
        long classes = reader.counter(counter);
        return classes == 0 ? provenance : provenance.withFact(what, String.valueOf(classes));
    }

    /**
     * How many events never came so far. One that was dropped is counted by the tracer, and leaves
     * a gap in the order of the others: that is the same one.
     */
    private long lost() {
        return Math.max(reader.counter(LockTrace.DROPPED), order.missing());
    }

    private static long nanos(Instant time) {
        return Math.addExact(
                Math.multiplyExact(time.getEpochSecond(), 1_000_000_000L), time.getNano());
    }

    @Override
    public void close() {
        reader.close();
    }
}
