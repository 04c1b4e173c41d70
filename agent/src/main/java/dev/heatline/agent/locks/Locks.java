package dev.heatline.agent.locks;

import dev.heatline.agent.Answer;
import dev.heatline.agent.BootClasses;
import dev.heatline.agent.RefusedException;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Switches tracing on and off as an attaching tool wants it, and answers in a file. */
public final class Locks {
    private static final String OFF = "off";

    /** There is one tracer in a JVM at a time. */
    private static final Locks HERE = new Locks();

    private final Asking asking = new Asking();
    private boolean hooksDefined;
    private @Nullable Tracing current;
    private Instant since = Instant.EPOCH;

    private Locks() {}

    /** Called by the agent; the answer is complete when this returns. */
    public static void run(String options, Instrumentation instrumentation) throws IOException {
        HERE.answer(options, instrumentation);
    }

    private synchronized void answer(String options, Instrumentation instrumentation)
            throws IOException {
        LockOptions understood = LockOptions.of(options);
        if (understood.folder() != null) {
            Answer.write(
                    understood.folder(),
                    () -> understood.isOn() ? on(understood, instrumentation) : off(understood));
        }
    }

    private String on(LockOptions options, Instrumentation instrumentation)
            throws RefusedException, IOException {
        if (options.problem() != null) {
            throw new RefusedException(options.problem());
        }
        if (current != null && current.isOn()) {
            throw new RefusedException(
                    "locks are already traced, since "
                            + since
                            + ", into "
                            + current.folder()
                            + "; stop the other tool first, or wait for ten seconds if it was killed");
        }
        Path folder = Objects.requireNonNull(options.folder());
        if (!hooksDefined) {
            BootClasses.defineWithLibrary(folder, instrumentation, Tracing.HOOKS);
            hooksDefined = true;
        }
        current = Tracing.start(folder, options.blocks(), instrumentation, asking);
        since = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        return "on";
    }

    /** Ends the trace of whoever asks, and nobody else's. */
    private String off(LockOptions options) throws RefusedException {
        if (options.problem() != null) {
            throw new RefusedException(options.problem());
        }
        Path folder = Objects.requireNonNull(options.folder());
        if (current != null && current.isOn() && !isSame(folder, current.folder())) {
            if (Files.exists(folder.resolve(Tracing.FILE))) {
                // It has ended by itself, and somebody else came.
                return OFF;
            }
            throw new RefusedException(
                    "locks are traced since "
                            + since
                            + " into "
                            + current.folder()
                            + ", which goes on; there is no trace into "
                            + folder);
        }
        if (current != null) {
            current.stop();
            current = null;
        }
        return OFF;
    }

    private static boolean isSame(Path one, Path other) {
        return one.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize());
    }
}
