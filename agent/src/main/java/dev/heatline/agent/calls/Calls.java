package dev.heatline.agent.calls;

import dev.heatline.agent.Answer;
import dev.heatline.agent.BootClasses;
import dev.heatline.agent.RefusedException;
import dev.heatline.wire.CallRequest;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Switches measuring on and off as a tool wants it, and answers in a file: {@code
 * calls=on,folder=DIR} and {@code calls=off,folder=DIR} by a tool that attached, {@code
 * calls=start,folder=DIR} by one that starts the program, {@code calls=roots,folder=DIR} and {@code
 * calls=end,folder=DIR} by another one, which has a folder of its own.
 */
public final class Calls {
    private static final String ON = "calls=on,folder=";
    private static final String OFF = "calls=off,folder=";
    private static final String START = "calls=start,folder=";
    private static final String ROOTS = "calls=roots,folder=";
    private static final String END = "calls=end,folder=";
    private static final long READER_NANOS = 5_000_000_000L;
    private static final long LOOK_NANOS = 5_000_000;

    /** Those that others need first. */
    private static final String[] HOOKS = {
        "dev.heatline.agent.boot.CallHooks$Listener",
        "dev.heatline.agent.boot.CallCosts",
        "dev.heatline.agent.boot.SampledTime",
        "dev.heatline.agent.boot.CallSamples",
        "dev.heatline.agent.boot.Numbers",
        "dev.heatline.agent.boot.IdleTimes",
        "dev.heatline.agent.boot.Folding",
        "dev.heatline.agent.boot.ObjectCounts",
        "dev.heatline.agent.boot.TrackedObjects$Reader",
        "dev.heatline.agent.boot.TrackedObjects",
        "dev.heatline.agent.boot.ObjectSamples",
        "dev.heatline.agent.boot.CallTree",
        "dev.heatline.agent.boot.CallTrees",
        "dev.heatline.agent.boot.CallHooks",
        "dev.heatline.agent.boot.Calibration",
        "dev.heatline.agent.boot.RegionTimes$Slow",
        "dev.heatline.agent.boot.RegionTimes$Reader",
        "dev.heatline.agent.boot.RegionTimes",
        "dev.heatline.agent.boot.RegionHooks",
        "dev.heatline.agent.boot.RootTimes$Place",
        "dev.heatline.agent.boot.RootTimes$RootsOnStack",
        "dev.heatline.agent.boot.RootTimes",
        "dev.heatline.agent.boot.RootHooks"
    };

    private static @Nullable Measuring current;

    private Calls() {}

    /** Called by the agent; the answer is complete when this returns. */
    public static synchronized void run(String options, Instrumentation instrumentation)
            throws IOException {
        if (options.startsWith(ON)) {
            Path folder = Path.of(options.substring(ON.length()));
            Answer.write(folder, () -> on(folder, instrumentation));
        } else if (options.startsWith(OFF)) {
            Path folder = Path.of(options.substring(OFF.length()));
            Answer.write(folder, () -> off(folder));
        } else if (options.startsWith(START)) {
            Path folder = Path.of(options.substring(START.length()));
            Answer.write(folder, () -> on(folder, instrumentation));
            awaitReader(folder);
        } else if (options.startsWith(ROOTS)) {
            Path folder = Path.of(options.substring(ROOTS.length()));
            Answer.write(folder, () -> changeRoots(folder));
        } else if (options.startsWith(END)) {
            Answer.write(Path.of(options.substring(END.length())), Calls::end);
        }
    }

    /** A short program would have ended before the tool has found it. */
    private static void awaitReader(Path folder) {
        long end = System.nanoTime() + READER_NANOS;
        while (!Files.exists(folder.resolve(CallRequest.ALIVE)) && System.nanoTime() < end) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private static String on(Path folder, Instrumentation instrumentation)
            throws RefusedException, IOException {
        awaitEnding();
        if (current != null) {
            throw new RefusedException(
                    "calls are already measured"
                            + tool(current.folder())
                            + ", into "
                            + current.folder()
                            + "; stop the other tool first");
        }
        CallRequest request = CallRequest.read(folder);
        BootClasses.define(instrumentation, HOOKS);
        current = Measuring.start(folder, request, instrumentation);
        return "on";
    }

    /** Who writes there, as far as that is known. */
    private static String tool(Path folder) {
        try {
            String pid = Files.readString(folder.resolve(CallRequest.ALIVE)).strip();
            return pid.isEmpty() ? "" : " by process " + pid;
        } catch (IOException e) {
            return "";
        }
    }

    private static String off(Path folder) throws RefusedException {
        awaitEnding();
        if (current != null) {
            if (!folder.equals(current.folder())) {
                throw new RefusedException(
                        "calls are measured into " + current.folder() + ", which goes on");
            }
            current.stop();
            current = null;
        }
        return "off";
    }

    private static String changeRoots(Path folder) throws RefusedException, IOException {
        requireOn().changeRoots(CallRequest.read(folder));
        return "changed";
    }

    private static String end() throws RefusedException {
        requireOn().stopForOthers();
        current = null;
        return "off";
    }

    private static Measuring requireOn() throws RefusedException {
        awaitEnding();
        if (current == null) {
            throw new RefusedException("no calls are measured there");
        }
        return current;
    }

    /** One that ends by itself has to be at its end before the next begins. */
    private static void awaitEnding() {
        if (current != null && !current.isOn()) {
            current.awaitEnd();
            current = null;
        }
    }
}
