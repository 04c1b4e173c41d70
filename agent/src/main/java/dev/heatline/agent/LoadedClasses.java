package dev.heatline.agent;

import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The classes of this JVM, and how to have them changed by those who registered for it. */
public final class LoadedClasses {
    /** Changing one class stops all threads for a moment, as does changing that many. */
    private static final int BATCH = 100;

    /** By then a class is defined whose code was made before. */
    private static final long DEFINITION_NANOS = 50_000_000;

    private final Instrumentation instrumentation;
    private final Class<?> hooks;
    private final ByLoader<Boolean> seesHooks = new ByLoader<>();

    /**
     * For whoever changes them.
     *
     * @param hooks what changed classes call
     */
    public LoadedClasses(Instrumentation instrumentation, Class<?> hooks) {
        this.instrumentation = instrumentation;
        this.hooks = hooks;
    }

    /** Those that can be changed. */
    public List<Class<?>> all(Predicate<Class<?>> wanted) {
        List<Class<?>> types = new ArrayList<>();
        for (Class<?> type : instrumentation.getAllLoadedClasses()) {
            if (!type.isArray() && wanted.test(type) && instrumentation.isModifiableClass(type)) {
                types.add(type);
            }
        }
        return types;
    }

    public static String internalName(Class<?> type) {
        return type.getName().replace('.', '/');
    }

    /**
     * Has classes changed anew, from the code they were loaded with.
     *
     * @param failed told of those that do not let themselves be changed
     */
    public void change(Collection<Class<?>> types, Consumer<Class<?>> failed) {
        List<Class<?>> batch = new ArrayList<>();
        for (Class<?> type : types) {
            batch.add(type);
            if (batch.size() == BATCH) {
                changeAtOnce(batch, failed);
                batch.clear();
            }
        }
        changeAtOnce(batch, failed);
    }

    /**
     * Gives classes their own code back, after who changed them is no longer asked.
     *
     * @param names of those that were changed, as they are when they are looked at
     * @param failed told of those that keep what they have
     */
    public void restore(Set<String> names, Consumer<Class<?>> failed) {
        List<Class<?>> found = all(type -> names.contains(internalName(type)));
        change(found, failed);
        // Those that were being defined meanwhile are changed, but could not be found yet.
        LockSupport.parkNanos(DEFINITION_NANOS);
        Set<Class<?>> restored = new HashSet<>(found);
        change(all(type -> names.contains(internalName(type)) && !restored.contains(type)), failed);
    }

    /** All at once or, if one of them does not let itself be changed, each on its own. */
    private void changeAtOnce(List<Class<?>> batch, Consumer<Class<?>> failed) {
        if (batch.isEmpty()) {
            return;
        }
        try {
            instrumentation.retransformClasses(batch.toArray(Class<?>[]::new));
        } catch (UnmodifiableClassException
                | RuntimeException
                | LinkageError
                | VirtualMachineError e) {
            if (batch.size() > 1) {
                for (Class<?> type : batch) {
                    changeAtOnce(List.of(type), failed);
                }
            } else {
                failed.accept(batch.get(0));
            }
        }
    }

    /**
     * Whether classes of a loader can call the hooks: module systems may hide them. Runs the
     * application's code, unless that loader {@link #wasAsked was asked}.
     */
    public boolean seesHooks(@Nullable ClassLoader loader) {
        if (loader == null || isSystem(loader)) {
            return true;
        }
        Boolean sees = seesHooks.get(loader);
        if (sees == null) {
            try {
                sees = loader.loadClass(hooks.getName()) == hooks;
            } catch (ClassNotFoundException | RuntimeException | Error e) {
                // The application's code may throw what it likes.
                sees = false;
            }
            seesHooks.put(loader, sees);
        }
        return sees;
    }

    /** Whether it is known what a loader sees. */
    public boolean wasAsked(@Nullable ClassLoader loader) {
        return loader == null || isSystem(loader) || seesHooks.get(loader) != null;
    }

    @SuppressWarnings("ReferenceEquality") // Applications may have one that thinks otherwise.
    private static boolean isSystem(ClassLoader loader) {
        return loader == ClassLoader.getSystemClassLoader();
    }
}
