package dev.heatline.agent.locks;

import dev.heatline.agent.ByLoader;
import dev.heatline.agent.LoadedClasses;
import dev.heatline.agent.boot.LockHooks;
import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.ref.WeakReference;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The classes that call hooks: those by which threads park, and those that have to do with locks
 * that somebody had to wait for, from then on.
 *
 * <p>A class that is changed takes the compiled code with it of everything that calls it. So what
 * nobody waits for is left as it is, which is nearly all of most programs: it is as fast while
 * locks are traced as it was before, and as it will be.
 */
final class ChangedClasses implements ClassFileTransformer {
    /** As many as may be met between two looks. */
    private static final int MET = 256;

    /** So many are changed at once; until then the new positions in their code have old lines. */
    private static final int BATCH = 100;

    /** Who notifies is looked for once, and again for what was being defined at that time. */
    private static final int NOTIFIER_LOOKS = 2;

    private final Instrumentation instrumentation;
    private final LoadedClasses loaded;

    /** Internal names. The same name twice, of different loaders, does no harm. */
    private final Set<String> changed = ConcurrentHashMap.newKeySet();

    /** Likewise; {@link Choice#family families} of what has to do with locks waited for. */
    private final Set<String> met = ConcurrentHashMap.newKeySet();

    /**
     * Likewise; those that could not be changed, or not everywhere where they leave monitors, or of
     * another loader with the same name.
     */
    private final Set<String> skipped = ConcurrentHashMap.newKeySet();

    /** Somebody waits; whoever notifies may be a class that nobody was ever blocked in. */
    private volatile boolean notifiersMet;

    private int notifierLooks;

    private final Asking asking;

    /** Internal names of classes that are not changed because their loader was not asked yet. */
    private final ByLoader<Set<String>> unasked = new ByLoader<>();

    /** Loaders to be asked of which no class may be found yet. */
    private final List<WeakReference<ClassLoader>> behind = new ArrayList<>();

    /** Families that were met last, and the classes that were found for them. */
    private final Set<String> recent = new HashSet<>();

    private final Set<Class<?>> found = new HashSet<>();

    private int notRestored;

    ChangedClasses(Instrumentation instrumentation, Asking asking) {
        this.instrumentation = instrumentation;
        this.asking = asking;
        this.loaded = new LoadedClasses(instrumentation, LockHooks.class);
    }

    int changed() {
        return changed.size();
    }

    /** Those whose loader does not come back are changed when it does. */
    int skipped() {
        int count = skipped.size();
        synchronized (unasked) {
            for (ClassLoader loader : unasked.loaders()) {
                count += asking.canAsk(loader) ? 0 : unaskedOf(loader).size();
            }
        }
        return count;
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
        loaded.change(Choice.PARKING, this::skip);
    }

    /** Whether there is something to change that nobody had to wait for just now. */
    boolean isBehind() {
        synchronized (unasked) {
            return unasked.loaders().stream().anyMatch(asking::canAsk);
        }
    }

    /** Takes note of what was met since the last time. */
    void takeMet() {
        @Nullable Class<?>[] types = new @Nullable Class<?>[MET];
        LockHooks.takeMet(types);
        for (Class<?> type : kept(types)) {
            if (isIncluded(type) && met.add(family(type))) {
                recent.add(family(type));
            }
        }
        synchronized (unasked) {
            for (ClassLoader loader : unasked.loaders()) {
                if (asking.canAsk(loader)) {
                    unaskedOf(loader).forEach(name -> recent.add(Choice.family(loader, name)));
                    unasked.remove(loader);
                    behind.add(new WeakReference<>(loader));
                }
            }
        }
    }

    private Set<String> unaskedOf(ClassLoader loader) {
        Set<String> names = unasked.get(loader);
        return names == null ? Set.of() : names;
    }

