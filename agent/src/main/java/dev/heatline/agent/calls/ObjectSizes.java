package dev.heatline.agent.calls;

import dev.heatline.agent.boot.CallTrees;
import java.lang.instrument.Instrumentation;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How many bytes the objects of this JVM take. Of arrays, found out by asking for some; of a class,
 * by making an object without calling its constructor. That waits for whoever is initialising the
 * class, who may wait for us: so it is done in a thread of its own, for which nobody waits long.
 */
final class ObjectSizes {
    private static final String THREAD = "heatline sizes";
    private static final long PATIENCE_MILLIS = 500;

    private final Instrumentation instrumentation;

    /** Who can find a class, by its internal name. */
    private final Map<String, WeakReference<ClassLoader>> loaders = new HashMap<>();

    /** By internal name; what is asked for and not known yet is 0. */
    private final Map<String, Long> known = new HashMap<>();

    private final ExecutorService finder =
            Executors.newSingleThreadExecutor(
                    work -> {
                        Thread thread = new Thread(work, THREAD);
                        thread.setDaemon(true);
                        return thread;
                    });

    ObjectSizes(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
    }

    /** Bytes before the first element, by the bytes of an element: 1, 2, 4 or 8. */
    int[] arrayHeaders() {
        int[] headers = new int[Long.BYTES + 1];
        headers[Byte.BYTES] = header(Byte.BYTES);
        headers[Short.BYTES] = header(Short.BYTES);
        headers[Integer.BYTES] = header(Integer.BYTES);
        headers[Long.BYTES] = header(Long.BYTES);
        return headers;
    }

    /** What is left of an empty array when as many elements are taken as fit into its padding. */
    private int header(int scale) {
        long empty = size(scale, 0);
        int fit = 0;
        while (size(scale, fit + 1) == empty) {
            fit++;
        }
        return (int) empty - fit * scale;
    }

    private long size(int scale, int length) {
        return instrumentation.getObjectSize(
                switch (scale) {
                    case Byte.BYTES -> new byte[length];
                    case Short.BYTES -> new short[length];
                    case Integer.BYTES -> new int[length];
                    default -> new long[length];
                });
    }

    /** Bytes of an element that is an object. */
    int reference() {
        int many = 1024;
        long bytes = instrumentation.getObjectSize(new Object[many]);
        return (int) ((bytes - instrumentation.getObjectSize(new Object[0])) / many);
    }

    /** All sizes are multiples of that. */
    long alignment() {
        long empty = size(Byte.BYTES, 0);
        int length = 0;
        while (size(Byte.BYTES, length) == empty) {
            length++;
        }
        return size(Byte.BYTES, length) - empty;
    }

    /** Takes note of where a class is named. */
    synchronized void named(String internalName, @Nullable ClassLoader loader) {
        if (loader != null && !loaders.containsKey(internalName)) {
            loaders.put(internalName, new WeakReference<>(loader));
        }
    }

    /** Of an object of that class; 0 if that is not known yet, or cannot be. */
    synchronized long of(String internalName) {
        Long size = known.get(internalName);
        if (size == null) {
            known.put(internalName, 0L);
            if (!finder.isShutdown()) {
                finder.execute(() -> add(internalName));
            }
        }
        return size == null ? 0 : size;
    }

    private void add(String internalName) {
        CallTrees.ignore(Thread.currentThread());
        long size = find(internalName);
        synchronized (this) {
            known.put(internalName, size);
        }
    }

    /** Of how many classes that were asked for the size is not known. */
    synchronized int unknown() {
        int sum = 0;
        for (long size : known.values()) {
            sum += size == 0 ? 1 : 0;
        }
        return sum;
    }

    /** Waits for those that can be found; no others can be asked for after that. */
    void finish() {
        finder.shutdown();
        try {
            finder.awaitTermination(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private long find(String internalName) {
        WeakReference<ClassLoader> loader;
        synchronized (this) {
            loader = loaders.get(internalName);
        }
        try {
            Class<?> type =
                    Class.forName(
                            internalName.replace('/', '.'),
                            false,
                            loader == null ? null : loader.get());
            if (Modifier.isAbstract(type.getModifiers())) {
                return 0;
            }
            // By its name: not every runtime has it.
            Class<?> unsafe = Class.forName("sun.misc.Unsafe");
            Field instance = unsafe.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            Object made =
                    unsafe.getMethod("allocateInstance", Class.class)
                            .invoke(instance.get(null), type);
            return instrumentation.getObjectSize(Objects.requireNonNull(made));
        } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
            return 0;
        }
    }
}
