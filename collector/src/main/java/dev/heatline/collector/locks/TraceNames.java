package dev.heatline.collector.locks;

import dev.heatline.model.CallChain;
import dev.heatline.model.Consumer;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the identifiers in a trace stand for. Threads and lock objects come and go for ever, and in
 * a program that makes classes as it runs so do classes, methods and call chains. So the ones that
 * were not seen for longest can be forgotten. Each bound is above that of the tracer, which
 * describes again only what it has forgotten itself.
 */
final class TraceNames {
    /** The tracer describes all threads again after 96K of them. */
    static final int MOST_THREADS = 128 * 1024;

    /**
     * Of classes, methods and call chains the tracer describes all again after 64K of one of them.
     */
    static final int MOST_IN_CODE = 128 * 1024;

    /** Objects that may be monitors, of which the tracer remembers 32K. */
    static final int MOST_MONITORS = 64 * 1024;

    /** Of what threads park for, the tracer describes nothing twice; most is there for one wait. */
    static final int MOST_BLOCKERS = 128 * 1024;

    /** Locks that threads park for stay for long, and without their class owners are unknown. */
    static final int MOST_OWNED = 256 * 1024;

    /**
     * Of call chains, with the methods in them: 13 MB at most. The tracer may describe more before
     * it forgets, where next to nothing is shared.
     */
    static final long MOST_FRAMES = 256 * 1024;

    /** So many are never too many, however little memory is left. */
    static final long LEAST_FRAMES = 16 * 1024;

    /** Those of a hot lock are asked for again and again. */
    private static final int MOST_ASKED = 256;

    /** What a chain takes besides its frames, as if it were frames. */
    private static final int FRAMES_OF_CHAIN = 4;

    /** All that nobody gave a name, as in recordings: they come by the million. */
    private static final String VIRTUAL_THREADS = "virtual threads";

    private static final Consumer VIRTUAL_THREAD = Consumer.thread("", VIRTUAL_THREADS);

    private static final String UNKNOWN = "[unknown]";

    /** Outermost in a chain of which the tracer kept only the inner part. */
    private static final Consumer CUT_OFF = Consumer.method("", "[calls further out]", "");

    private static final CallChain FORGOTTEN_CHAIN =
            CallChain.of(List.of(Consumer.method("", UNKNOWN, "")));

    private static final Consumer UNKNOWN_THREAD = Consumer.thread("", "[unknown thread]");

    private final Recent<Consumer> threads = new Recent<>(MOST_THREADS);
    private final Recent<String> classes = new Recent<>(MOST_IN_CODE);
    private final Recent<Consumer> methods = new Recent<>(MOST_IN_CODE);

    /** Each by the node of its innermost frame. */
    private final Recent<Integer> chains = new Recent<>(MOST_IN_CODE);

    /** Some of them as they were asked for last. */
    private final Recent<CallChain> asked = new Recent<>(MOST_ASKED);

    private final long mostFrames;

    /** The frames of chains, outermost first, so that chains share what they have in common. */
    private ProfileBuilder frames = new ProfileBuilder();

    /** Locks that threads park for. */
    private final Recent<LockObject> owned = new Recent<>(MOST_OWNED);

    /** What else may be a lock: monitors, and blockers until somebody parks with them. */
    private final Recent<LockObject> locks = new Recent<>(MOST_MONITORS);

    /** Of blockers that nobody owns, the class: futures and tasks are there for one wait only. */
    private final Recent<LockObject> blockers = new Recent<>(MOST_BLOCKERS);

    private final Map<String, LockObject> anyOfClass = new HashMap<>();

    /** Knows what was put or asked for last. */
    private static final class Recent<V> {
        private final LinkedHashMap<Long, V> values = new LinkedHashMap<>(16, 0.75f, true);
        private final int most;

        Recent(int most) {
            this.most = most;
        }

        void put(long id, V value) {
            values.put(id, value);
        }

