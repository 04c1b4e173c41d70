package dev.heatline.collector.locks;

import dev.heatline.model.CallChain;
import dev.heatline.model.Consumer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the identifiers in a trace stand for. */
final class TraceNames {
    /** All that nobody gave a name, as in recordings: they come by the million. */
    private static final String VIRTUAL_THREADS = "virtual threads";

    private final Map<Long, Consumer> threads = new HashMap<>();
    private final Map<Long, String> classes = new HashMap<>();
    private final Map<Long, Consumer> methods = new HashMap<>();
    private final Map<Long, CallChain> chains = new HashMap<>();
    private final Map<Long, LockObject> locks = new HashMap<>();

    /**
     * A lock object.
     *
     * @param className with dots
     * @param identityHash what {@code System.identityHashCode} says of it
     */
    record LockObject(String className, int identityHash) {
        static final LockObject NONE = new LockObject("", 0);

        /** As people write an object without a name. */
        String name() {
            return className.isEmpty()
                    ? "[no blocker]"
                    : className.substring(className.lastIndexOf('.') + 1)
                            + "@"
                            + Integer.toHexString(identityHash);
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
        methods.put(
                id, Consumer.method(classes.getOrDefault(classId, "[unknown]"), name, descriptor));
    }

    /** Frames innermost first. */
    void chain(long id, List<Long> methodIds, List<Integer> lines) {
        chains.put(id, new CallChain(methodIds.stream().map(this::methodOf).toList(), lines));
    }

    void lock(long id, long classId, int identityHash) {
        locks.put(id, new LockObject(classes.getOrDefault(classId, "[unknown]"), identityHash));
    }

    private Consumer methodOf(long id) {
        return methods.getOrDefault(id, Consumer.method("[unknown]", "method " + id, ""));
    }

    Consumer threadOf(long id) {
        return threads.getOrDefault(id, Consumer.thread("", "thread " + id));
    }

    CallChain chainOf(long id) {
        return chains.getOrDefault(id, CallChain.NONE);
    }

    LockObject lockOf(long id) {
        return locks.getOrDefault(id, LockObject.NONE);
    }
}
