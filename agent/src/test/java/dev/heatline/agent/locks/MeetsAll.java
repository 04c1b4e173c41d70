package dev.heatline.agent.locks;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Another agent in the same JVM, which has classes changed as if somebody was blocked in them. */
public final class MeetsAll {
    private MeetsAll() {}

    /** Takes the internal names of the classes, which are loaded. */
    public static void agentmain(String names, Instrumentation instrumentation) throws Exception {
        List<String> wanted = Arrays.asList(names.split(",", -1));
        Class<?> locks =
                Arrays.stream(instrumentation.getAllLoadedClasses())
                        .filter(it -> it.getName().equals("dev.heatline.agent.locks.Locks"))
                        .findFirst()
                        .orElseThrow();
        Object classes = read(read(locks, null, "current"), "classes");
        @SuppressWarnings("unchecked")
        Set<String> met = (Set<String>) read(classes, "met");
        met.addAll(wanted);
        instrumentation.retransformClasses(
                Arrays.stream(instrumentation.getAllLoadedClasses())
                        .filter(it -> wanted.contains(it.getName().replace('.', '/')))
                        .toArray(Class<?>[]::new));
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
