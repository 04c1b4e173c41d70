package dev.heatline.report;

import dev.heatline.model.CallGraph;
import dev.heatline.model.CountedOnly;
import dev.heatline.model.Profile;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.core.JsonGenerator;

/**
 * Who used a resource on whose behalf: a stanza per consumer, with its parents and its children
 * (004, "xarc"). In every stanza, exactly and in stored units, recursion or not:
 *
 * <ul>
 *   <li>the parents' calls add up to self's calls,
 *   <li>the parents' base adds up to self's base,
 *   <li>the parents' cum adds up to self's cum,
 *   <li>the children's cum adds up to self's cum less self's base.
 * </ul>
 *
 * <p>The sums of {@link CallGraph} have this property; nothing here changes them.
 */
public final class XarcReport implements Report {

    /** The consumer of a record that sums up several. */
    static final int NO_CONSUMER = -1;

    /** What a row is to the stanza it stands in. */
    public enum Role {
        PARENT("parent", "callerTime"),
        SELF("self", "methodTime"),
        CHILD("child", "calleeTime");

        private final String label;
        private final String time;

        Role(String label, String time) {
            this.label = label;
            this.time = time;
        }

        String label() {
            return label;
        }
    }

    /**
     * One record of a stanza. A parent's numbers are what self used on its behalf, a child's what
     * it used on behalf of self.
     *
     * @param consumer its id in the Profile
     * @param time from 0 to 1: for self the part of all that was spent in it (000 eq. 3.6), for a
     *     parent the part of self's time spent for it (eq. 3.15), for a child the part of self's
     *     time spent in it (eq. 3.12)
     */
    public record Row(
            Role role,
            int consumer,
            String name,
            long calls,
            long base,
            long cum,
            boolean recursive,
            long countedOnly,
            double time)
            implements Usage {}

    /** A consumer with those that called it and those it called, each by cum, largest first. */
    public record Stanza(Row self, List<Row> parents, List<Row> children) {}

    private static final int USUAL_TEXT_STANZAS = 25;
    private static final int USUAL_TEXT_RECORDS = 12;
    private static final int LONGEST_SEPARATOR = 100;

    private static final Comparator<Usage> BY_CUM =
            Comparator.comparingLong(Usage::cum)
                    .thenComparingLong(Usage::base)
                    .thenComparingLong(Usage::calls)
                    .reversed()
                    .thenComparing(Usage::name);

    private final Head head;
    private final List<Stanza> stanzas;
    private final Hidden hidden;

    private XarcReport(Head head, List<Stanza> stanzas, Hidden hidden) {
        this.head = head;
        this.stanzas = List.copyOf(stanzas);
        this.hidden = hidden;
    }

    /**
     * The stanzas of one resource.
     *
     * @throws ReportException if the profile has no such resource
     */
    public static XarcReport of(Profile profile, ReportOptions options) {
        Measurement measured = Measurement.of(profile, options);
        return of(measured, options, Consumers.graph(measured));
    }

    static XarcReport of(Measurement measured, ReportOptions options, CallGraph graph) {
        List<Stanza> stanzas = new ArrayList<>();
        Hidden hidden = new Hidden(measured, options.prune());
        CountedOnly countedOnly = CountedOnly.of(measured.profile(), measured.resource());
        int root = measured.profile().consumer(Profile.ROOT);
        for (int consumer : Consumers.inUse(measured, graph)) {
            Row self = self(measured, graph, countedOnly, consumer);
            if (consumer != root && hidden.keeps(self)) {
                stanzas.add(stanza(measured, graph, countedOnly, self));
            }
        }
        stanzas.sort(Comparator.comparing(Stanza::self, BY_CUM));
        String label = measured.profile().consumerLabel();
        String subject = "parents and children of each " + label;
        return new XarcReport(new Head("xarc", subject, measured, options), stanzas, hidden);
    }

    private static Row self(
            Measurement measured, CallGraph graph, CountedOnly countedOnly, int consumer) {
        return new Row(
                Role.SELF,
                consumer,
                measured.name(consumer),
                graph.calls(consumer),
                graph.base(consumer),
                graph.cum(consumer),
                graph.isRecursive(consumer),
                countedOnly.calls(consumer),
                graph.methodTime(consumer));
    }

    private static Stanza stanza(
            Measurement measured, CallGraph graph, CountedOnly countedOnly, Row self) {
        List<Row> parents = new ArrayList<>();
        for (int arc : graph.arcsTo(self.consumer())) {
            parents.add(other(measured, graph, countedOnly, arc, Role.PARENT));
        }
        List<Row> children = new ArrayList<>();
        for (int arc : graph.arcsFrom(self.consumer())) {
            children.add(other(measured, graph, countedOnly, arc, Role.CHILD));
        }
        return new Stanza(self, sorted(parents), sorted(children));
    }

