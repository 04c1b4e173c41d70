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

    /** 0 until everything is changed that is changed at first. */
    private volatile long begunMillis;

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
            measuring.begunMillis = System.currentTimeMillis();
            begun = true;
            return measuring;
        } finally {
            if (!begun) {
                measuring.on = false;
                measuring.awaitEnd();
                measuring.takeBack();
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
            awaitEnd();
            end();
        }
    }

    /** Waits until one that is not on any more has taken everything back. */
    void awaitEnd() {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
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

    private void takeBack() {
        measurement.end();
        CallHooks.clear();
    }

    private void run() {
        try {
            long snapshot = System.nanoTime();
            long calibration = snapshot;
            while (on) {
                measurement.changeReached(LOOK_MILLIS);
                long now = System.nanoTime();
                if (on && begunMillis > 0 && now - snapshot >= SNAPSHOT_NANOS) {
                    snapshot = now;
                    measurement.snapshot().write(folder);
                    if (isReaderLost()) {
                        on = false;
                        takeBack();
                    }
                }
                if (on && begunMillis > 0 && now - calibration >= CALIBRATION_NANOS) {
                    calibration = now;
                    measurement.calibrate();
                }
            }
        } catch (InterruptedException | IOException | RuntimeException | Error e) {
            // Nobody reads it, there is no room for it, or a bug: whatever it is, the application
            // gets its classes back. The tool notices that nothing more comes.
            if (on) {
                on = false;
                takeBack();
            }
        }
    }

    private boolean isReaderLost() throws IOException {
        Path alive = folder.resolve(CallRequest.ALIVE);
        long lastSign =
                Files.exists(alive)
                        // Whoever waits for the beginning cannot give one.
                        ? Math.max(begunMillis, Files.getLastModifiedTime(alive).toMillis())
                        : 0;
        return System.currentTimeMillis() - lastSign > READER_LOST_MILLIS;
    }
}
