package dev.heatline.bench.workload;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.AbstractQueuedLongSynchronizer;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.LockSupport;

/**
 * An agent that lets the JVM take all classes of the application anew, and those by which threads
 * park, just as they are. Their compiled code and what was known for compiling it are lost, as
 * after every change. Tracing locks changes those of them that have monitors.
 */
public final class Unchanged {
    private static final String HIDDEN = "/";

    private Unchanged() {}

    public static void agentmain(String args, Instrumentation instrumentation)
            throws UnmodifiableClassException {
        ClassFileTransformer nothing = new ClassFileTransformer() {};
        instrumentation.addTransformer(nothing, true);
        try {
            instrumentation.retransformClasses(classes(instrumentation));
        } finally {
            instrumentation.removeTransformer(nothing);
        }
    }

    private static Class<?>[] classes(Instrumentation instrumentation) {
        List<Class<?>> classes =
                new ArrayList<>(
                        List.of(
                                LockSupport.class,
                                AbstractQueuedSynchronizer.ConditionObject.class,
                                AbstractQueuedLongSynchronizer.ConditionObject.class));
        for (Class<?> each : instrumentation.getAllLoadedClasses()) {
            ClassLoader loader = each.getClassLoader();
            if (loader != null
                    && !loader.equals(ClassLoader.getPlatformClassLoader())
                    && !each.getName().contains(HIDDEN)
                    && instrumentation.isModifiableClass(each)) {
                classes.add(each);
            }
        }
        return classes.toArray(Class<?>[]::new);
    }
}
