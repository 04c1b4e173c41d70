package dev.heatline.agent;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import org.jspecify.annotations.Nullable;

/**
 * What the JVM calls before the application's main method, or when a tool attaches, and the only
 * class of the agent that the application could load. All others lie in the jar under names no
 * class loader looks for, and are defined by this one, apart from the application's.
 */
public final class Agent extends ClassLoader {
    private static final String FOLDER = "/heatline/";
    private static final String SUFFIX = ".classdata";
    private static final String START = "dev.heatline.agent.Start";
    private static final String LOCKS = "dev.heatline.agent.locks.Locks";
    private static final String CALLS = "dev.heatline.agent.calls.Calls";
    private static final String CALLS_OPTION = "calls=";

    /** One for all calls: what one attaching tool switches on, another switches off. */
    private static final Agent LOADER = new Agent();

    private Agent() {
        super("heatline", getPlatformClassLoader());
    }

    /**
     * Switches the recorder on, or the measuring of calls. Whatever goes wrong, the application
     * starts all the same.
     */
    public static void premain(@Nullable String options, Instrumentation instrumentation) {
        run(isForCalls(options) ? CALLS : START, options, instrumentation);
    }

    /**
     * Switches the tracing of locks or the measuring of calls on or off. The answer is in a file
     * that the options name.
     */
    public static void agentmain(@Nullable String options, Instrumentation instrumentation) {
        run(isForCalls(options) ? CALLS : LOCKS, options, instrumentation);
    }

    private static boolean isForCalls(@Nullable String options) {
        return options != null && options.startsWith(CALLS_OPTION);
    }

    private static void run(
            String type, @Nullable String options, Instrumentation instrumentation) {
        try {
            LOADER.loadClass(type)
                    .getMethod("run", String.class, Instrumentation.class)
                    .invoke(null, options == null ? "" : options, instrumentation);
        } catch (ReflectiveOperationException | LinkageError e) {
            // Only a damaged jar comes here: what can fail in an application is announced by the
            // class that runs. There is nobody to tell: the console is the application's.
            return;
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        try (InputStream in = getResourceAsStream(name.replace('.', '/') + SUFFIX)) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    /** Only what is the agent's own. */
    @Override
    public @Nullable InputStream getResourceAsStream(String name) {
        return Agent.class.getResourceAsStream(FOLDER + name);
    }
}
