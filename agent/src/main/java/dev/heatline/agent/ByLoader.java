package dev.heatline.agent;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A value for each of some class loaders, for as long as these are in use. Never asks a loader
 * whether it is equal to another: that could be the application's code. Safe for use by several
 * threads, which may lock it for as long as nothing must change.
 */
public final class ByLoader<V> {
    private final Map<Key, V> values = new HashMap<>();
    private final ReferenceQueue<ClassLoader> gone = new ReferenceQueue<>();

    /** Compared by the identity of its loader, and by its own once that is gone. */
    private static final class Key extends WeakReference<ClassLoader> {
        private final int hash;

        Key(ClassLoader loader, @Nullable ReferenceQueue<ClassLoader> gone) {
            super(loader, gone);
            hash = System.identityHashCode(loader);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // Their own opinion is what must not be asked for.
        public boolean equals(@Nullable Object other) {
            if (this == other) {
                return true;
            }
            ClassLoader loader = get();
            return loader != null && other instanceof Key key && key.get() == loader;
        }
    }

    public ByLoader() {
        // What this needs must be loaded before it is asked by a thread that is loading a class.
        ClassLoader any = Objects.requireNonNull(ByLoader.class.getClassLoader());
        values.remove(new Key(any, null));
        loaders();
    }

    /** The value of this loader, if it has one. */
    public synchronized @Nullable V get(ClassLoader loader) {
        return values.get(new Key(loader, null));
    }

    /** Gives it another value. */
    public synchronized void put(ClassLoader loader, V value) {
        forgetGone();
        values.put(new Key(loader, gone), value);
    }

    /** Takes its value away. */
    public synchronized void remove(ClassLoader loader) {
        values.remove(new Key(loader, null));
    }

    /** Those that have a value. */
    public synchronized List<ClassLoader> loaders() {
        forgetGone();
        List<ClassLoader> loaders = new ArrayList<>();
        for (Key key : values.keySet()) {
            ClassLoader loader = key.get();
            if (loader != null) {
                loaders.add(loader);
            }
        }
        return loaders;
    }

    private void forgetGone() {
        for (Reference<?> key = gone.poll(); key != null; key = gone.poll()) {
            values.remove(key);
        }
    }
}
