package dev.heatline.report;

import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.Profile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.core.JsonGenerator;

/** What each thread that used the resource used of it, and in which methods. */
final class ThreadsReport {
    private static final int HOTTEST = 3;
    private static final int NONE = -1;

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
     * @param number that of the thread in {@link ThreadTotals}
     */
    record Row(Consumer thread, int number, long calls, long value, List<Hot> hottest) {}

    private ThreadsReport() {}

    static Report of(Profile profile, ReportOptions options) {
        Measurement measured = Measurement.of(profile, options);
        Head head = new Head("threads", "what each thread used", measured, options);
        Hidden hidden = new Hidden(measured, options.prune());
        List<Row> rows = new ArrayList<>();
        ThreadTotals totals = ThreadTotals.of(profile);
        for (Row row : rows(measured, totals)) {
            if (row.value == 0 && row.calls == 0) {
                continue;
            }
            if (hidden.keeps(row.value)) {
                rows.add(row);
            } else {
                hidden.add(1, row.value);
            }
        }
        return new TableReport<>(head, layout(measured, totals), rows, hidden);
    }

    private static TableReport.Layout<Row> layout(Measurement measured, ThreadTotals totals) {
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
                (json, row) -> json(json, measured, totals, row));
    }

    private static String hottest(Row row) {
        return row.hottest.stream()
                .map(hot -> Math.round(100.0 * hot.base / row.value) + " " + hot.shortName())
                .collect(Collectors.joining(", "));
    }

    /** Every resource under its own name, so that one report holds all a thread used. */
    private static void json(
            JsonGenerator json, Measurement measured, ThreadTotals totals, Row row) {
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
                        Scale.exact(columns.get(i).resource(), totals.total(i, row.number)));
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

    private static List<Row> rows(Measurement measured, ThreadTotals totals) {
        List<List<Hot>> hottest = hottestByThread(measured, totals);
        List<Row> rows = new ArrayList<>();
        for (int number = 0; number < totals.count(); number++) {
            rows.add(
                    new Row(
                            totals.thread(number),
                            number,
                            totals.total(measured.resource().occurrences(), number),
                            totals.total(measured.resource().name(), number),
                            hottest.isEmpty() ? List.of() : hottest.get(number)));
        }
        rows.sort(Comparator.comparingLong(Row::value).reversed().thenComparing(Row::thread));
        return rows;
    }

    /** By the numbers of the threads; empty if nothing was recorded. */
    private static List<List<Hot>> hottestByThread(Measurement measured, ThreadTotals totals) {
        List<List<Hot>> hottest = new ArrayList<>();
        measured.column()
                .ifPresent(
                        column -> {
                            long[] base = new long[measured.profile().consumerCount()];
                            for (int[] ofThread : totals.rows(column)) {
                                hottest.add(hottest(measured, column, ofThread, base));
                            }
                        });
        return hottest;
    }

    /**
     * @param base zero for each consumer, as it is again afterwards
     */
    private static List<Hot> hottest(Measurement measured, Column column, int[] rows, long[] base) {
        Profile profile = measured.profile();
        for (int row : rows) {
            base[profile.consumer(column.node(row))] += column.value(row);
        }
        List<Hot> hottest = new ArrayList<>();
        while (hottest.size() < HOTTEST) {
            int most = mostUsed(profile, column, rows, base);
            if (most == NONE) {
                break;
            }
            hottest.add(new Hot(profile.consumerAt(most), measured.name(most), base[most]));
            base[most] = 0;
        }
        for (int row : rows) {
            base[profile.consumer(column.node(row))] = 0;
        }
        return hottest;
    }

    /** The consumer with the largest base above 0; of equal ones the first. */
    private static int mostUsed(Profile profile, Column column, int[] rows, long[] base) {
        int most = NONE;
        for (int row : rows) {
            int consumer = profile.consumer(column.node(row));
            boolean larger = most == NONE ? base[consumer] > 0 : base[consumer] > base[most];
            if (larger || (most != NONE && base[consumer] == base[most] && consumer < most)) {
                most = consumer;
            }
        }
        return most;
    }
}
