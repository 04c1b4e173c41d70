package dev.heatline.server.query;

import dev.heatline.store.Store;
import java.time.Instant;

/** Takes profiles out of the store that should never have been in it. */
final class Deletions {
    private final Store store;
    private final Questions questions;
    private final Executions executions;
    private final Selections selections;

    Deletions(Store store, Questions questions, Executions executions, Selections selections) {
        this.store = store;
        this.questions = questions;
        this.executions = executions;
        this.selections = selections;
    }

    /** Deletes what a selection chooses. */
    byte[] delete(Params params) {
        Scope scope = questions.scope(params);
        long deleted = store.delete(scope.at(Instant.now()));
        // No new interval tells of what is gone.
        selections.forget(scope.application());
        executions.forget();
        return Json.object(json -> json.writeNumberProperty("deleted", deleted));
    }
}
