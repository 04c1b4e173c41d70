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
        boolean readWrite = className.startsWith(LOCKS + "ReentrantReadWriteLock$");
        if (!readWrite && !className.startsWith(LOCKS + "ReentrantLock$")) {
            return OTHER;
        }
        if (chain.methods().stream().anyMatch(Blocker::isAwait)) {
            return LOCK_AFTER_WAIT;
        }
        return readWrite ? READ_WRITE_LOCK : LOCK;
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
