package dev.heatline.server.query;

import dev.heatline.model.Profile;
import dev.heatline.model.Resource;
import dev.heatline.report.ReportOptions;
import java.util.Optional;

/**
 * What a question is about.
 *
 * @param resource the one that was asked for; the profile's main one if empty
 */
record Chosen(Scope scope, Filter filter, Optional<String> resource, Snapshot snapshot, Part part) {

    Profile profile() {
        return part.profile();
    }

    boolean isEmpty() {
        return part.isEmpty();
    }

    /** Whether nothing was recorded at all, so that nothing can be said of any part. */
    boolean isUnknown() {
        return snapshot.profile().columns().isEmpty();
    }

    /** What every method used of the resource. */
    Metrics metrics() {
        return part.metrics(resource);
    }

    /** The resource that {@link #metrics} are about. */
    Resource shown() {
        return part.shown(resource);
    }

    /** The same, as if no resource had been asked for. */
    Chosen ofAny() {
        return new Chosen(scope, filter, Optional.empty(), snapshot, part);
    }

    /** The same as far as there is something of the resource. */
    Chosen ofResource() {
        return new Chosen(scope, filter, resource, snapshot, snapshot.ofResource(part, resource));
    }

    /** How often the resource was observed before a part was selected. */
    long recorded() {
        return snapshot.profile().occurrences(shown()).map(column -> column.total()).orElse(0L);
    }

    /** Options for a report about this. */
    ReportOptions.Builder reportOptions() {
        ReportOptions.Builder options =
                ReportOptions.builder()
                        .title(scope.application())
                        .otherwise(shown())
                        .recorded(snapshot.profile());
        if (!isEmpty()) {
            resource.ifPresent(options::resource);
        }
        return options;
    }
}
