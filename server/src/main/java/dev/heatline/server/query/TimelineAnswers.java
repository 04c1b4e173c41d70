package dev.heatline.server.query;

import dev.heatline.model.Resource;
import dev.heatline.store.Selection;
import dev.heatline.store.Store;
import java.time.Instant;
import java.util.List;

/** How much was used when: {@code /timeline}. */
final class TimelineAnswers {
    private static final int USUAL_PIECES = 120;
    private static final int MOST_PIECES = 4_000;

    private final Questions questions;
    private final Executions executions;
    private final Store store;

    TimelineAnswers(Questions questions, Executions executions, Store store) {
        this.questions = questions;
        this.executions = executions;
        this.store = store;
    }

    byte[] timeline(Params params) {
        int pieces = params.number("pieces", USUAL_PIECES, 1, MOST_PIECES);
        Chosen chosen = questions.chosen(params);
        Metrics metrics = chosen.metrics();
        Resource resource = metrics.resource();
        Selection covered = covered(chosen, executions);
        List<Store.Bucket> buckets =
                chosen.snapshot().resources().containsKey(resource.name())
                        ? store.timeline(covered, resource.name(), pieces)
                        : List.of();
        return Json.object(
                json -> {
                    Json.question(json, chosen);
                    Json.head(json, "timeline", chosen, metrics);
                    json.writeName("rows").writeStartArray();
                    for (Store.Bucket bucket : buckets) {
                        json.writeStartObject();
                        json.writeStringProperty("from", bucket.from().toString());
                        json.writeStringProperty("until", bucket.until().toString());
                        json.writeNumberProperty("value", metrics.exact(bucket.value()));
                        json.writeEndObject();
                    }
                    json.writeEndArray();
                });
    }

    /** Pieces are cut from the time of which there are profiles, if the range is open. */
    static Selection covered(Chosen chosen, Executions executions) {
        Selection selection = chosen.snapshot().selection();
        List<Store.Seen> seen =
                executions.now(selection.application()).stream()
                        .filter(it -> selection.includes(it.execution()))
                        .toList();
        if (seen.isEmpty()) {
            return selection;
        }
        Instant from =
                chosen.scope().from().isPresent() ? selection.from() : CatalogAnswers.first(seen);
        Instant last = CatalogAnswers.last(seen);
        Instant until = chosen.scope().until().isPresent() ? selection.until() : last;
        return from.isBefore(until) ? selection.between(from, until) : selection;
    }
}