    /**
     * Begins to ask the loaders of what is to be changed whether it could call the hooks. That is
     * the application's code, which may take locks of its own: no thread that has any may wait for
     * this, nor one that others wait for, nor one that is just defining a class.
     */
    Asking.Round askLoaders() {
        Set<ClassLoader> loaders = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Class<?> type :
                loaded.all(type -> isIncluded(type) && recent.contains(family(type)))) {
            loaders.add(type.getClassLoader());
        }
        for (WeakReference<ClassLoader> each : behind) {
            ClassLoader loader = each.get();
            if (loader != null) {
                loaders.add(loader);
            }
        }
        behind.clear();
        loaders.removeIf(loaded::wasAsked);
        return asking.begin(loaders, loaded);
    }

    /** Changes what was taken note of. */
    void changeMet() {
        changeRecent();
    }

    /**
     * Changes what was being defined while {@link #changeMet} looked for it: it could not be found
     * yet, and its code had been made before. To be called when that must be over.
     */
    void changeLate() {
        changeRecent();
        recent.clear();
        found.clear();
    }

    private void changeRecent() {
        if (change(recent)) {
            notifiersMet = true;
        }
        if (notifiersMet && notifierLooks < NOTIFIER_LOOKS) {
            notifierLooks++;
            changeNotifiers();
        }
    }

    /** Returns whether any of them waits. */
    private boolean change(Set<String> families) {
        if (families.isEmpty()) {
            return false;
        }
        @Nullable Class<?>[] types =
                all(type -> families.contains(family(type)) && !found.contains(type));
        found.addAll(kept(types));
        LockHooks.keepThoseWithMonitors(types, MonitorSearch.opcodeLengths());
        List<Class<?>> kept = kept(types);
        if (kept.isEmpty()) {
            return false;
        }
        kept.removeIf(this::isUnasked);
        for (int i = 0; i < kept.size(); i += BATCH) {
            List<Class<?>> batch = kept.subList(i, Math.min(i + BATCH, kept.size()));
            loaded.change(batch, this::skip);
            LockHooks.renewLines(batch.toArray(Class<?>[]::new));
        }
        LockHooks.keepThoseThatWait(types);
        return !kept(types).isEmpty();
    }

    private boolean isUnasked(Class<?> type) {
        return isUnasked(type.getClassLoader(), LoadedClasses.internalName(type));
    }

    /** Whether a class cannot be changed now. It is taken note of then. */
    private boolean isUnasked(@Nullable ClassLoader loader, String name) {
        if (loader == null || loaded.wasAsked(loader)) {
            return false;
        }
        synchronized (unasked) {
            Set<String> names = unasked.get(loader);
            if (names == null) {
                names = new HashSet<>();
                unasked.put(loader, names);
            }
            names.add(name);
        }
        return true;
    }

    private void changeNotifiers() {
        @Nullable Class<?>[] types = all(type -> !met.contains(family(type)));
        LockHooks.keepThoseThatNotify(types);
        Set<String> families = new HashSet<>();
        kept(types).forEach(type -> families.add(family(type)));
        met.addAll(families);
        recent.addAll(families);
        change(families);
    }

    private @Nullable Class<?>[] all(Predicate<Class<?>> wanted) {
        return loaded.all(type -> isIncluded(type) && wanted.test(type)).toArray(Class<?>[]::new);
    }

    private static boolean isIncluded(Class<?> type) {
        return !type.isHidden()
                && Choice.includes(type.getClassLoader(), LoadedClasses.internalName(type));
    }

    private static String family(Class<?> type) {
        return Choice.family(type.getClassLoader(), LoadedClasses.internalName(type));
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

    private boolean isChosen(@Nullable ClassLoader loader, String name, byte[] bytes) {
        return Choice.isParking(name)
                || met.contains(Choice.family(loader, name))
                || (notifiersMet && MonitorSearch.notifies(bytes));
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String name,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] bytes) {
        if (name == null || !Choice.includes(loader, name)) {
            return null;
        }
        try {
            if (!isChosen(loader, name, bytes)) {
                return null;
            }
            if (isUnasked(loader, name)) {
                return null;
            }
            byte[] result = insert(name, bytes);
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

    private byte @Nullable [] insert(String name, byte[] bytes) {
        return Choice.isParking(name)
                ? ParkHooks.insert(bytes)
                : MonitorHooks.insert(bytes, () -> skipped.add(name));
    }
}
