package dev.heatline.agent.locks;

import dev.heatline.agent.LoadedClasses;
import dev.heatline.agent.boot.LockHooks;
import dev.heatline.wire.LockTrace;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks class loaders whether their classes can call the hooks. That is the application's code,
 * which may take locks, or its time, or never come back: it runs in a thread of its own, which ends
 * when all are asked, and for which nobody waits long.
 */
final class Asking {
    /** For all loaders that are asked at once. */
    private static final long PATIENCE_MILLIS = 500;

    /**
     * So many threads may be left with loaders that do not come back; then nobody else is asked.
     */
    static final int MOST_LEFT = 4;

    /** Those that are being asked, and are not waited for any more. */
    private final Set<ClassLoader> stuck = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Whether it makes sense to ask this one, now. */
    synchronized boolean canAsk(ClassLoader loader) {
        return stuck.size() < MOST_LEFT && !stuck.contains(loader);
    }

    /**
     * Asks loaders one after the other, and returns when that is done or has taken too long: what
     * they answer later is known then.
     */
    void ask(Collection<ClassLoader> loaders, LoadedClasses loaded) throws InterruptedException {
        Round round = new Round(loaded);
        for (ClassLoader loader : loaders) {
            if (canAsk(loader)) {
                round.next.add(loader);
            }
        }
        if (round.next.isEmpty()) {
            return;
        }
        Thread thread = new Thread(round, LockTrace.TRACER_THREAD);
        thread.setDaemon(true);
        thread.start();
        try {
            thread.join(PATIENCE_MILLIS);
        } finally {
            leave(round);
        }
    }

    private synchronized void leave(Round round) {
        round.left = true;
        if (round.asked != null) {
            stuck.add(round.asked);
        }
    }

    private final class Round implements Runnable {
        private final Queue<ClassLoader> next = new ArrayDeque<>();
        private final LoadedClasses loaded;
        private @Nullable ClassLoader asked;
        private boolean left;

        Round(LoadedClasses loaded) {
            this.loaded = loaded;
        }

        @Override
        public void run() {
            ClassLoader loader = turn();
            while (loader != null) {
                loaded.seesHooks(loader);
                loader = turn();
            }
        }

        /** Ends the last turn; returns whose turn is next, if anybody's. */
        private @Nullable ClassLoader turn() {
            synchronized (Asking.this) {
                stuck.remove(asked);
                asked = left ? null : next.poll();
                if (asked == null && !left) {
                    LockHooks.spent(LockHooks.cpuNanos());
                }
                return asked;
            }
        }
    }
}