        void forgetOld() {
            while (values.size() > most) {
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

    TraceNames() {
        this(MOST_FRAMES);
    }

    /**
     * Likewise, with another bound.
     *
     * @param mostFrames of call chains, with the methods in them
     */
    TraceNames(long mostFrames) {
        this.mostFrames = mostFrames;
    }

    void thread(long id, String name, boolean virtual) {
        boolean unnamed = name.isEmpty();
        threads.put(
                id,
                unnamed && virtual
                        ? VIRTUAL_THREAD
                        : Consumer.thread("", unnamed ? "thread " + id : name));
    }

    void className(long id, String name) {
        classes.put(id, name);
    }

    void method(long id, long classId, String name, String descriptor) {
        methods.put(id, Consumer.method(classes.get(classId, UNKNOWN), name, descriptor));
    }

    /**
     * Frames innermost first.
     *
     * @param cutOff whether there were more than the tracer keeps
     */
    void chain(long id, List<Long> methodIds, List<Integer> lines, boolean cutOff) {
        List<Consumer> methods = new ArrayList<>();
        methodIds.forEach(method -> methods.add(methodOf(method)));
        List<Integer> linesOfMethods = new ArrayList<>(lines);
        if (cutOff) {
            methods.add(CUT_OFF);
            linesOfMethods.add(0);
        }
        asked.values.remove(id);
        chains.put(id, frames.stack(Profile.ROOT, new CallChain(methods, linesOfMethods)));
        if (frames.size() > mostFrames) {
            forgetChains(mostFrames / 2);
        }
    }

    /** Keeps as many frames, of those chains that were put or asked for last. */
    private void forgetChains(long most) {
        ProfileBuilder kept = new ProfileBuilder();
        Iterator<Map.Entry<Long, Integer>> latestFirst =
                chains.values.reversed().entrySet().iterator();
        while (latestFirst.hasNext()) {
            Map.Entry<Long, Integer> each = latestFirst.next();
            if (kept.size() < most) {
                each.setValue(kept.stack(Profile.ROOT, frames.chain(each.getValue())));
            } else {
                latestFirst.remove();
            }
        }
        frames = kept;
    }

    void lock(long id, long classId, int identityHash) {
        LockObject object = LockObject.of(classes.get(classId, UNKNOWN), identityHash);
        (Blocker.isOwned(object.className()) ? owned : locks).put(id, object);
    }

    /** Somebody parks with it. */
    void blocker(long id) {
        LockObject object = locks.get(id, LockObject.NONE);
        if (!object.equals(LockObject.NONE)) {
            locks.values.remove(id);
            blockers.put(
                    id,
                    anyOfClass.computeIfAbsent(object.className(), _ -> object.anyOfItsClass()));
        }
    }

    private Consumer methodOf(long id) {
        return methods.get(id, Consumer.method(UNKNOWN, "method " + id, ""));
    }

    Consumer threadOf(long id) {
        return threads.get(id, UNKNOWN_THREAD);
    }

    CallChain chainOf(long id) {
        if (id == 0) {
            return CallChain.NONE;
        }
        int node = chains.get(id, Profile.NO_NODE);
        if (node == Profile.NO_NODE) {
            return FORGOTTEN_CHAIN;
        }
        CallChain chain = asked.values.computeIfAbsent(id, _ -> frames.chain(node));
        asked.forgetOld();
        return chain;
    }

    LockObject lockOf(long id) {
        LockObject otherwise = id == 0 ? LockObject.NONE : LockObject.FORGOTTEN;
        return owned.get(id, locks.get(id, blockers.get(id, otherwise)));
    }

    /**
     * Forgets what is too much. Not to be called between descriptions and the events that need
     * them, of which there may be any number; and never where all descriptions come first.
     */
    void forgetOld() {
        threads.forgetOld();
        classes.forgetOld();
        methods.forgetOld();
        chains.forgetOld();
        owned.forgetOld();
        locks.forgetOld();
        blockers.forgetOld();
    }

    /** Forgets half of the frames, unless they are few: there is no room for them. */
    void forgetChains() {
        if (frames.size() > LEAST_FRAMES) {
            forgetChains(frames.size() / 2);
        }
    }

    /** What chains take, as frames. */
    long sizeOfChains() {
        return frames.size() + FRAMES_OF_CHAIN * (long) chains.values.size();
    }

    /** How many names are known. */
    long size() {
        return (long) threads.values.size()
                + classes.values.size()
                + methods.values.size()
                + chains.values.size()
                + owned.values.size()
                + locks.values.size()
                + blockers.values.size()
                + anyOfClass.size();
    }
}
