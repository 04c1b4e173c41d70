package dev.heatline.agent.calls;

import dev.heatline.agent.RefusedException;
import dev.heatline.agent.boot.CallHooks;
import dev.heatline.wire.CallRequest;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The thread of a measurement: changes classes as they are reached, writes down what was measured
 * once a second, and ends everything when nobody reads any more.
 */
final class Measuring {
    private static final String THREAD = "heatline calls";
    private static final long SNAPSHOT_NANOS = 1_000_000_000L;
    private static final long CALIBRATION_NANOS = 10_000_000_000L;
    private static final long LOOK_MILLIS = 100;
    private static final long READER_LOST_MILLIS = 15_000;

    private final Path folder;
    private final Measurement measurement;
    private final Thread thread;
    private volatile boolean on = true;

    private Measuring(Path folder, Measurement measurement) {
        this.folder = folder;
        this.measurement = measurement;
        this.thread = new Thread(this::run, THREAD);
    }

    static Measuring start(Path folder, CallRequest request, Instrumentation instrumentation)
            throws RefusedException, IOException {
        Measurement.tryOut(instrumentation);
        Measurement measurement = new Measurement(request, instrumentation);
        Measuring measuring = new Measuring(folder, measurement);
        // What needs the thread may come as soon as the first class is changed.
        measuring.thread.setDaemon(true);
        measuring.thread.start();
        boolean begun = false;
        try {
            measurement.begin();
            measurement.snapshot().write(folder);
            begun = true;
            return measuring;
        } finally {
            if (!begun) {
                measuring.on = false;
                CallHooks.clear();
            }
        }
    }

    boolean isOn() {
        return on;
    }

    Path folder() {
        return folder;
    }

    /** Ends the measurement and writes down what was measured to its end. */
    void stop() throws RefusedException {
        if (on) {
            on = false;
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            end();
        }
    }

    private void end() throws RefusedException {
        measurement.end();
        try {
            measurement.snapshot().write(folder);
        } catch (IOException e) {
            throw new RefusedException("what was measured cannot be written: " + e.getMessage());
        } finally {
            CallHooks.clear();
        }
    }

    private void run() {
        try {
            long snapshot = System.nanoTime();
            long calibration = snapshot;
            while (on) {
                measurement.changeReached(LOOK_MILLIS);
                long now = System.nanoTime();
                if (on && now - snapshot >= SNAPSHOT_NANOS) {
                    snapshot = now;
                    measurement.snapshot().write(folder);
                    if (isReaderLost()) {
                        on = false;
                        end();
                    }
                }
                if (on && now - calibration >= CALIBRATION_NANOS) {
                    calibration = now;
                    measurement.calibrate();
                }
            }
        } catch (InterruptedException | IOException | RefusedException e) {
            // Nobody reads it, or there is no room for it: nothing is left to be measured for.
            if (on) {
                on = false;
                measurement.end();
                CallHooks.clear();
            }
        }
    }

    private boolean isReaderLost() throws IOException {
        Path alive = folder.resolve(CallRequest.ALIVE);
        return !Files.exists(alive)
                || System.currentTimeMillis() - Files.getLastModifiedTime(alive).toMillis()
                        > READER_LOST_MILLIS;
    }
}
