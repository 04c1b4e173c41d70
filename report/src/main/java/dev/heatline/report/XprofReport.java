package dev.heatline.report;

import dev.heatline.model.CallGraph;
import dev.heatline.model.CallsBesideSamples;
import dev.heatline.model.CountedOnly;
import dev.heatline.model.Profile;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The flat profile: what each consumer used, by itself and with all it called (004, "xprof"). */
public final class XprofReport implements Report {

    /**
     * What one consumer used. The row of the root, present only if something was used outside all
     * consumers, makes base add up to the total.
     *
     * @param consumer its id in the Profile
     */
    public record Row(
            int consumer,
            String name,
            long calls,
            long base,
            long cum,
            boolean recursive,
            long countedOnly)
            implements Usage {}

    private static final Comparator<Row> ORDER =
            Comparator.comparingLong(Row::base)
                    .thenComparingLong(Row::cum)
                    .reversed()
                    .thenComparing(Row::name);

    private final Head head;
    private final List<Row> rows;
    private final Hidden hidden;
    private final TableReport<Row> table;

    private XprofReport(Head head, List<Row> rows, Hidden hidden) {
        this.head = head;
        this.rows = List.copyOf(rows);
        this.hidden = hidden;
        Measurement measured = head.measured();
        String label = measured.profile().consumerLabel();
        Optional<BesideFields> beside =
                CallsBesideSamples.of(measured.profile()).map(BesideFields::new);
        List<Field<Row>> fields = new ArrayList<>(Usage.fields(measured));
        beside.ifPresent(
                it -> fields.addAll(it.of(measured.resource().occurrences(), Row::consumer)));
        this.table =
                new TableReport<>(
                        head,
                        new TableReport.Layout<>(
                                label,
                                fields,
                                label,
                                Row::name,
                                Row::recursive,
                                (json, row) -> {
                                    json.writeStringProperty("consumer", row.name());
                                    Usage.json(json, measured, row);
                                    beside.ifPresent(it -> it.json(json, row.consumer()));
                                }),
                        this.rows,
                        hidden);
    }

    /**
     * The flat profile of one resource.
     *
     * @throws ReportException if the profile has no such resource
     */
    public static XprofReport of(Profile profile, ReportOptions options) {
        Measurement measured = Measurement.of(profile, options);
        return of(measured, options, Consumers.graph(measured));
    }

    static XprofReport of(Measurement measured, ReportOptions options, CallGraph graph) {
        List<Row> rows = new ArrayList<>();
        Hidden hidden = new Hidden(measured, options.prune());
        CountedOnly countedOnly = CountedOnly.of(measured.profile(), measured.resource());
        int root = measured.profile().consumer(Profile.ROOT);
        for (int consumer : Consumers.inUse(measured, graph)) {
            Row row =
                    new Row(
                            consumer,
                            measured.name(consumer),
                            graph.calls(consumer),
                            graph.base(consumer),
                            graph.cum(consumer),
                            graph.isRecursive(consumer),
                            countedOnly.calls(consumer));
            if ((consumer != root || row.base() > 0) && hidden.keeps(row)) {
                rows.add(row);
            }
        }
        rows.sort(ORDER);
        String subject = "flat profile by " + measured.profile().consumerLabel();
        return new XprofReport(new Head("xprof", subject, measured, options), rows, hidden);
    }

    /** By base, then cum, the largest first. */
    public List<Row> rows() {
        return rows;
    }

    Hidden hidden() {
        return hidden;
    }

    @Override
    public void text(Writer out) throws IOException {
        table.text(out);
    }

    @Override
    public void json(Writer out) throws IOException {
        table.json(out);
    }

    @Override
    public void html(Writer out) throws IOException {
        ProfilePage.write(out, "xprof", head.measured(), head.options());
    }
}
