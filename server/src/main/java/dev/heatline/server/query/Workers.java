package dev.heatline.server.query;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that compute. Those of the system are shared out fairly however long one of them
 * computes, which virtual threads are not.
 */
final class Workers implements AutoCloseable {
    private static final int MOST_ANSWERING = 16;
    private static final int LEAST_ANSWERING = 4;

    /** What an answer needs while it is computed is some arrays over all nodes. */
    private static final long MEMORY_PER_ANSWER = 64L << 20;

    private static final int REFRESHING = 2;

    /** Who comes after so many others is sent away. */
    private static final int MOST_WAITING = 1_000;

    private static final int LONGEST_END_SECONDS = 2;

    private final ThreadPoolExecutor answering = pool("heatline-query-", answering(), MOST_WAITING);

    /** There is one waiting task per selection at most. */
    private final ThreadPoolExecutor refreshing =
            pool("heatline-refresh-", REFRESHING, Integer.MAX_VALUE);

    private static int answering() {
        long fitting = Runtime.getRuntime().maxMemory() / MEMORY_PER_ANSWER;
        return Math.clamp(fitting, LEAST_ANSWERING, MOST_ANSWERING);
    }

    private static ThreadPoolExecutor pool(String name, int threads, int waiting) {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(
                        threads,
                        threads,
                        1,
                        TimeUnit.MINUTES,
                        new LinkedBlockingQueue<>(waiting),
                        Thread.ofPlatform().name(name, 0).daemon().factory());
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /**
     * The threads for whoever computes. One of these threads that asks for something else computes
     * that by itself, so none of them ever waits for a task that none of them has begun.
     */
    Threads threads() {
        return new Threads(
                task -> {
                    if (Thread.currentThread().isVirtual()) {
                        answering.execute(task);
                    } else {
                        task.run();
                    }
                },
                refreshing);
    }

    /** Ends what is being computed, and waits for it for a moment. */
    @Override
    public void close() {
        answering.shutdownNow();
        refreshing.shutdownNow();
        try {
            if (!answering.awaitTermination(LONGEST_END_SECONDS, TimeUnit.SECONDS)
                    || !refreshing.awaitTermination(LONGEST_END_SECONDS, TimeUnit.SECONDS)) {
                System.getLogger(Workers.class.getName())
                        .log(System.Logger.Level.WARNING, "questions are still being answered");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
