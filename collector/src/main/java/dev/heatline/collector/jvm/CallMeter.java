package dev.heatline.collector.jvm;

import dev.heatline.wire.CallRequest;
import dev.heatline.wire.CallSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What measures calls in one JVM: the agent, loaded into it and told which. Closing it takes
 * everything back.
 */
public final class CallMeter implements AutoCloseable {
    private static final String FOLDER = "heatline-calls-";

    /** The agent writes every second, unless the JVM gets no CPU time. */
    private static final long SILENCE_NANOS = 20_000_000_000L;

    private final Jvm jvm;
    private final LoadedAgent agent;
    private boolean on;
    private long lastElapsed;
    private long lastNews = System.nanoTime();

    private CallMeter(Jvm jvm, LoadedAgent agent) {
        this.jvm = jvm;
        this.agent = agent;
    }

    /**
     * Begins to measure.
     *
     * @param agentJar the agent
     * @throws JvmException if that is not possible; says why
     */
    public static CallMeter start(Jvm jvm, Path agentJar, CallRequest request) {
        LoadedAgent agent = LoadedAgent.of(jvm, agentJar, FOLDER, "measure calls of");
        CallMeter meter = new CallMeter(jvm, agent);
        try {
            request.write(agent.folder());
            meter.stayAlive();
            agent.tell("calls=on,folder=" + agent.folder(), "on");
            meter.on = true;
            return meter;
        } catch (IOException e) {
            agent.close();
            throw new JvmException("cannot measure calls of " + jvm + ": " + e.getMessage(), e);
        } catch (RuntimeException e) {
            agent.close();
            throw e;
        }
    }

    private void stayAlive() {
        try {
            Files.writeString(agent.folder().resolve(CallRequest.ALIVE), "");
        } catch (IOException e) {
            throw new JvmException("cannot write to " + agent.folder() + ": " + e.getMessage(), e);
        }
    }

    /**
     * What was measured so far, and a sign to the agent that somebody still wants to know.
     *
     * @throws JvmException if the agent gives no sign any more
     */
    public CallSnapshot look() {
        stayAlive();
        CallSnapshot now = snapshot();
        if (now.elapsedNanos() > lastElapsed) {
            lastElapsed = now.elapsedNanos();
            lastNews = System.nanoTime();
        } else if (jvm.process().isAlive() && System.nanoTime() - lastNews > SILENCE_NANOS) {
            throw new JvmException(
                    "measuring calls of " + jvm + " has ended by itself: nothing new came from it");
        }
        return now;
    }

    /** What was measured so far. */
    public CallSnapshot snapshot() {
        try {
            return CallSnapshot.read(agent.folder());
        } catch (IOException e) {
            throw new JvmException(
                    "what was measured in " + jvm + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Ends measuring. What was measured can still be read. */
    public void stop() {
        if (on && jvm.process().isAlive()) {
            on = false;
            agent.tell("calls=off,folder=" + agent.folder(), "off");
        }
    }

    @Override
    public void close() {
        try {
            stop();
        } finally {
            agent.close();
        }
    }
}
