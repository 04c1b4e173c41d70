package dev.heatline.agent;

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
 * Brings hooks into the boot loader, where every class can call them, once in the life of a JVM.
 *
 * <p>Not by a jar on the boot loader's path and {@code System.load}: for the one a JVM with shared
 * classes prints a warning, for the other one since JDK 24, and the console is the application's.
 */
public final class BootClasses {
    private static final String LIBRARY = "libheatline.so";

    private BootClasses() {}

    /** Defines classes of this agent, those that others need first. */
    public static synchronized void define(Instrumentation instrumentation, String... names)
            throws RefusedException, IOException {
        openJavaLang(instrumentation);
        for (String name : names) {
            define(name);
        }
    }

    /**
     * Defines a class together with the native library that it needs. To be called once for each.
     *
     * @param folder where the library may lie for a moment
     */
    public static synchronized void defineWithLibrary(
            Path folder, Instrumentation instrumentation, String name)
            throws RefusedException, IOException {
        byte[] library = read(platform() + "/" + LIBRARY);
        if (library == null) {
            throw new RefusedException(
                    "this build of Heatline has no native library for "
                            + platform()
                            + ", without which monitors cannot be traced");
        }
        openJavaLang(instrumentation);
        Path file = folder.resolve(LIBRARY);
        try {
            Files.write(file, library);
            loadLibrary(define(name), file);
        } finally {
            Files.deleteIfExists(file);
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

    private static Class<?> define(String name) throws RefusedException, IOException {
        try {
            // There since it was last needed, or since an attempt of which only the library failed.
            return Class.forName(name, true, null);
        } catch (ClassNotFoundException e) {
            byte[] bytes = read(name.replace('.', '/') + ".classdata");
            if (bytes == null) {
                throw new RefusedException("the agent's jar is damaged: " + name + " is missing");
            }
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
                                null, name, bytes, 0, bytes.length, null, null
                            });
        }
    }

    private static void loadLibrary(Class<?> hooks, Path file) throws RefusedException {
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
            throws RefusedException {
        try {
            Method method = type.getDeclaredMethod(name, parameters);
            method.setAccessible(true);
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw new RefusedException(
                    "this JVM does not load the agent's classes: " + e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new RefusedException("this JVM is too different from those known: " + e);
        }
    }
}
