package dev.heatline.agent.calls;

import dev.heatline.agent.Answer;
import dev.heatline.agent.BootClasses;
import dev.heatline.agent.RefusedException;
import dev.heatline.wire.CallRequest;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Switches measuring on and off as an attaching tool wants it, and answers in a file: {@code
 * calls=on,folder=DIR} and {@code calls=off,folder=DIR}.
 */
public final class Calls {
    private static final String ON = "calls=on,folder=";
    private static final String OFF = "calls=off,folder=";

    /** Those that others need first. */
    private static final String[] HOOKS = {
        "dev.heatline.agent.boot.CallHooks$Listener",
        "dev.heatline.agent.boot.CallSamples",
        "dev.heatline.agent.boot.CallTree",
        "dev.heatline.agent.boot.CallHooks"
    };

    private static @Nullable Measuring current;

    private Calls() {}

    /** Called by the agent; the answer is complete when this returns. */
    public static synchronized void run(String options, Instrumentation instrumentation)
            throws IOException {
        boolean on = options.startsWith(ON);
        if (!on && !options.startsWith(OFF)) {
            return;
        }
        Path folder = Path.of(options.substring((on ? ON : OFF).length()));
        Answer.write(folder, () -> on ? on(folder, instrumentation) : off(folder));
    }

    private static String on(Path folder, Instrumentation instrumentation)
            throws RefusedException, IOException {
        awaitEnding();
        if (current != null) {
            throw new RefusedException(
                    "calls are already measured, into "
                            + current.folder()
                            + "; stop the other tool first");
        }
        CallRequest request = CallRequest.read(folder);
        BootClasses.define(instrumentation, HOOKS);
        current = Measuring.start(folder, request, instrumentation);
        return "on";
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

    /** One that ends by itself has to be at its end before the next begins. */
    private static void awaitEnding() {
        if (current != null && !current.isOn()) {
            current.awaitEnd();
            current = null;
        }
    }
}
