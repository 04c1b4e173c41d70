package dev.heatline.report;

import dev.heatline.model.Column;
import dev.heatline.model.Profile;
import dev.heatline.model.Resource;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.core.JsonGenerator;

/** All that a profile tells about: what other views can be asked to show. */
final class ResourcesReport {

    /**
     * One resource.
     *
     * @param observed how often it was seen; -1 if that is not known
     * @param rows how many pairs of a context and a thread used it
     */
    private record Row(Resource resource, long total, long observed, int rows) {
        String name() {
            return resource.name();
        }

        Scale scale() {
            return Scale.of(resource, total);
        }

        boolean counted() {
            return observed >= 0;
        }

        /** Whether its count says more than its total. */
        boolean restsOnCount() {
            return counted() && !resource.isOccurrences();
        }
    }

    private ResourcesReport() {}

    /** The one that is shown when nobody names one comes first. */
    static Report of(Profile profile, ReportOptions options) {
        Measurement measured = Measurement.of(profile, options);
        List<Row> rows =
                Stream.concat(
                                measured.column().stream(),
                                profile.columns().stream()
                                        .filter(
                                                column ->
                                                        !column.resource()
                                                                .equals(measured.resource())))
                        .map(column -> row(profile, column))
                        .toList();
        Head head = new Head("resources", "what the profile tells about", measured, options);
        return new TableReport<>(head, layout(), rows, new Hidden(measured, 0));
    }

    private static Row row(Profile profile, Column column) {
        long observed = profile.occurrences(column.resource()).map(Column::total).orElse(-1L);
        return new Row(column.resource(), column.total(), observed, column.rows());
    }

    private static TableReport.Layout<Row> layout() {
        return new TableReport.Layout<>(
                "resource",
                List.of(
                        new Field.Figure<>("total", row -> row.scale().format(row.total())),
                        new Field.Words<>("unit", row -> row.scale().unit()),
                        new Field.Figure<>(
                                "observed",
                                row -> row.restsOnCount() ? Long.toString(row.observed()) : ""),
                        new Field.Words<>(
                                "as",
                                row -> row.restsOnCount() ? row.resource().occurrences() : ""),
                        new Field.Count<>("rows", Row::rows)),
                "resource",
                Row::name,
                _ -> false,
                ResourcesReport::json);
    }

    private static void json(JsonGenerator json, Row row) {
        json.writeStringProperty("resource", row.name());
        json.writeStringProperty("unit", row.resource().unit());
        json.writeNumberProperty("total", Scale.exact(row.resource(), row.total()));
        if (row.counted()) {
            json.writeStringProperty("occurrences", row.resource().occurrences());
            json.writeNumberProperty("calls", row.observed());
        }
        json.writeNumberProperty("rows", row.rows());
    }
}
