package dev.heatline.agent;

import dev.heatline.wire.DiskRoom;
import java.util.Map;

/**
 * Records while there is room on disk: looks once a second, and allocates only when that changes.
 */
final class RoomWatch implements Runnable {
    private static final String THREAD = "Heatline";
    private static final long LOOK_MILLIS = 1_000;

    private final Recorder recorder;
    private final DiskRoom room;
    private final Start start;

    /** What is recorded, or is to be when there is room. */
    private Map<String, String> settings;

    private boolean on;
    private boolean failed;

    private RoomWatch(Recorder recorder, Start start) {
        this.recorder = recorder;
        this.start = start;
        this.room = new DiskRoom(recorder.disk());
        this.settings = recorder.events();
    }

    /** Begins to record now if there is room, and as soon as there is otherwise. */
    static void begin(Recorder recorder, Start start) {
        RoomWatch watch = new RoomWatch(recorder, start);
        if (watch.room.isEnough()) {
            watch.record();
        } else {
            start.isNotRecorded(watch.room.shortage());
        }
        Thread thread = new Thread(systemGroup(), watch, THREAD, 0, false);
        thread.setContextClassLoader(null);
        thread.setDaemon(true);
        thread.start();
    }

    /** Where an application does not look for its own threads. */
    private static ThreadGroup systemGroup() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }

    @Override
    public void run() {
        try {
            while (true) {
                Thread.sleep(LOOK_MILLIS);
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        try {
            if (room.isLow()) {
                suspend();
            } else if (!on && room.isEnough()) {
                record();
            }
        } catch (RuntimeException | LinkageError e) {
            // It may go better in a second: without a collector nobody else watches the room.
            if (!failed) {
                failed = true;
                start.isNotRecorded("the flight recorder does not do as told: " + e);
            }
        }
    }

    /** Whoever started it: a collector that has just done so may not have looked. */
    private void suspend() {
        Map<String, String> stopped = recorder.stop();
        // Otherwise somebody has stopped it before, and starts it again.
        if (!stopped.isEmpty()) {
            settings = stopped;
            on = false;
            failed = false;
            start.isNotRecorded(room.shortage());
        }
    }

    private void record() {
        long since = System.currentTimeMillis();
        // A collector may have been quicker.
        if (!Recorder.isOn()) {
            recorder.start(settings, room);
        }
        on = true;
        failed = false;
        start.isRecorded(settings, since);
    }
}
