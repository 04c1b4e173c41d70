package dev.heatline.agent;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import org.jspecify.annotations.Nullable;

/**
 * What the JVM calls before the application's main method, and the only class of the agent that the
 * application could load. All others lie in the jar under names no class loader looks for, and are
 * defined by this one, apart from the application's.
 */
public final class Agent extends ClassLoader {
    private static final String FOLDER = "/heatline/";
    private static final String SUFFIX = ".classdata";
    private static final String START = "dev.heatline.agent.Start";

    private Agent() {
        super("heatline", getPlatformClassLoader());
    }

    /** Switches the recorder on. Whatever goes wrong, the application starts all the same. */
    public static void premain(@Nullable String options, Instrumentation instrumentation) {
        try {
            new Agent()
                    .loadClass(START)
                    .getMethod("run", String.class, Instrumentation.class)
                    .invoke(null, options == null ? "" : options, instrumentation);
        } catch (ReflectiveOperationException | LinkageError e) {
            // Only a damaged jar comes here: what can fail in an application is announced by Start.
            // There is nobody to tell: the console is the application's.
            return;
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        String file = FOLDER + name.replace('.', '/') + SUFFIX;
        try (InputStream in = Agent.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
