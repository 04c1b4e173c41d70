package dev.heatline.agent.locks;

import dev.heatline.agent.boot.LockHooks;
import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The classes that call hooks: those loaded when tracing begins, those loaded later, and all of
 * them back to what they were when it ends.
 */
final class ChangedClasses implements ClassFileTransformer {
    /** Changing one class stops all threads for a moment, as does changing that many. */
    private static final int BATCH = 100;

    /** By then a class is defined whose code was made before. */
    private static final long DEFINITION_NANOS = 50_000_000;

    /** As many as may be met between two looks. */
    private static final int MET = 64;

    private final Instrumentation instrumentation;

    /** Internal names. The same name twice, of different loaders, does no harm. */
    private final Set<String> changed = ConcurrentHashMap.newKeySet();

    /** Likewise; those of {@link Choice#isOnlyWhenMet} in which somebody was blocked. */
    private final Set<String> met = ConcurrentHashMap.newKeySet();

    /** Likewise; those that could not be changed, or of another loader with the same name. */
    private final Set<String> skipped = ConcurrentHashMap.newKeySet();

    private int notRestored;
    private final Map<ClassLoader, Boolean> seesHooks =
            Collections.synchronizedMap(new WeakHashMap<>());

    ChangedClasses(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
    }

    int changed() {
        return changed.size();
    }

    int skipped() {
        return skipped.size();
    }

    /** Those that keep their hooks, which have nothing to do any more. */
    int notRestored() {
        return notRestored;
    }

    void change() throws IOException {
        // What it needs must not be loaded while it works on a class: that would go round in
        // circles.
        Sample.change();
        instrumentation.addTransformer(this, true);
        @Nullable Class<?>[] chosen = loaded(this::isChosen);
        LockHooks.keepThoseWithMonitors(chosen);
        retransform(chosen, this::skip);
        retransform(Choice.PARKING, this::skip);
    }

    /** Changes those classes which were to be left alone until somebody is blocked in them. */
    void changeMet() {
        @Nullable Class<?>[] types = new @Nullable Class<?>[MET];
        int count = LockHooks.takeMet(types);
        Set<Class<?>> found = new LinkedHashSet<>();
        for (int i = 0; i < count; i++) {
            // What it inherits uses the same monitor.
            for (Class<?> type = types[i]; type != null; type = type.getSuperclass()) {
                String name = internalName(type);
                if (Choice.isOnlyWhenMet(type.getClassLoader(), name) && met.add(name)) {
                    found.add(type);
                }
            }
        }
        if (!found.isEmpty()) {
            Class<?>[] now = found.toArray(Class<?>[]::new);
            retransform(now, this::skip);
            LockHooks.renewLines(now);
        }
    }

    void restore() {
        instrumentation.removeTransformer(this);
        @Nullable Class<?>[] found = loaded(this::isChanged);
        retransform(found, type -> notRestored++);
        // Those that were being defined meanwhile have hooks, but could not be found yet.
        LockSupport.parkNanos(DEFINITION_NANOS);
        Set<Class<?>> restored = new HashSet<>(Arrays.asList(found));
        retransform(
                loaded(type -> isChanged(type) && !restored.contains(type)), type -> notRestored++);
    }

    private boolean isChanged(Class<?> type) {
        return changed.contains(internalName(type));
    }

    /** It stays among the changed: another loader's of the same name may be, and is restored. */
    private void skip(Class<?> type) {
        skipped.add(internalName(type));
    }

    private static String internalName(Class<?> type) {
        return type.getName().replace('.', '/');
    }

    private boolean isChosen(Class<?> type) {
        return !type.isHidden() && isChosen(type.getClassLoader(), internalName(type));
    }

    private boolean isChosen(@Nullable ClassLoader loader, String name) {
        return Choice.includes(loader, name)
                && (!Choice.isOnlyWhenMet(loader, name) || met.contains(name));
    }

    private @Nullable Class<?>[] loaded(Predicate<Class<?>> wanted) {
        List<Class<?>> types = new ArrayList<>();
        for (Class<?> type : instrumentation.getAllLoadedClasses()) {
            if (!type.isArray() && instrumentation.isModifiableClass(type) && wanted.test(type)) {
                types.add(type);
            }
        }
        return types.toArray(Class<?>[]::new);
    }

    private void retransform(@Nullable Class<?>[] types, Consumer<Class<?>> failed) {
        List<Class<?>> batch = new ArrayList<>();
        for (Class<?> type : types) {
            if (type != null) {
                batch.add(type);
            }
            if (batch.size() == BATCH) {
                retransform(batch, failed);
                batch.clear();
            }
        }
        retransform(batch, failed);
    }

    /** All at once or, if one of them does not let itself be changed, each on its own. */
    private void retransform(List<Class<?>> batch, Consumer<Class<?>> failed) {
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
                    retransform(List.of(type), failed);
                }
            } else {
                failed.accept(batch.get(0));
            }
        }
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String name,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] bytes) {
        if (name == null || !isChosen(loader, name)) {
            return null;
        }
        try {
            byte[] result =
                    Choice.isParking(name) ? ParkHooks.insert(bytes) : MonitorHooks.insert(bytes);
            if (result != null && !seesHooks(loader)) {
                skipped.add(name);
                return null;
            }
            if (result != null) {
                changed.add(name);
            }
            return result;
        } catch (RuntimeException | LinkageError e) {
            // A class file as no compiler writes it, or a newer one than is known here.
            skipped.add(name);
            return null;
        }
    }

    /** Loaders of module systems may hide what the boot loader has. */
    private boolean seesHooks(@Nullable ClassLoader loader) {
        if (loader == null || ClassLoader.getSystemClassLoader().equals(loader)) {
            return true;
        }
        Boolean sees = seesHooks.get(loader);
        if (sees == null) {
            try {
                sees = loader.loadClass(LockHooks.class.getName()) == LockHooks.class;
            } catch (ClassNotFoundException | RuntimeException | LinkageError e) {
                sees = false;
            }
            seesHooks.put(loader, sees);
        }
        return sees;
    }
}
