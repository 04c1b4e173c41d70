package dev.heatline.collector.calls;

import dev.heatline.collector.jvm.CallMeter;
import dev.heatline.collector.jvm.Jvm;
import dev.heatline.model.Profile;
import dev.heatline.wire.CallRequest;
import dev.heatline.wire.CallSnapshot;
import java.nio.file.Path;

/** Calls of a running JVM, measured from when this is made until it is stopped or closed. */
public final class CallWatch implements AutoCloseable {
    private final CallMeter meter;
    private volatile CallSnapshot seen;

    private CallWatch(CallMeter meter) {
        this.meter = meter;
        this.seen = meter.snapshot();
    }

    /**
     * Begins to measure.
     *
     * @param agentJar what is loaded into the JVM
     * @throws dev.heatline.collector.jvm.JvmException if that is not possible; says why
     */
    public static CallWatch start(Jvm jvm, Path agentJar, CallRequest request) {
        CallMeter meter = CallMeter.start(jvm, agentJar, request);
        try {
            return new CallWatch(meter);
        } catch (RuntimeException e) {
            meter.close();
            throw e;
        }
    }

    /** Takes what is new. To be called every second or so, or measuring ends by itself. */
    public void look() {
        seen = meter.look();
    }

    /** What was measured up to the last look. */
    public CallSnapshot seen() {
        return seen;
    }

    /** Ends measuring, and takes what is left. */
    public void stop() {
        meter.stop();
        seen = meter.snapshot();
    }

    /** All that was measured. */
    public Profile take() {
        return CallProfile.of(seen);
    }

    @Override
    public void close() {
        meter.close();
    }
}
