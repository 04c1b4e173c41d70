package dev.heatline.server.query;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;

/**
 * Who computes.
 *
 * @param computing for what somebody waits for
 * @param background for what nobody waits for
 */
record Threads(Executor computing, Executor background) {

    /**
     * The result of a task, after it was computed if it is not yet. Several threads may ask for it;
     * it is computed once, by the first of them that comes to it.
     *
     * @throws QueryException if too many others wait already
     */
    static <V> V finished(FutureTask<V> task, Executor computing) {
        try {
            if (!task.isDone()) {
                computing.execute(task);
            }
            return task.get();
        } catch (RejectedExecutionException e) {
            throw QueryException.busy("too many questions at once; ask again later");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw QueryException.busy("the server is shutting down; ask again later");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException(e.getCause());
        }
    }
}
