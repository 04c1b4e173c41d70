package dev.heatline.server.query;

import java.util.concurrent.ExecutionException;

/** What went wrong in another thread, for the thread that waited for it. */
final class Failures {

    private Failures() {}

    /** The exception itself; an error is thrown at once. */
    static RuntimeException unwrapped(ExecutionException failure) {
        if (failure.getCause() instanceof RuntimeException cause) {
            return cause;
        }
        if (failure.getCause() instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(failure.getCause());
    }

    /** The server ends while somebody waits for an answer. */
    static RuntimeException interrupted() {
        Thread.currentThread().interrupt();
        return QueryException.busy("the server is shutting down; ask again later");
    }
}
