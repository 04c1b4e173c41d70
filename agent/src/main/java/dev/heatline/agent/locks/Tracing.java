package dev.heatline.agent.locks;

import dev.heatline.agent.RefusedException;
import dev.heatline.agent.boot.LockHooks;
import dev.heatline.wire.LockTrace;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A trace from its beginning to its end, which comes by itself when nobody reads any more. */
final class Tracing {
    static final String FILE = "trace";

    /** To be defined before anything is traced. */
    static final String HOOKS = "dev.heatline.agent.boot.LockHooks";

    private static final int LOOK_MILLIS = 100;

    /** What is met at nearly the same time is changed at once, for which all threads stop. */
    private static final long GATHER_MILLIS = 3;

    /** By then a class is defined whose code was made before. */
    private static final long PAUSE_MILLIS = 50;

    private static final long BEAT_NANOS = 1_000_000_000;

    private final Path folder;
    private final ChangedClasses classes;
    private @Nullable Thread watch;
    private boolean on;

    /** CPU time of the thread that watches. */
    private long countedCpu;

    private Tracing(Path folder, Instrumentation instrumentation, Asking asking) {
        this.folder = folder;
        this.classes = new ChangedClasses(instrumentation, asking);
    }

    /**
     * Begins a trace.
     *
     * @param asking knows which class loaders were left by traces before
     */
    static Tracing start(Path folder, int blocks, Instrumentation instrumentation, Asking asking)
            throws RefusedException, IOException {
        Tracing tracing = new Tracing(folder, instrumentation, asking);
        tracing.begin(blocks);
        return tracing;
    }

    private synchronized void begin(int blocks) throws RefusedException, IOException {
        boolean begun = false;
        try {
            classes.change();
            // Only then: the lines of methods are looked up when they are first seen.
            String reason = LockHooks.start(folder.resolve(FILE).toString(), blocks);
            if (reason != null) {
                throw new RefusedException(reason);
            }
            on = true;
            beat();
            Thread thread = new Thread(this::watch, LockTrace.TRACER_THREAD);
            thread.setDaemon(true);
            thread.start();
            watch = thread;
            begun = true;
        } finally {
            if (!begun) {
                end();
            }
        }
    }

    synchronized boolean isOn() {
        return on;
    }

    /** Where the trace is. */
    Path folder() {
        return folder;
    }

    synchronized void stop() {
        if (on) {
            end();
        }
    }

    /** Ends the events, gives all classes their own code back, and says how that went. */
    private synchronized void end() {
        boolean begun = on;
        on = false;
        if (begun) {
            LockHooks.stop();
        }
        try {
            classes.restore();
        } finally {
            if (begun) {
                beat();
                LockHooks.close();
                if (watch != null) {
                    watch.interrupt();
                }
            }
        }
    }

    /** Returns whether the reader gave a sign of life since the last time. */
    private boolean beat() {
        return LockHooks.beat(classes.changed(), classes.skipped(), classes.notRestored());
    }

    private void watch() {
        try {
            long second = System.nanoTime();
            int silent = 0;
            while (isOn()) {
                if (LockHooks.awaitMet(LOOK_MILLIS) || classes.isBehind()) {
                    Thread.sleep(GATHER_MILLIS);
                    whileOn(classes::takeMet);
                    askLoaders();
                    whileOn(classes::changeMet);
                    Thread.sleep(PAUSE_MILLIS);
                    whileOn(classes::changeLate);
                }
                if (System.nanoTime() - second >= BEAT_NANOS) {
                    second = System.nanoTime();
                    silent = isRead() ? 0 : silent + 1;
                    if (silent >= LockTrace.READER_LOST_SECONDS) {
                        stop();
                    }
                }
            }
        } catch (InterruptedException e) {
            // It has ended; who else interrupts has no reason to.
            return;
        } finally {
            // Whatever went wrong, there is no tracing without a watch.
            stop();
        }
    }

    /** Nobody is asked any more once tracing ends. */
    private void askLoaders() throws InterruptedException {
        Asking.Round round;
        synchronized (this) {
            if (!on) {
                return;
            }
            round = classes.askLoaders();
        }
        // Not under the lock: whoever ends tracing need not wait for the application.
        round.await();
    }

    private synchronized void whileOn(Runnable change) {
        if (on) {
            change.run();
            countSpent();
        }
    }

    /** What the thread that watches used since the last time. */
    private void countSpent() {
        long cpu = LockHooks.cpuNanos();
        LockHooks.spent(cpu - countedCpu);
        countedCpu = cpu;
    }

    private synchronized boolean isRead() {
        if (on) {
            countSpent();
        }
        return !on || beat();
    }
}
