package dev.heatline.cli;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * The Ctrl-C that comes while the JVM is already ending because of another. The JVM itself does not
 * hear it then. There is no supported way to hear signals, so this uses what every JDK has, and
 * does nothing where it is gone.
 */
final class SecondInterrupt {
    private static final String SIGNAL = "INT";

    /** What shells see of a command that SIGINT has ended. */
    private static final int EXIT = 130;

    private SecondInterrupt() {}

    /** From now on it halts the JVM, whatever there is to do. */
    static void halts() {
        InvocationHandler halting =
                (handler, method, arguments) -> {
                    if (method.getDeclaringClass() != Object.class) {
                        Runtime.getRuntime().halt(EXIT);
                    }
                    return null;
                };
        try {
            Class<?> type = Class.forName("sun.misc.Signal");
            Class<?> handlers = Class.forName("sun.misc.SignalHandler");
            Object handler =
                    Proxy.newProxyInstance(
                            handlers.getClassLoader(), new Class<?>[] {handlers}, halting);
            type.getMethod("handle", type, handlers)
                    .invoke(null, type.getConstructor(String.class).newInstance(SIGNAL), handler);
        } catch (ReflectiveOperationException | RuntimeException e) {
            // Then it ends when it has done what is left to do.
            return;
        }
    }
}
