package dev.heatline.collector.jvm;

import dev.heatline.wire.LockTrace;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * The lock tracer of one JVM: the agent, loaded into it and told to trace. Closing it takes
 * everything back.
 */
public final class LockTracer implements AutoCloseable {
    private static final String FOLDER = "heatline-locks-";
    private static final String ON = "on";
    private static final String OFF = "off";

    private final Jvm jvm;
    private final LoadedAgent agent;
    private boolean on;

    private LockTracer(Jvm jvm, LoadedAgent agent) {
        this.jvm = jvm;
        this.agent = agent;
    }

    /**
     * Begins to trace.
     *
     * @param agentJar the agent
     * @throws JvmException if that is not possible; says why
     */
    public static LockTracer start(Jvm jvm, Path agentJar) {
        LoadedAgent agent = LoadedAgent.of(jvm, agentJar, FOLDER, "trace the locks of");
        try {
            agent.tell("locks=on,folder=" + agent.folder(), ON);
            LockTracer tracer = new LockTracer(jvm, agent);
            tracer.on = true;
            return tracer;
        } catch (RuntimeException e) {
            agent.close();
            throw e;
        }
    }

    /** What the tracer writes. */
    public Path trace() {
        return trace(agent.folder());
    }

    private static Path trace(Path folder) {
        return folder.resolve("trace");
    }

    /** Whether somebody traces the locks of a JVM now, as far as this user can see. */
    public static boolean isOnIn(Jvm jvm) {
        return LoadedAgent.anyFolder(jvm, FOLDER, folder -> isOn(trace(folder), jvm.pid()));
    }

    /** What cannot be read is another user's, or was deleted just now. */
    private static boolean isOn(Path trace, long pid) {
        if (!Files.isRegularFile(trace, LinkOption.NOFOLLOW_LINKS) || !Files.isReadable(trace)) {
            return false;
        }
        try (InputStream in = Files.newInputStream(trace)) {
            ByteBuffer header =
                    ByteBuffer.wrap(in.readNBytes(LockTrace.HEADER_SIZE))
                            .order(ByteOrder.LITTLE_ENDIAN);
            return header.capacity() == LockTrace.HEADER_SIZE
                    && header.getLong(0) == LockTrace.MAGIC
                    && header.getInt(LockTrace.PID) == pid
                    && header.getInt(LockTrace.STATE) == LockTrace.STATE_ON;
        } catch (IOException e) {
            return false;
        }
    }

    /** Ends tracing, and deletes the trace. The JVM is as it was before. */
    @Override
    public void close() {
        try {
            stop();
        } finally {
            agent.close();
        }
    }

    /** Ends tracing, unless it has ended by itself. What was traced can still be read. */
    public void stop() {
        if (on && jvm.process().isAlive() && isOn(trace(), jvm.pid())) {
            on = false;
            agent.tell("locks=off,folder=" + agent.folder(), OFF);
        }
    }
}
