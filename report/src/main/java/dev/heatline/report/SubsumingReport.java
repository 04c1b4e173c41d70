package dev.heatline.report;

import dev.heatline.model.CallGraph;
import dev.heatline.model.Profile;
import dev.heatline.model.SubsumingMethods;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Entry points of repeated call patterns, with what everything subsumed below them used (000 §6.3).
 * Induced costs add up to the total; what no subsuming method encloses is the root's.
 */
final class SubsumingReport {

    /** One subsuming method; all but the height in stored units. */
    record Row(String name, long induced, long base, long cum, int height, boolean recursive) {}

    private SubsumingReport() {}

    static Report of(Profile profile, ReportOptions options) {
        Measurement measured = Measurement.of(profile, options);
        String bounds =
                "subsuming: more than "
                        + Hidden.plural(options.heightBound(), "level")
                        + " below it, and no single caller within "
                        + Hidden.plural(options.distanceBound(), "level")
                        + " above all its calls";
        Head head =
                new Head(
                        "subsuming",
                        "methods that stand for what they call",
                        measured,
                        options,
                        List.of(bounds));
        Hidden hidden = new Hidden(measured, options.prune());
        List<Row> rows = new ArrayList<>();
        for (Row row : rows(measured, options)) {
            if (hidden.keeps(row.induced)) {
                rows.add(row);
            } else {
                hidden.add(1, row.base);
            }
        }
        return new TableReport<>(head, layout(measured), rows, hidden);
    }

    private static List<Row> rows(Measurement measured, ReportOptions options) {
        List<Row> rows = new ArrayList<>();
        Profile profile = measured.profile();
        if (measured.column().isEmpty()) {
            return rows;
        }
        SubsumingMethods methods =
                SubsumingMethods.of(
                        profile,
                        measured.column().get(),
                        options.heightBound(),
                        options.distanceBound());
        CallGraph graph = Consumers.graph(measured);
        int root = profile.consumer(Profile.ROOT);
        for (int consumer : Consumers.inUse(measured, graph)) {
            boolean remainder = consumer == root && methods.induced(root) > 0;
            if (methods.isSubsuming(consumer) || remainder) {
                rows.add(
                        new Row(
                                measured.name(consumer),
                                methods.induced(consumer),
                                graph.base(consumer),
                                graph.cum(consumer),
                                methods.height(consumer),
                                graph.isRecursive(consumer)));
            }
        }
        rows.sort(Comparator.comparingLong(Row::induced).reversed().thenComparing(Row::name));
        return rows;
    }

    private static TableReport.Layout<Row> layout(Measurement measured) {
        List<Field<Row>> fields =
                List.of(
                        new Field.Amount<>("induced", measured.scale(), Row::induced),
                        new Field.Percent<>("induced", row -> measured.share(row.induced)),
                        new Field.Amount<>("base", measured.scale(), Row::base),
                        new Field.Amount<>("cum", measured.scale(), Row::cum),
                        new Field.Percent<>("cum", row -> measured.share(row.cum)),
                        new Field.Count<>("height", Row::height));
        String label = measured.profile().consumerLabel();
        return new TableReport.Layout<>(
                label,
                fields,
                label,
                Row::name,
                Row::recursive,
                (json, row) -> {
                    json.writeStringProperty("consumer", row.name);
                    json.writeNumberProperty("induced", measured.exact(row.induced));
                    json.writeNumberProperty("inducedPercent", measured.percent(row.induced));
                    json.writeNumberProperty("base", measured.exact(row.base));
                    json.writeNumberProperty("cum", measured.exact(row.cum));
                    json.writeNumberProperty("cumPercent", measured.percent(row.cum));
                    json.writeNumberProperty("height", row.height);
                    if (row.recursive) {
                        json.writeBooleanProperty("recursive", true);
                    }
                });
    }
}
