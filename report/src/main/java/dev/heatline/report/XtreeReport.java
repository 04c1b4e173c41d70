package dev.heatline.report;

import dev.heatline.model.ConsumerType;
import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import dev.heatline.model.Recursion;
import dev.heatline.model.Site;
import java.io.IOException;
import java.io.Writer;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import tools.jackson.core.JsonGenerator;

/** The calling contexts themselves, depth first (004, "xtree"). */
public final class XtreeReport implements Report {

    /**
     * What was used in one calling context.
     *
     * @param node its node in {@link #profile()}
     * @param level how many consumers lie between it and the root
     * @param line where in its method the frame stood; 0 if unknown or folded
     */
    public record Row(
            int node,
            int level,
            String name,
            int line,
            long calls,
            long base,
            long cum,
            boolean recursive,
            long countedOnly)
            implements Usage {

        /** The name with the line, if there is one. */
        String place() {
            return line == 0 ? name : name + ':' + line;
        }
    }

    private static final int USUAL_TEXT_ROWS = 100;
    private static final String UNKNOWN_THREAD = "unknown thread";

    private final Head head;
    private final Hidden hidden;
    private final long[] calls;
    private final long[] base;
    private final long[] cum;
    private final long[] occurred;
    private final long[] countedOnly;
    private final int[] recursiveParent;
    private final XtreeOrder order;

    private XtreeReport(Head head) {
        this.head = head;
        Measurement measured = head.measured();
        Profile profile = measured.profile();
        this.hidden = new Hidden(measured, head.options().prune());
        this.calls = measured.calls();
        this.base = measured.self();
        this.cum = profile.inclusive(base.clone());
        this.recursiveParent = Recursion.parents(profile);
        int nodes = profile.nodeCount();
        this.countedOnly =
                measured.countedOnly().map(c -> c.self(nodes)).orElseGet(() -> new long[nodes]);
        this.occurred = profile.inclusive(calls.clone());
        boolean byThread = head.options().byThread();
        if (byThread) {
            leaveThreadsOutOfRoot(profile, cum);
            leaveThreadsOutOfRoot(profile, occurred);
        }
        this.order =
                XtreeOrder.of(
                        profile,
                        cum,
                        node ->
                                (node == Profile.ROOT && !byThread)
                                        || (isThere(node) && keeps(node)),
                        byThread);
    }

    /**
     * The tree of one resource.
     *
     * @throws ReportException if the profile has no such resource
     */
    public static XtreeReport of(Profile profile, ReportOptions options) {
        return of(Measurement.of(profile, options), options);
    }

    static XtreeReport of(Measurement measured, ReportOptions options) {
        Profile folded =
                options.foldLines()
                        ? Operations.foldSites(measured.profile())
                        : Operations.foldKinds(measured.profile());
        Profile shown = options.byThread() ? Operations.byThread(folded) : folded;
        String subject = options.byThread() ? "calling contexts by thread" : "calling contexts";
        return new XtreeReport(new Head("xtree", subject, measured.in(shown), options));
    }

    /** What remains for the root is what belongs to no thread. */
    private static void leaveThreadsOutOfRoot(Profile profile, long[] sums) {
        for (int child = 1; child < profile.nodeCount(); child = profile.end(child)) {
            if (profile.consumerOf(child).type() == ConsumerType.THREAD) {
                sums[Profile.ROOT] -= sums[child];
            }
        }
    }

    /** Whether a context has any of the resource; the tree is one for all of them. */
    private boolean isThere(int node) {
        return cum[node] > 0 || occurred[node] > 0;
    }

    private boolean keeps(int node) {
        if (hidden.keeps(cum[node])) {
            return true;
        }
        long contexts = IntStream.range(node, profile().end(node)).filter(this::isThere).count();
        hidden.add(contexts, cum[node]);
        return false;
    }

    /** The tree whose nodes the rows speak of: folded, and by thread if that was asked. */
    public Profile profile() {
        return head.measured().profile();
    }

    /** All rows, depth first, children by cum. Each is made when it is asked for. */
    public List<Row> rows() {
        return rows(order);
    }

    /** The rows of what is shown, in its order. */
    List<Row> rows(XtreeOrder shown) {
        return new AbstractList<>() {
            @Override
            public Row get(int index) {
                return row(shown.node(index), shown.level(index));
            }

            @Override
            public int size() {
                return shown.size();
            }
        };
    }

    private Row row(int node, int level) {
        return new Row(
                node,
                level,
                name(node),
                Site.line(profile().site(node)),
                calls[node],
                base[node],
                cum[node],
                recursiveParent[node] != Profile.NO_NODE,
                countedOnly[node]);
    }

    private String name(int node) {
        return node == Profile.ROOT && head.options().byThread()
                ? UNKNOWN_THREAD
                : head.measured().name(profile().consumer(node));
    }

    Head head() {
        return head;
    }

    Hidden hidden() {
        return hidden;
    }

    /** The {@code limit} largest contexts. */
    XtreeOrder largest(int limit) {
        return order.largest(limit);
    }

    @Override
    public void text(Writer out) throws IOException {
        XtreeOrder shown = order.largest(head.options().rows(USUAL_TEXT_ROWS));
        List<Row> rows = rows(shown);
        List<Field<Row>> fields = new ArrayList<>();
        fields.add(new Field.Count<>("level", Row::level));
        fields.addAll(Usage.fields(head.measured()));
        TextTable<Row> table =
                new TextTable<Row>(
                                fields,
                                profile().consumerLabel(),
                                Row::place,
                                row -> row.recursive() ? TextTable.MARK : "",
                                head.options().width())
                        .measure(rows);
        TextHead.write(out, head, table.hasMarks());
        table.heading(out);
        int widest = head.options().width().orElse(Integer.MAX_VALUE) / 3;
        TreeGuides guides = new TreeGuides(shown, widest);
        for (int i = 0; i < shown.size(); i++) {
            table.row(out, guides.of(i), rows.get(i));
        }
        TextHead.writeNotes(out, hidden.note("context"), note(shown));
    }

    /** Says what a limit left out; empty if nothing was. */
    String note(XtreeOrder shown) {
        return shown.size() == order.size()
                ? ""
                : "the "
                        + Head.grouped(shown.size())
                        + " largest of "
                        + Hidden.plural(order.size(), "context")
                        + " (limit 0 shows all)";
    }

    @Override
    public void json(Writer out) throws IOException {
        XtreeOrder shown = order.largest(head.options().rows(0));
        Json.object(
                out,
                json -> {
                    head.json(json);
                    hidden.json(json, order.size() - shown.size());
                    json.writeName("rows").writeStartArray();
                    List<String> path = new ArrayList<>();
                    for (Row row : rows(shown)) {
                        path.subList(row.level(), path.size()).clear();
                        path.add(row.name());
                        rowJson(json, row, path);
                    }
                    json.writeEndArray();
                });
    }

    private void rowJson(JsonGenerator json, Row row, List<String> path) {
        json.writeStartObject();
        json.writeName("path").writeStartArray();
        path.forEach(json::writeString);
        json.writeEndArray();
        json.writeNumberProperty("depth", row.level());
        if (row.line() > 0) {
            json.writeNumberProperty("line", row.line());
        }
        Usage.json(json, head.measured(), row);
        json.writeEndObject();
    }

    @Override
    public void html(Writer out) throws IOException {
        ProfilePage.write(out, "xtree", head.measured(), head.options());
    }
}
