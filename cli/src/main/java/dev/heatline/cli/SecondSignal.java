package dev.heatline.cli;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * A signal that comes while the JVM is already ending because of the first. The JVM itself does not
 * hear it then. There is no supported way to hear signals, so this uses what every JDK has, and does
 * nothing where it is gone.
 */
enum SecondSignal {
    INTERRUPT("INT", 130);

    private final String signal;
    private final int exit;

    SecondSignal(String signal, int exit) {
        this.signal = signal;
        this.exit = exit;
    }

    /** From now on it ends the JVM, whatever there is to do. */
    void endAtOnce() {
        InvocationHandler halting =
                (handler, method, arguments) -> {
                    if (method.getDeclaringClass() != Object.class) {
                        Runtime.getRuntime().halt(exit);
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
                    .invoke(null, type.getConstructor(String.class).newInstance(signal), handler);
        } catch (ReflectiveOperationException | RuntimeException e) {
            // Then it ends when it has done what is left to do.
            return;
        }
    }
}
