package dev.heatline.agent.locks;

import dev.heatline.agent.boot.LockHooks;
import dev.heatline.wire.LockTrace;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import java.util.Objects;

/** A trace from its beginning to its end, which comes by itself when nobody reads any more. */
final class Tracing {
    private static final String FILE = "trace";
    private static final String THREAD = "Heatline locks";
    private static final long SECOND_MILLIS = 1000;

    private final ChangedClasses classes;
    private boolean on = true;

    private Tracing(ChangedClasses classes) {
        this.classes = classes;
    }

    static Tracing start(LockOptions options, Instrumentation instrumentation)
            throws TracingException, IOException {
        Path folder = Objects.requireNonNull(options.folder());
        BootClasses.load(folder, instrumentation);
        return begin(folder.resolve(FILE), options.blocks(), instrumentation);
    }

    /** Apart, so that the hooks are resolved only when the boot loader has them. */
    private static Tracing begin(Path file, int blocks, Instrumentation instrumentation)
            throws TracingException, IOException {
        ChangedClasses classes = new ChangedClasses(instrumentation);
        classes.change();
        // Only then: methods keep the lines they have when they are first seen.
        String reason = LockHooks.start(file.toString(), blocks);
        if (reason != null) {
            classes.restore();
            throw new TracingException(reason);
        }
        Tracing tracing = new Tracing(classes);
        LockHooks.beat(classes.changed(), classes.skipped());
        Thread thread = new Thread(tracing::watch, THREAD);
        thread.setDaemon(true);
        thread.start();
        return tracing;
    }

    synchronized boolean isOn() {
        return on;
    }

    /** Gives all classes their own code back and ends the trace, in this order. */
    synchronized void stop() {
        if (on) {
            on = false;
            classes.restore();
            LockHooks.beat(classes.changed(), classes.skipped());
            LockHooks.stop();
            notifyAll();
        }
    }

    private synchronized void watch() {
        int silent = 0;
        while (on) {
            try {
                wait(SECOND_MILLIS);
            } catch (InterruptedException e) {
                // Nobody has a reason to; without a watch there is no tracing.
                stop();
            }
            if (on) {
                boolean alive = LockHooks.beat(classes.changed(), classes.skipped());
                silent = alive ? 0 : silent + 1;
                if (silent >= LockTrace.READER_LOST_SECONDS) {
                    stop();
                }
            }
        }
    }
}
