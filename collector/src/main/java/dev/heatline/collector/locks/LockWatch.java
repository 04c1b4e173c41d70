package dev.heatline.collector.locks;

import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.JvmException;
import dev.heatline.collector.jvm.LockTracer;
import dev.heatline.model.Profile;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The locks of a running JVM, traced from when this is made until it is stopped or closed. */
public final class LockWatch implements AutoCloseable {
    /** For a JVM that breaks off, to be gone. */
    private static final long ENDING_SECONDS = 2;

    private final Jvm jvm;
    private final LockTracer tracer;
    private final LockAnalysis analysis;
    private boolean over;
    private Optional<String> remark = Optional.empty();

    private LockWatch(Jvm jvm, LockTracer tracer) {
        this.jvm = jvm;
        this.tracer = tracer;
        this.analysis = LockAnalysis.live(tracer.trace());
    }

    /**
     * Begins to trace.
     *
     * @param agentJar what is loaded into the JVM
     * @throws dev.heatline.collector.jvm.JvmException if that is not possible; says why
     */
    public static LockWatch start(Jvm jvm, Path agentJar) {
        LockTracer tracer = LockTracer.start(jvm, agentJar);
        try {
            return new LockWatch(jvm, tracer);
        } catch (RuntimeException e) {
            tracer.close();
            throw e;
        }
    }

    /** What was found out so far. */
    public LockAnalysis analysis() {
        return analysis;
    }

    /**
     * Takes what is new. To be called every second or so, or events are lost. Where the JVM has
     * ended, or the tracer in it, that was the end.
     */
    public void look() {
        if (over) {
            return;
        }
        boolean runs = jvm.process().isAlive();
        if (runs && analysis.isOn()) {
            analysis.look();
        } else {
            over = true;
            analysis.endAtLastLook();
            remark = runs ? Optional.of(selfEnded()) : Optional.empty();
        }
    }

    private String selfEnded() {
        return "the lock tracer in "
                + jvm
                + " has switched itself off, "
                + (analysis.isNeglected()
                        ? "since nobody read its trace for some seconds"
                        : "since something went wrong in it")
                + "; this is what was seen until then";
    }

    /** Whether there is nothing more to be seen. */
    public boolean isOver() {
        return over;
    }

    /** What people should know of how it ended; empty if it was stopped, or the JVM ended. */
    public Optional<String> remark() {
        return remark;
    }

    /** Ends tracing, takes what is left, and accounts for those who still wait. */
    public void stop() {
        look();
        if (over) {
            return;
        }
        over = true;
        try {
            tracer.stop();
            analysis.end();
        } catch (JvmException e) {
            analysis.endAtLastLook();
            if (!endsNow()) {
                throw e;
            }
        }
    }

    /** A JVM that is killed breaks off before it is gone. */
    private boolean endsNow() {
        ProcessHandle.of(jvm.pid())
                .ifPresent(
                        it ->
                                it.onExit()
                                        .completeOnTimeout(it, ENDING_SECONDS, TimeUnit.SECONDS)
                                        .join());
        return !jvm.process().isAlive();
    }

    /** The contentions since the last time. */
    public Profile take() {
        return analysis.take();
    }

    @Override
    public void close() {
        try (tracer) {
            analysis.close();
        }
    }
}
