package dev.heatline.agent.locks;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.util.Set;

/** Another agent in the same JVM, after which nothing can be met any more. */
public final class Breaker {
    private Breaker() {}

    /** Takes nothing. */
    public static void agentmain(String options, Instrumentation instrumentation) throws Exception {
        Object classes = MeetsAll.classes(instrumentation);
        Field met = classes.getClass().getDeclaredField("met");
        met.setAccessible(true);
        met.set(classes, Set.of());
    }
}
