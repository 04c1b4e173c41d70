package dev.heatline.agent.locks;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Brings the hooks and their native library into the boot loader, once in the life of a JVM.
 *
 * <p>Not by a jar on the boot loader's path and {@code System.load}: for the one a JVM with shared
 * classes prints a warning, for the other one since JDK 24, and the console is the application's.
 */
final class BootClasses {
    private static final String HOOKS = "dev.heatline.agent.boot.LockHooks";
    private static final String LIBRARY = "libheatline.so";

    private static boolean loaded;

    private BootClasses() {}

    static synchronized void load(Path folder, Instrumentation instrumentation)
            throws TracingException, IOException {
        if (!loaded) {
            byte[] library = read(platform() + "/" + LIBRARY);
            if (library == null) {
                throw new TracingException(
                        "this build of Heatline has no native library for "
                                + platform()
                                + ", without which monitors cannot be traced");
            }
            byte[] hooks = read(HOOKS.replace('.', '/') + ".classdata");
            if (hooks == null) {
                throw new TracingException("the agent's jar is damaged: " + HOOKS + " is missing");
            }
            openJavaLang(instrumentation);
            Path file = folder.resolve(LIBRARY);
            try {
                Files.write(file, library);
                loadLibrary(define(hooks), file);
            } finally {
                Files.deleteIfExists(file);
            }
            loaded = true;
        }
    }

    private static String platform() {
        String arch = System.getProperty("os.arch").replace("amd64", "x86_64");
        return System.getProperty("os.name").toLowerCase(Locale.ROOT) + "-" + arch;
    }

    private static byte @Nullable [] read(String name) throws IOException {
        try (InputStream in = BootClasses.class.getClassLoader().getResourceAsStream(name)) {
            return in == null ? null : in.readAllBytes();
        }
    }

    private static void openJavaLang(Instrumentation instrumentation) {
        instrumentation.redefineModule(
                Object.class.getModule(),
                Set.of(),
                Map.of(),
                Map.of("java.lang", Set.of(BootClasses.class.getModule())),
                Set.of(),
                Map.of());
    }

    private static Class<?> define(byte[] bytes) throws TracingException {
        try {
            // There since an earlier attempt of which only the library failed.
            return Class.forName(HOOKS, true, null);
        } catch (ClassNotFoundException e) {
            return (Class<?>)
                    call(
                            ClassLoader.class,
                            "defineClass1",
                            new Class<?>[] {
                                ClassLoader.class,
                                String.class,
                                byte[].class,
                                int.class,
                                int.class,
                                ProtectionDomain.class,
                                String.class
                            },
                            null,
                            new @Nullable Object[] {
                                null, HOOKS, bytes, 0, bytes.length, null, null
                            });
        }
    }

    private static void loadLibrary(Class<?> hooks, Path file) throws TracingException {
        call(
                Runtime.class,
                "load0",
                new Class<?>[] {Class.class, String.class},
                Runtime.getRuntime(),
                new Object[] {hooks, file.toString()});
    }

    private static Object call(
            Class<?> type,
            String name,
            Class<?>[] parameters,
            @Nullable Object target,
            @Nullable Object[] arguments)
            throws TracingException {
        try {
            Method method = type.getDeclaredMethod(name, parameters);
            method.setAccessible(true);
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw new TracingException("this JVM does not load the tracer: " + e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new TracingException("this JVM is too different from those known: " + e);
        }
    }
}
