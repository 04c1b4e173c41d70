package dev.heatline.report;

import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.Profile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.core.JsonGenerator;

/** What each thread that used the resource used of it, and in which methods. */
final class ThreadsReport {
    private static final Consumer NO_THREAD = Consumer.thread("", "unknown thread");
    private static final int HOTTEST = 3;

    /** What a thread used in one consumer itself. */
    record Hot(Consumer consumer, String name, long base) {

        /** Class and method alone, since three have to fit on a line. */
        String shortName() {
            if (!consumer.isMethod() || consumer.owner().isEmpty()) {
                return name;
            }
            String owner = consumer.owner();
            return owner.substring(owner.lastIndexOf('.') + 1) + '.' + consumer.name();
        }
    }

    /**
     * What one thread used.
     *
     * @param totals in the order of the Profile's columns
     */
    record Row(Consumer thread, long calls, long value, List<Hot> hottest, List<Long> totals) {}

    private ThreadsReport() {}

    static Report of(Profile profile, ReportOptions options) {
        Measurement measured = Measurement.of(profile, options);
        Head head = new Head("threads", "what each thread used", measured, options);
        Hidden hidden = new Hidden(measured, options.prune());
        List<Row> rows = new ArrayList<>();
        for (Row row : rows(measured)) {
            if (row.value == 0 && row.calls == 0) {
                continue;
            }
            if (hidden.keeps(row.value)) {
                rows.add(row);
            } else {
                hidden.add(1, row.value);
            }
        }
        return new TableReport<>(head, layout(measured), rows, hidden);
    }

    private static TableReport.Layout<Row> layout(Measurement measured) {
        List<Field<Row>> fields = new ArrayList<>();
        if (measured.counted() && !measured.resource().isOccurrences()) {
            fields.add(new Field.Count<>(measured.resource().occurrences(), Row::calls));
        }
        fields.add(new Field.Amount<>(measured.resource().name(), measured.scale(), Row::value));
        fields.add(new Field.Percent<>("", row -> measured.share(row.value)));
        fields.add(new Field.Words<>("group", row -> row.thread.owner()));
        fields.add(new Field.Words<>("thread", row -> row.thread.name()));
        return new TableReport.Layout<>(
                "thread",
                fields,
                "hottest by base, in % of the thread",
                ThreadsReport::hottest,
                _ -> false,
                (json, row) -> json(json, measured, row));
    }

    private static String hottest(Row row) {
        return row.hottest.stream()
                .map(hot -> Math.round(100.0 * hot.base / row.value) + " " + hot.shortName())
                .collect(Collectors.joining(", "));
    }

    /** Every resource under its own name, so that one report holds all a thread used. */
    private static void json(JsonGenerator json, Measurement measured, Row row) {
        json.writeStringProperty("thread", row.thread.name());
        json.writeStringProperty("group", row.thread.owner());
        if (measured.counted()) {
            json.writeNumberProperty("calls", row.calls);
        }
        json.writeNumberProperty("percent", measured.percent(row.value));
        List<Column> columns = measured.profile().columns();
        for (int i = 0; i < columns.size(); i++) {
            if (!columns.get(i).resource().name().equals("calls")) {
                json.writeNumberProperty(
                        columns.get(i).resource().name(),
                        Scale.exact(columns.get(i).resource(), row.totals.get(i)));
            }
        }
        json.writeName("hottest").writeStartArray();
        for (Hot hot : row.hottest) {
            json.writeStartObject();
            json.writeStringProperty("consumer", hot.name);
            json.writeNumberProperty("base", measured.exact(hot.base));
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static List<Row> rows(Measurement measured) {
        List<Column> columns = measured.profile().columns();
        List<Map<Integer, Long>> totals =
                columns.stream().map(ThreadsReport::totalsByThread).toList();
        Map<Integer, List<Hot>> hottest = hottestByThread(measured);
        List<Row> rows = new ArrayList<>();
        totals.stream()
                .flatMap(byThread -> byThread.keySet().stream())
                .distinct()
                .forEach(
                        thread -> {
                            Map<String, Long> byName = new HashMap<>();
                            List<Long> ofThread = new ArrayList<>();
                            for (int i = 0; i < columns.size(); i++) {
                                long total = totals.get(i).getOrDefault(thread, 0L);
                                ofThread.add(total);
                                byName.put(columns.get(i).resource().name(), total);
                            }
                            rows.add(
                                    new Row(
                                            consumer(measured.profile(), thread),
                                            byName.getOrDefault(
                                                    measured.resource().occurrences(), 0L),
                                            byName.getOrDefault(measured.resource().name(), 0L),
                                            hottest.getOrDefault(thread, List.of()),
                                            ofThread));
                        });
        rows.sort(Comparator.comparingLong(Row::value).reversed().thenComparing(Row::thread));
        return rows;
    }

    /** The thread of a row, which may be that of none. */
    static Consumer consumer(Profile profile, int thread) {
        return thread == Column.NO_THREAD ? NO_THREAD : profile.consumerAt(thread);
    }

    private static Map<Integer, Long> totalsByThread(Column column) {
        Map<Integer, Long> totals = new HashMap<>();
        for (int row = 0; row < column.rows(); row++) {
            totals.merge(column.thread(row), column.value(row), Long::sum);
        }
        return totals;
    }

    private static Map<Integer, List<Hot>> hottestByThread(Measurement measured) {
        Map<Integer, Map<Integer, Long>> base = new HashMap<>();
        measured.column()
                .ifPresent(
                        column -> {
                            for (int row = 0; row < column.rows(); row++) {
                                base.computeIfAbsent(column.thread(row), _ -> new HashMap<>())
                                        .merge(
                                                measured.profile().consumer(column.node(row)),
                                                column.value(row),
                                                Long::sum);
                            }
                        });
        Map<Integer, List<Hot>> hottest = new HashMap<>();
        base.forEach((thread, used) -> hottest.put(thread, hottest(measured, used)));
        return hottest;
    }

    private static List<Hot> hottest(Measurement measured, Map<Integer, Long> used) {
        return used.entrySet().stream()
                .sorted(
                        Map.Entry.<Integer, Long>comparingByValue()
                                .reversed()
                                .thenComparing(Map.Entry.comparingByKey()))
                .limit(HOTTEST)
                .map(
                        entry ->
                                new Hot(
                                        measured.profile().consumerAt(entry.getKey()),
                                        measured.name(entry.getKey()),
                                        entry.getValue()))
                .toList();
    }
}
