package dev.heatline.collector.locks;

import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.LockTracer;
import dev.heatline.model.Profile;
import java.nio.file.Path;

/** The locks of a running JVM, traced from when this is made until it is stopped or closed. */
public final class LockWatch implements AutoCloseable {
    private final LockTracer tracer;
    private final LockAnalysis analysis;

    private LockWatch(LockTracer tracer) {
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
            return new LockWatch(tracer);
        } catch (RuntimeException e) {
            tracer.close();
            throw e;
        }
    }

    /** What was found out so far. */
    public LockAnalysis analysis() {
        return analysis;
    }

    /** Takes what is new. To be called every second or so, or events are lost. */
    public void look() {
        analysis.look();
    }

    /** Ends tracing, takes what is left, and accounts for those who still wait. */
    public void stop() {
        try {
            tracer.stop();
        } finally {
            analysis.end();
        }
    }

    /** Takes what is left of a JVM that has ended, or a tracer that has switched itself off. */
    public void endAtLastLook() {
        analysis.endAtLastLook();
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
