package dev.heatline.agent.locks;

import dev.heatline.agent.LoadedClasses;
import dev.heatline.agent.boot.LockHooks;
import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The classes that call hooks: those loaded when tracing begins, those loaded later, and all of
 * them back to what they were when it ends.
 */
final class ChangedClasses implements ClassFileTransformer {
    /** As many as may be met between two looks. */
    private static final int MET = 64;

    private final Instrumentation instrumentation;
    private final LoadedClasses loaded;

    /** Internal names. The same name twice, of different loaders, does no harm. */
    private final Set<String> changed = ConcurrentHashMap.newKeySet();

    /** Likewise; those of {@link Choice#isOnlyWhenMet} in which somebody was blocked. */
    private final Set<String> met = ConcurrentHashMap.newKeySet();

    /** Likewise; those that could not be changed, or of another loader with the same name. */
    private final Set<String> skipped = ConcurrentHashMap.newKeySet();

    private int notRestored;

    ChangedClasses(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
        this.loaded = new LoadedClasses(instrumentation, LockHooks.class);
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
        @Nullable Class<?>[] chosen = loaded.all(this::isChosen).toArray(Class<?>[]::new);
        LockHooks.keepThoseWithMonitors(chosen, MonitorSearch.opcodeLengths());
        loaded.change(kept(chosen), this::skip);
        loaded.change(Choice.PARKING, this::skip);
    }

    /** Changes those classes which were to be left alone until somebody is blocked in them. */
    void changeMet() {
        @Nullable Class<?>[] types = new @Nullable Class<?>[MET];
        int count = LockHooks.takeMet(types);
        Set<Class<?>> found = new LinkedHashSet<>();
        for (int i = 0; i < count; i++) {
            // What it inherits uses the same monitor.
            for (Class<?> type = types[i]; type != null; type = type.getSuperclass()) {
                String name = LoadedClasses.internalName(type);
                if (Choice.isOnlyWhenMet(type.getClassLoader(), name) && met.add(name)) {
                    found.add(type);
                }
            }
        }
        if (!found.isEmpty()) {
            loaded.change(found, this::skip);
            LockHooks.renewLines(found.toArray(Class<?>[]::new));
        }
    }

    void restore() {
        instrumentation.removeTransformer(this);
        loaded.restore(changed, type -> notRestored++);
    }

    private static List<Class<?>> kept(@Nullable Class<?>[] types) {
        List<Class<?>> kept = new ArrayList<>();
        for (Class<?> type : types) {
            if (type != null) {
                kept.add(type);
            }
        }
        return kept;
    }

    /** It stays among the changed: another loader's of the same name may be, and is restored. */
    private void skip(Class<?> type) {
        skipped.add(LoadedClasses.internalName(type));
    }

    private boolean isChosen(Class<?> type) {
        return !type.isHidden()
                && isChosen(type.getClassLoader(), LoadedClasses.internalName(type));
    }

    private boolean isChosen(@Nullable ClassLoader loader, String name) {
        return Choice.includes(loader, name)
                && (!Choice.isOnlyWhenMet(loader, name) || met.contains(name));
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
            if (result != null && !loaded.seesHooks(loader)) {
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
}
