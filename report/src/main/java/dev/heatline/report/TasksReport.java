package dev.heatline.report;

import dev.heatline.model.Column;
import dev.heatline.model.Profile;
import dev.heatline.model.Tasks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What each task used (000 §3.3.3). Tasks may overlap, so their shares may exceed 100 %. */
final class TasksReport {

    private TasksReport() {}

    static Report of(Profile profile, ReportOptions options) {
        if (options.tasks().isEmpty()) {
            throw new ReportException(
                    "no task was defined: give some as NAME=prefix:com.shop. or"
                            + " NAME=regex:PATTERN");
        }
        Measurement measured = Measurement.of(profile, options);
        Head head =
                new Head(
                        "tasks",
                        "what each task used",
                        measured,
                        options,
                        List.of("tasks may overlap: a call can belong to several"));
        Hidden hidden = new Hidden(measured, options.prune());
        List<Tasks.Use> rows = new ArrayList<>();
        Optional<Column> column = measured.column();
        if (column.isPresent()) {
            for (Tasks.Use use : Tasks.of(profile, options.tasks()).uses(column.get())) {
                if (hidden.keeps(use.value())) {
                    rows.add(use);
                } else {
                    hidden.add(1, use.value());
                }
            }
        }
        return new TableReport<>(head, layout(measured), rows, hidden);
    }

    private static TableReport.Layout<Tasks.Use> layout(Measurement measured) {
        List<Field<Tasks.Use>> fields = new ArrayList<>();
        fields.add(new Field.Count<>("roots", Tasks.Use::roots));
        if (measured.counted() && !measured.resource().isOccurrences()) {
            fields.add(
                    new Field.Count<>(measured.resource().occurrences(), Tasks.Use::occurrences));
        }
        fields.add(new Field.Amount<>("cum", measured.scale(), Tasks.Use::value));
        fields.add(new Field.Percent<>("cum", use -> measured.share(use.value())));
        return new TableReport.Layout<>(
                "task",
                fields,
                "task",
                Tasks.Use::name,
                _ -> false,
                (json, use) -> {
                    json.writeStringProperty("task", use.name());
                    json.writeNumberProperty("roots", use.roots());
                    if (measured.counted()) {
                        json.writeNumberProperty("calls", use.occurrences());
                    }
                    json.writeNumberProperty("cum", measured.exact(use.value()));
                    json.writeNumberProperty("cumPercent", measured.percent(use.value()));
                });
    }
}
