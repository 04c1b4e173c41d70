package dev.heatline.collector.locks;

import dev.heatline.model.CallChain;
import dev.heatline.model.Consumer;
import dev.heatline.model.ContentionBuilder;
import dev.heatline.model.Resource;

/** What the class of a park's blocker tells about the wait (001 §4.2.3, §4.3.1). */
enum Blocker {
    /** One owner at a time; who wakes the next has just left it. */
    LOCK("lock", true),

    /**
     * Likewise for writers; of several readers only the last to leave wakes anybody, and stands for
     * all of them.
     */
    READ_WRITE_LOCK("read-write lock", true),

    /** A thread that was signalled wants its lock back. */
    LOCK_AFTER_WAIT("lock after wait", true),

    /** Waiting for a signal: mostly idle. Who wakes it is named. */
    CONDITION("condition", false),

    /** Anything else: a permit, a latch, a result, work. Who wakes it is named. */
    OTHER("park", false);

    private static final String LOCKS = "java.util.concurrent.locks.";
    private static final String READ_WRITE = LOCKS + "ReentrantReadWriteLock$";

    /** The synchronizer's own frames lie within so many. */
    private static final int PASSING_FRAMES = 5;

    private static final String CONDITION_OBJECT = "$ConditionObject";

    private final String kind;
    private final boolean owned;

    Blocker(String kind, boolean owned) {
        this.kind = kind;
        this.owned = owned;
    }

    static Blocker of(String className, CallChain chain) {
        if (className.endsWith(CONDITION_OBJECT)) {
            return CONDITION;
        }
        if (!isOwned(className)) {
            return OTHER;
        }
        if (chain.methods().stream().anyMatch(Blocker::isAwait)) {
            return LOCK_AFTER_WAIT;
        }
        return className.startsWith(READ_WRITE) ? READ_WRITE_LOCK : LOCK;
    }

    /** Whether a thread that parks with such a blocker waits for those who have it. */
    static boolean isOwned(String className) {
        return className.startsWith(READ_WRITE) || className.startsWith(LOCKS + "ReentrantLock$");
    }

    /**
     * Whether who unparks by this call chain got what it waited for just now, and passes the news
     * on to the next who may share it; or gave up waiting.
     */
    static boolean isPassedOn(CallChain chain) {
        return chain.methods().stream()
                .limit(PASSING_FRAMES)
                .anyMatch(
                        method ->
                                method.owner().startsWith(LOCKS + "AbstractQueued")
                                        && method.name().startsWith("acquire"));
    }

    private static boolean isAwait(Consumer method) {
        return method.owner().endsWith(CONDITION_OBJECT) && method.name().startsWith("await");
    }

    String kind() {
        return kind;
    }

    /** What the wait counts as. */
    Resource time() {
        return owned ? ContentionBuilder.BLOCKED : ContentionBuilder.WAITED;
    }

    /** Whether who wakes a waiter had the thing all others wait for too. */
    boolean hasOwner() {
        return owned;
    }
}
