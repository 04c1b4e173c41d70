package dev.heatline.agent.locks;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Switches tracing on and off as an attaching tool wants it, and answers in a file. */
public final class Locks {
    private static final String STATUS = "status";

    private static @Nullable Tracing current;
    private static Instant since = Instant.EPOCH;

    private Locks() {}

    /** Called by the agent; the answer is complete when this returns. */
    public static synchronized void run(String options, Instrumentation instrumentation)
            throws IOException {
        LockOptions understood = LockOptions.of(options);
        String answer;
        try {
            answer = understood.isOn() ? on(understood, instrumentation) : off();
        } catch (TracingException e) {
            answer = "failed: " + e.getMessage();
        } catch (RuntimeException | LinkageError | IOException e) {
            // A bug, or a JVM that is different: the tool that attached has nowhere else to see it.
            answer = "failed: " + e;
        }
        if (understood.folder() != null) {
            Files.writeString(
                    understood.folder().resolve(STATUS), answer.replace('\n', ' ') + "\n");
        }
    }

    private static String on(LockOptions options, Instrumentation instrumentation)
            throws TracingException, IOException {
        if (options.problem() != null) {
            throw new TracingException(options.problem());
        }
        if (current != null && current.isOn()) {
            throw new TracingException(
                    "locks are already traced, since "
                            + since
                            + "; stop the other tool, or switch it off with locks=off");
        }
        current = Tracing.start(options, instrumentation);
        since = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        return "on";
    }

    private static String off() {
        if (current != null) {
            current.stop();
            current = null;
        }
        return "off";
    }
}
