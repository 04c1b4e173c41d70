package dev.heatline.agent.locks;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Another agent in the same JVM, which has classes changed as if somebody was blocked in them. */
public final class MeetsAll {
    private MeetsAll() {}

    /** Takes a file of internal names: of classes of the JDK, or of those others are nested in. */
    public static void agentmain(String names, Instrumentation instrumentation) throws Exception {
        Set<String> wanted = Set.copyOf(Files.readAllLines(Path.of(names)));
        @SuppressWarnings("unchecked")
        Set<String> met = (Set<String>) read(classes(instrumentation), "met");
        met.addAll(wanted);
        instrumentation.retransformClasses(
                Arrays.stream(instrumentation.getAllLoadedClasses())
                        .filter(it -> wanted.contains(family(it.getName().replace('.', '/'))))
                        .filter(instrumentation::isModifiableClass)
                        .toArray(Class<?>[]::new));
    }

    /** The {@link ChangedClasses} of the trace that is on. */
    static Object classes(Instrumentation instrumentation) throws Exception {
        Class<?> locks =
                Arrays.stream(instrumentation.getAllLoadedClasses())
                        .filter(it -> it.getName().equals("dev.heatline.agent.locks.Locks"))
                        .findFirst()
                        .orElseThrow();
        return read(read(read(locks, null, "HERE"), "current"), "classes");
    }

    private static String family(String name) {
        boolean ours = name.startsWith("dev/heatline/");
        int nested = name.indexOf('$');
        return ours && nested >= 0 ? name.substring(0, nested) : name;
    }

    private static Object read(Object from, String name) throws Exception {
        return read(from.getClass(), from, name);
    }

    private static Object read(Class<?> type, @Nullable Object from, String name) throws Exception {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field.get(from);
    }
}
