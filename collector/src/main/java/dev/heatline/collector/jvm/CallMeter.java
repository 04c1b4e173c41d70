package dev.heatline.collector.jvm;

import dev.heatline.wire.CallRequest;
import dev.heatline.wire.CallSnapshot;
import dev.heatline.wire.ProcessKey;
import dev.heatline.wire.RegionSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What measures calls in one JVM: the agent, loaded into it and told which. Closing it takes
 * everything back.
 */
public final class CallMeter implements AutoCloseable {
    private static final String FOLDER = "heatline-calls-";

    /** For a program whose pid is not known before it is started; has our own. */
    private static final String LAUNCHED = "heatline-calls-of-";

    private static final String TASK = "measure calls of";

    /** How long a JVM may take to begin. */
    private static final long START_NANOS = 60_000_000_000L;

    private static final long END_NANOS = 5_000_000_000L;
    private static final long LOOK_NANOS = 10_000_000;

    /** The agent writes every second, unless the JVM gets no CPU time. */
    private static final long SILENCE_NANOS = 20_000_000_000L;

    private final Jvm jvm;
    private final LoadedAgent agent;
    private @Nullable Process launched;
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
        LoadedAgent agent = LoadedAgent.of(jvm, agentJar, FOLDER, TASK);
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

    /**
     * Starts a program that is measured from its first instruction. It writes and reads where we
     * do.
     *
     * @param command the program, which has to be {@code java}, and its arguments
     * @throws JvmException if that is not possible; says why
     */
    public static CallMeter launch(List<String> command, Path agentJar, CallRequest request) {
        if (!Path.of(command.get(0)).endsWith("java")) {
            throw new JvmException(
                    "only a java command can be started, such as java -jar shop.jar, not "
                            + command.get(0));
        }
        Path folder = LoadedAgent.newFolder(ProcessKey.current().pid(), LAUNCHED, "start java");
        Process process = null;
        try {
            request.write(folder);
            process = start(command, agentJar, folder);
            Jvm jvm = awaitAgent(process, folder);
            LoadedAgent agent = LoadedAgent.startedWith(jvm, agentJar, folder, TASK);
            agent.requireAnswer("on");
            CallMeter meter = new CallMeter(jvm, agent);
            meter.launched = process;
            meter.on = true;
            // The program waits for this sign.
            meter.stayAlive();
            return meter;
        } catch (IOException | RuntimeException e) {
            if (process != null) {
                process.destroyForcibly();
            }
            LoadedAgent.delete(folder);
            throw e instanceof JvmException known
                    ? known
                    : new JvmException("cannot start " + command.get(0) + ": " + e.getMessage(), e);
        }
    }

    /**
     * Gives a measurement that another tool began other roots.
     *
     * @throws JvmException if that is not possible; says why
     */
    public static void changeRoots(Jvm jvm, Path agentJar, CallRequest request) {
        try (LoadedAgent agent = LoadedAgent.of(jvm, agentJar, FOLDER, "change the roots of")) {
            request.write(agent.folder());
            agent.tell("calls=roots,folder=" + agent.folder(), "changed");
        } catch (IOException e) {
            throw new JvmException("cannot change the roots of " + jvm + ": " + e.getMessage(), e);
        }
    }

    /**
     * Ends a measurement that another tool began; that tool still shows what was measured.
     *
     * @throws JvmException if there is none, or it cannot be ended; says why
     */
    public static void end(Jvm jvm, Path agentJar) {
        try (LoadedAgent agent = LoadedAgent.of(jvm, agentJar, FOLDER, "stop measuring")) {
            agent.tell("calls=end,folder=" + agent.folder(), "off");
        }
    }

    /** Whether calls of a JVM can be measured from here. */
    public static boolean isPossibleIn(Jvm jvm) {
        return jvm.obstacle().isEmpty() && LoadedAgent.isNear(jvm);
    }

    /** Whether somebody measures calls of a JVM now, as far as this user can see. */
    public static boolean isOnIn(Jvm jvm) {
        return LoadedAgent.anyFolder(jvm, FOLDER, CallMeter::isWrittenTo);
    }

    private static boolean isWrittenTo(Path folder) {
        try {
            FileTime last = Files.getLastModifiedTime(folder.resolve(CallSnapshot.FILE));
            return Files.exists(folder.resolve(CallRequest.ALIVE))
                    && last.toInstant().isAfter(Instant.now().minusNanos(SILENCE_NANOS));
        } catch (IOException e) {
            return false;
        }
    }

    private static Process start(List<String> command, Path agentJar, Path folder)
            throws IOException {
        List<String> measured = new ArrayList<>(command);
        measured.add(
                1, "-javaagent:" + agentJar.toAbsolutePath() + "=calls=start,folder=" + folder);
        // So that the JVM says nothing when we attach at the end.
        measured.add(1, "-XX:+EnableDynamicAgentLoading");
        return new ProcessBuilder(measured).inheritIO().start();
    }

    private static Jvm awaitAgent(Process process, Path folder) {
        long end = System.nanoTime() + START_NANOS;
        while (!LoadedAgent.hasAnswered(folder) && process.isAlive() && System.nanoTime() < end) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return Jvms.find(process.pid())
                .orElseThrow(
                        () ->
                                new JvmException(
                                        "the program has ended before it could be measured"));
    }

    /** Waits for a program that was launched; how it ended. */
    public OptionalInt awaitEnd() {
        try {
            return launched == null ? OptionalInt.empty() : OptionalInt.of(launched.waitFor());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return OptionalInt.empty();
        }
    }

    /** The JVM that is measured. */
    public Jvm jvm() {
        return jvm;
    }

    private void stayAlive() {
        try {
            long pid = ProcessKey.current().pid();
            Files.writeString(agent.folder().resolve(CallRequest.ALIVE), String.valueOf(pid));
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

    /** The times of single methods so far. */
    public RegionSnapshot regions() {
        try {
            return RegionSnapshot.read(agent.folder());
        } catch (IOException e) {
            throw new JvmException(
                    "what was measured in " + jvm + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Ends measuring. What was measured can still be read. */
    public void stop() {
        if (on && jvm.process().isAlive()) {
            on = false;
            try {
                agent.tell("calls=off,folder=" + agent.folder(), "off");
            } catch (JvmException e) {
                if (!hasEnded()) {
                    throw e;
                }
            }
        }
    }

    /** A JVM that ends hears nobody, but writes down what was measured. */
    private boolean hasEnded() {
        long end = System.nanoTime() + END_NANOS;
        while (jvm.process().isAlive() && System.nanoTime() < end) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return !jvm.process().isAlive();
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
