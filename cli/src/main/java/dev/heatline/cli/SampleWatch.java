package dev.heatline.cli;

import dev.heatline.collector.jvm.FlightRecorder;
import dev.heatline.collector.jvm.FlightRecording;
import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.JvmException;
import dev.heatline.formats.jfr.LiveInterval;
import dev.heatline.formats.jfr.LiveRecording;
import dev.heatline.formats.jfr.LiveRecording.Position;
import dev.heatline.model.Profile;
import dev.heatline.wire.DiskRoom;
import dev.heatline.wire.RecordingSettings;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;

/** What the flight recorder of a JVM samples, from when this is made until it is stopped. */
final class SampleWatch implements Watch {
    private final Jvm jvm;
    private final LiveRecording live;
    private final DiskRoom room;
    private final LiveInterval interval = new LiveInterval();
    private boolean on = true;

    private SampleWatch(Jvm jvm, LiveRecording live, DiskRoom room) {
        this.jvm = jvm;
        this.live = live;
        this.room = room;
    }

    /**
     * Begins to record.
     *
     * @param events names of the events that are wanted, of those that the JVM can record
     * @throws dev.heatline.collector.jvm.JvmException if that is not possible; says why
     */
    static SampleWatch start(Jvm jvm, RecordingSettings settings, Set<String> events) {
        Instant now = Instant.now();
        FlightRecording recording = FlightRecorder.start(jvm, settings);
        // Others may have the recorder write what this JVM does not record for us.
        Set<String> ours = new TreeSet<>(events);
        ours.retainAll(recording.events());
        long nanos = now.getEpochSecond() * 1_000_000_000 + now.getNano();
        try {
            return new SampleWatch(
                    jvm,
                    new LiveRecording(recording.repository(), ours, Position.since(nanos)),
                    new DiskRoom(recording.repository().resolveSibling("").toFile()));
        } catch (RuntimeException e) {
            stopAfter(e, jvm);
            throw e;
        }
    }

    /** What cannot be followed is not left running. */
    private static void stopAfter(RuntimeException failure, Jvm jvm) {
        try {
            FlightRecorder.stop(jvm);
        } catch (JvmException e) {
            failure.addSuppressed(e);
        }
    }

    @Override
    public void look() {
        live.read(interval);
        if (on && room.isLow()) {
            throw new CommandException(jvm + " " + room.shortage());
        }
    }

    /** What was flushed is read first: a JVM deletes what nobody records any more. */
    @Override
    public void stop() {
        live.read(interval);
        if (on && jvm.process().isAlive()) {
            on = false;
            FlightRecorder.stop(jvm);
        }
        live.read(interval);
    }

    @Override
    public Profile take() {
        return interval.build();
    }

    @Override
    public void close() {
        try (live) {
            stop();
        }
    }
}
