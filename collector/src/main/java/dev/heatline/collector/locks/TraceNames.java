package dev.heatline.collector.locks;

import dev.heatline.model.CallChain;
import dev.heatline.model.Consumer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the identifiers in a trace stand for. Classes, methods and call chains are as many as the
 * program has. Threads and lock objects come and go for ever, so of these the ones that were not
 * seen for longest are forgotten.
 */
final class TraceNames {
    /** So many threads, locks and blockers are known at a time. */
    static final int MOST_KNOWN = 20_000;

    /** All that nobody gave a name, as in recordings: they come by the million. */
    private static final String VIRTUAL_THREADS = "virtual threads";

    private static final String UNKNOWN = "[unknown]";
    /** Outermost in a chain of which the tracer kept only the inner part. */
    private static final Consumer CUT_OFF = Consumer.method("", "[calls further out]", "");

    private static final Consumer UNKNOWN_THREAD = Consumer.thread("", "[unknown thread]");

    private final Recent<Consumer> threads = new Recent<>();
    private final Map<Long, String> classes = new HashMap<>();
    private final Map<Long, Consumer> methods = new HashMap<>();
    private final Map<Long, CallChain> chains = new HashMap<>();
    private final Recent<LockObject> locks = new Recent<>();

    /** Of blockers that nobody owns, the class: futures and tasks are there for one wait only. */
    private final Recent<LockObject> blockers = new Recent<>();

    private final Map<String, LockObject> anyOfClass = new HashMap<>();

    /** Keeps what was put or asked for last. */
    private static final class Recent<V> {
        private final LinkedHashMap<Long, V> values = new LinkedHashMap<>(16, 0.75f, true);

        void put(long id, V value) {
            values.put(id, value);
            if (values.size() > MOST_KNOWN) {
                values.pollFirstEntry();
            }
        }

        V get(long id, V otherwise) {
            return values.getOrDefault(id, otherwise);
        }
    }

    /**
     * A lock object.
     *
     * @param className with dots
     * @param name what people know it by
     */
    record LockObject(String className, String name) {
        private static final LockObject NONE = new LockObject("[no blocker]", "[no blocker]");
        private static final LockObject FORGOTTEN = new LockObject(UNKNOWN, UNKNOWN);

        /** As people write an object without a name. */
        static LockObject of(String className, int identityHash) {
            return new LockObject(
                    className, simple(className) + "@" + Integer.toHexString(identityHash));
        }

        private static String simple(String className) {
            return className.substring(className.lastIndexOf('.') + 1);
        }

        LockObject anyOfItsClass() {
            return new LockObject(className, simple(className));
        }
    }

    void thread(long id, String name, boolean virtual) {
        String unnamed = virtual ? VIRTUAL_THREADS : "thread " + id;
        threads.put(id, Consumer.thread("", name.isEmpty() ? unnamed : name));
    }

    void className(long id, String name) {
        classes.put(id, name);
    }

    void method(long id, long classId, String name, String descriptor) {
        methods.put(id, Consumer.method(classes.getOrDefault(classId, UNKNOWN), name, descriptor));
    }

    /**
     * Frames innermost first.
     *
     * @param cutOff whether there were more than the tracer keeps
     */
    void chain(long id, List<Long> methodIds, List<Integer> lines, boolean cutOff) {
        List<Consumer> frames = new ArrayList<>();
        methodIds.forEach(method -> frames.add(methodOf(method)));
        List<Integer> linesOfFrames = new ArrayList<>(lines);
        if (cutOff) {
            frames.add(CUT_OFF);
            linesOfFrames.add(0);
        }
        chains.put(id, new CallChain(frames, linesOfFrames));
    }

    void lock(long id, long classId, int identityHash) {
        locks.put(id, LockObject.of(classes.getOrDefault(classId, UNKNOWN), identityHash));
    }

    /** Somebody parks with it. */
    void blocker(long id) {
        LockObject object = locks.get(id, LockObject.NONE);
        if (!object.equals(LockObject.NONE) && !Blocker.isOwned(object.className())) {
            locks.values.remove(id);
            blockers.put(
                    id,
                    anyOfClass.computeIfAbsent(object.className(), _ -> object.anyOfItsClass()));
        }
    }

    private Consumer methodOf(long id) {
        return methods.getOrDefault(id, Consumer.method(UNKNOWN, "method " + id, ""));
    }

    Consumer threadOf(long id) {
        return threads.get(id, UNKNOWN_THREAD);
    }

    CallChain chainOf(long id) {
        return chains.getOrDefault(id, CallChain.NONE);
    }

    LockObject lockOf(long id) {
        return id == 0 ? LockObject.NONE : locks.get(id, blockers.get(id, LockObject.FORGOTTEN));
    }

    /** How many names are known. */
    long size() {
        return (long) threads.values.size()
                + classes.size()
                + methods.size()
                + chains.size()
                + locks.values.size()
                + blockers.values.size()
                + anyOfClass.size();
    }
}
