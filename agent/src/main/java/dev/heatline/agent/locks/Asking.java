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

    /** Begins to ask loaders one after the other: what they answer is known from then on. */
    Round begin(Collection<ClassLoader> loaders, LoadedClasses loaded) {
        Round round = new Round(loaded);
        for (ClassLoader loader : loaders) {
            if (canAsk(loader)) {
                round.next.add(loader);
            }
        }
        if (!round.next.isEmpty()) {
            round.thread.start();
        }
        return round;
    }

    private synchronized void leave(Round round) {
        // Whoever does not come back keeps nobody else.
        round.next.clear();
        if (round.asked != null) {
            stuck.add(round.asked);
        }
    }

    /** Some loaders that are asked at once. */
    final class Round {
        private final Queue<ClassLoader> next = new ArrayDeque<>();
        private final LoadedClasses loaded;
        private final Thread thread = new Thread(this::run, LockTrace.TRACER_THREAD);
        private @Nullable ClassLoader asked;

        /** CPU time of the thread. */
        private long countedCpu;

        private Round(LoadedClasses loaded) {
            this.loaded = loaded;
            thread.setDaemon(true);
        }

        /** Returns when all are asked or that has taken too long; it is over then. */
        void await() throws InterruptedException {
            try {
                // It has not begun where nobody is to be asked.
                thread.join(PATIENCE_MILLIS);
            } finally {
                leave(this);
            }
        }

        private void run() {
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
                asked = next.poll();
                long cpu = LockHooks.cpuNanos();
                LockHooks.spent(cpu - countedCpu);
                countedCpu = cpu;
                return asked;
            }
        }
    }
}