    private static Row other(
            Measurement measured, CallGraph graph, CountedOnly countedOnly, int arc, Role role) {
        int other = role == Role.PARENT ? graph.caller(arc) : graph.callee(arc);
        return new Row(
                role,
                other,
                measured.name(other),
                graph.arcCalls(arc),
                graph.arcBase(arc),
                role == Role.PARENT ? graph.arcCum(arc) : graph.arcNet(arc),
                graph.isRecursive(other),
                countedOnly.arcCalls(arc),
                role == Role.PARENT ? graph.callerTime(arc) : graph.calleeTime(arc));
    }

    /** By cum; pairs that were seen for other resources only are left out. */
    private static List<Row> sorted(List<Row> rows) {
        return rows.stream()
                .filter(row -> row.cum() > 0 || row.base() > 0 || row.calls() > 0)
                .sorted(BY_CUM)
                .toList();
    }

    /** By cum of self, the largest first. */
    public List<Stanza> stanzas() {
        return stanzas;
    }

    Head head() {
        return head;
    }

    Hidden hidden() {
        return hidden;
    }

    @Override
    public void text(Writer out) throws IOException {
        Measurement measured = head.measured();
        String label = measured.profile().consumerLabel();
        Shown<Stanza> shown = Shown.of(stanzas, head.options().rows(USUAL_TEXT_STANZAS));
        List<Field<Row>> fields = new ArrayList<>();
        fields.add(new Field.Words<>("", row -> row.role().label()));
        fields.addAll(Usage.fields(measured));
        TextTable<Row> table =
                new TextTable<>(
                        fields,
                        label,
                        Row::name,
                        row -> row.recursive() ? TextTable.MARK : "",
                        head.options().width());
        int longestName = label.length();
        for (Stanza stanza : shown.rows()) {
            table.measure(records(stanza));
            longestName = Math.max(longestName, stanza.self().name().length());
        }
        TextHead.write(out, head, table.hasMarks());
        table.heading(out);
        int most = head.options().width().orElse(LONGEST_SEPARATOR);
        String separator = "=".repeat(Math.min(table.nameStart() + longestName, most)) + "\n";
        for (Stanza stanza : shown.rows()) {
            out.append(separator);
            for (Row row : records(stanza)) {
                table.row(out, row.role() == Role.SELF ? "" : "  ", row);
            }
        }
        out.append(separator);
        TextHead.writeNotes(out, hidden.note(label), shown.note(label));
    }

    private List<Row> records(Stanza stanza) {
        boolean all = head.options().limit().orElse(1) == 0;
        int most = all ? Integer.MAX_VALUE : USUAL_TEXT_RECORDS;
        return Stream.of(
                        first(stanza.parents(), most),
                        List.of(stanza.self()),
                        first(stanza.children(), most))
                .flatMap(List::stream)
                .toList();
    }

    /** The first records and one that sums up all others, so that the sums stay as they are. */
    static List<Row> first(List<Row> all, int most) {
        if (all.size() <= most) {
            return all;
        }
        List<Row> rest = all.subList(most - 1, all.size());
        List<Row> first = new ArrayList<>(all.subList(0, most - 1));
        first.add(
                new Row(
                        rest.getFirst().role(),
                        NO_CONSUMER,
                        "(" + rest.size() + " more)",
                        rest.stream().mapToLong(Row::calls).sum(),
                        rest.stream().mapToLong(Row::base).sum(),
                        rest.stream().mapToLong(Row::cum).sum(),
                        false,
                        rest.stream().mapToLong(Row::countedOnly).sum(),
                        rest.stream().mapToDouble(Row::time).sum()));
        return first;
    }

    @Override
    public void json(Writer out) throws IOException {
        Json.object(
                out,
                json -> {
                    Shown<Stanza> shown = Shown.of(stanzas, head.options().rows(0));
                    head.json(json);
                    hidden.json(json, shown.leftOut());
                    StanzaThreads threads = StanzaThreads.of(head.measured());
                    json.writeName("stanzas").writeStartArray();
                    for (Stanza stanza : shown.rows()) {
                        json.writeStartObject();
                        selfJson(json, stanza.self(), threads);
                        recordsJson(json, "parents", stanza.parents());
                        recordsJson(json, "children", stanza.children());
                        json.writeEndObject();
                    }
                    json.writeEndArray();
                });
    }

    /** The proportion of its time that self spent in its own statements is 000 eq. 3.7. */
    private void selfJson(JsonGenerator json, Row self, StanzaThreads threads) {
        json.writeName("self").writeStartObject();
        recordJson(json, self);
        json.writeNumberProperty(
                "selfTime", self.cum() == 0 ? 0 : (double) self.base() / self.cum());
        threads.json(json, self.consumer());
        json.writeEndObject();
    }

    private void recordsJson(JsonGenerator json, String name, List<Row> records) {
        json.writeName(name).writeStartArray();
        for (Row row : records) {
            json.writeStartObject();
            recordJson(json, row);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void recordJson(JsonGenerator json, Row row) {
        json.writeStringProperty("consumer", row.name());
        Usage.json(json, head.measured(), row);
        json.writeNumberProperty(row.role().time, row.time());
    }

    @Override
    public void html(Writer out) throws IOException {
        ProfilePage.write(out, "xarc", head.measured(), head.options());
    }
}
