package dev.heatline.agent.calls;

import dev.heatline.agent.RefusedException;
import dev.heatline.agent.boot.CallHooks;
import dev.heatline.agent.boot.CallTrees;
import dev.heatline.agent.boot.RegionHooks;
import dev.heatline.wire.CallRequest;
import dev.heatline.wire.CallSnapshot;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The thread of a measurement: changes classes as they are reached, writes down what was measured
 * once a second, and ends everything when nobody reads any more.
 */
final class Measuring {
    private static final String THREAD = "heatline calls";
    private static final long SNAPSHOT_NANOS = 1_000_000_000L;
    private static final long CALIBRATION_NANOS = 5_000_000_000L;
    private static final long LOOK_MILLIS = 100;
    private static final long READER_LOST_MILLIS = 15_000;

    private final Path folder;
    private final Measurement measurement;
    private final Thread thread;

    /** What was measured since the last second of a JVM that ends. */
    private final Thread lastWords;

    private final AtomicBoolean on = new AtomicBoolean(true);

    /** 0 until everything is changed that is changed at first. */
    private volatile long begunMillis;

    private Measuring(Path folder, Measurement measurement) {
        this.folder = folder;
        this.measurement = measurement;
        this.thread = new Thread(this::run, THREAD);
        this.lastWords = new Thread(this::sayLastWords, THREAD);
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
            measurement.begin(measuring.thread);
            measuring.write();
            Runtime.getRuntime().addShutdownHook(measuring.lastWords);
            measuring.begunMillis = System.currentTimeMillis();
            begun = true;
            return measuring;
        } finally {
            if (!begun) {
                measuring.on.set(false);
                measuring.awaitEnd();
                measuring.takeBack();
            }
        }
    }

    boolean isOn() {
        return on.get();
    }

    Path folder() {
        return folder;
    }

    /** Ends the measurement and writes down what was measured to its end. */
    void stop() throws RefusedException {
        boolean ended = !on.compareAndSet(true, false);
        awaitEnd();
        if (!ended) {
            end(true);
        }
    }

    /** The same when somebody else wants that. */
    void stopForOthers() throws RefusedException {
        measurement.endForOthers();
        stop();
    }

    /** Goes on with the roots of another request. */
    void changeRoots(CallRequest request) throws RefusedException {
        measurement.changeRoots(request.roots());
    }

    /** Waits until one that is not on any more has taken everything back. */
    void awaitEnd() {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Takes everything back.
     *
     * @param comparing whether roots are timed alone before that
     */
    private void end(boolean comparing) throws RefusedException {
        try {
            try {
                if (comparing) {
                    measurement.stopCounting();
                    // Should the JVM end meanwhile, this is what was measured.
                    write();
                    measurement.compareRoots();
                }
            } finally {
                measurement.end();
            }
            write();
        } catch (IOException e) {
            throw new RefusedException("what was measured cannot be written: " + e.getMessage());
        } finally {
            forget();
        }
    }

    private void takeBack() {
        try {
            measurement.end();
        } finally {
            forget();
        }
    }

    private void forget() {
        CallHooks.clear();
        RegionHooks.clear();
        try {
            Runtime.getRuntime().removeShutdownHook(lastWords);
        } catch (IllegalStateException e) {
            // They are being said.
            return;
        }
    }

    private void sayLastWords() {
        CallTrees.ignore(Thread.currentThread());
        if (on.get()) {
            try {
                write();
            } catch (IOException | RuntimeException e) {
                // There is nobody left to tell.
                return;
            }
        }
    }

    /** Writes down what was measured so far. */
    private synchronized CallSnapshot write() throws IOException {
        if (measurement.isOfRegions()) {
            measurement.regions().write(folder);
        }
        CallSnapshot now = measurement.snapshot();
        now.write(folder);
        return now;
    }

    private void run() {
        try {
            long snapshot = System.nanoTime();
            long calibration = snapshot;
            long patience = LOOK_MILLIS;
            while (on.get()) {
                measurement.changeReached(patience);
                patience = LOOK_MILLIS;
                long now = System.nanoTime();
                if (on.get() && begunMillis > 0 && now - snapshot >= SNAPSHOT_NANOS) {
                    snapshot = now;
                    measurement.keepBudget(write());
                    if (isReaderLost()) {
                        if (on.compareAndSet(true, false)) {
                            takeBack();
                            // Whoever looks for what is measured need not wait, too.
                            Files.deleteIfExists(folder.resolve(CallRequest.ALIVE));
                        }
                    } else if (measurement.isTooDear() && on.compareAndSet(true, false)) {
                        end(false);
                    }
                }
                if (on.get() && begunMillis > 0 && now - calibration >= CALIBRATION_NANOS) {
                    if (measurement.calibrateOnce()) {
                        calibration = now;
                    } else {
                        patience = Calibrations.PAUSE_MILLIS;
                    }
                }
            }
        } catch (InterruptedException
                | IOException
                | RefusedException
                | RuntimeException
                | Error e) {
            // Nobody reads it, there is no room for it, or a bug: whatever it is, the application
            // gets its classes back. The tool notices that nothing more comes.
            if (on.compareAndSet(true, false)) {
                takeBack();
            }
        }
    }

    private boolean isReaderLost() throws IOException {
        Path alive = folder.resolve(CallRequest.ALIVE);
        long sign = Files.exists(alive) ? Files.getLastModifiedTime(alive).toMillis() : 0;
        // Whoever waits for the beginning cannot give one.
        long lastSign = Math.max(begunMillis, sign);
        return System.currentTimeMillis() - lastSign > READER_LOST_MILLIS;
    }
}
