package dev.heatline.collector.locks;

import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
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

    /** Classes whose owners cannot be told, because they could not be changed. */
    public static final String UNTOLD_CLASSES = "classes not traced";

    private static final String COLLECTOR = "heatline locks";

    private final TraceNames names = new TraceNames();
    private final ContentionSink sink = new ContentionSink(names);
    private final TraceReader reader;
    private final EventOrder order;
    private final Instant start;
    private long lastNanos;
    private long droppedBefore;
    private long missingBefore;
    private Instant from;

    private LockAnalysis(Function<TraceNames, TraceReader> open) {
        reader = open.apply(names);
        order =
                new EventOrder(
                        new ParkReplay(names, sink), lock -> new MonitorReplay(lock, names, sink));
        start = reader.start();
        from = start;
    }

    /**
     * Of the trace that a JVM is writing.
     *
     * @throws dev.heatline.formats.FormatException if this is none
     */
    public static LockAnalysis live(Path trace) {
        return new LockAnalysis(names -> TraceReader.live(trace, names));
    }

    /** Of a trace that was kept; likewise. */
    public static LockAnalysis kept(Path trace) {
        return new LockAnalysis(names -> TraceReader.kept(trace, names));
    }

    /** Keeps the trace, for {@link #kept}. */
    public void keepIn(Path copy) {
        reader.keepIn(copy);
    }

    /** Takes what is new in the trace, and tells the tracer that somebody does. */
    public void look() {
        reader.beat(System.nanoTime());
        reader.read(
                event -> {
                    lastNanos = Math.max(lastNanos, event.nanos());
                    order.add(event);
                });
        order.looked();
    }

    /** Nothing more comes: whoever still waits has waited until now, or until a kept trace ends. */
    public void end() {
        look();
        if (!reader.isKept()) {
            long now = System.nanoTime() - reader.counter(LockTrace.START_MONOTONIC);
            lastNanos = Math.max(lastNanos, now);
        }
        order.end(lastNanos);
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

    /** The contentions that ended since the last time. */
    public Profile take() {
        Instant until = start.plusNanos(lastNanos);
        long dropped = reader.counter(LockTrace.DROPPED);
        Provenance provenance =
                Provenance.NONE
                        .withFact(Provenance.COLLECTOR, COLLECTOR)
                        .covering(nanos(from), nanos(until.isAfter(from) ? until : from))
                        .plusCount(
                                LOST_EVENTS,
                                dropped - droppedBefore + order.missing() - missingBefore)
                        .plusCount(UNTOLD_CLASSES, reader.counter(LockTrace.CLASSES_SKIPPED));
        droppedBefore = dropped;
        missingBefore = order.missing();
        from = until;
        return sink.take(provenance);
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
