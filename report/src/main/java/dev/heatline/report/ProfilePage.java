package dev.heatline.report;

import dev.heatline.model.CallGraph;
import dev.heatline.model.Profile;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One page with xprof, xarc and xtree, every name a link: from a row to its stanza, from a record
 * of a stanza to that consumer's own, and from there to its row and its first place in the tree.
 * 004 asks for such cross-references under "Future work".
 */
final class ProfilePage {
    private static final int USUAL_ROWS = 5_000;
    private static final int USUAL_STANZAS = 1_500;
    private static final int USUAL_RECORDS = 25;
    private static final int USUAL_CONTEXTS = 10_000;
    private static final int WIDEST_GUIDES = 60;

    private final HtmlPage page;
    private final Measurement measured;
    private final String label;
    private final XprofReport xprof;
    private final Shown<XprofReport.Row> rows;
    private final XarcReport xarc;
    private final Shown<XarcReport.Stanza> stanzas;
    private final XtreeReport xtree;
    private final XtreeOrder contexts;

    /** The consumers that have a row, and those that have a stanza. */
    private final Set<Integer> inXprof = new HashSet<>();

    private final Set<Integer> inXarc = new HashSet<>();

    /** The first node of each consumer that has one; consumers by their ids in xprof and xarc. */
    private final Map<Integer, Integer> firstNode = new HashMap<>();

    private ProfilePage(Writer out, String view, Measurement measured, ReportOptions options)
            throws IOException {
        this.measured = measured;
        this.label = measured.profile().consumerLabel();
        CallGraph graph = Consumers.graph(measured);
        this.xprof = XprofReport.of(measured, options, graph);
        this.rows = Shown.of(xprof.rows(), options.rows(USUAL_ROWS));
        this.xarc = XarcReport.of(measured, options, graph);
        this.stanzas = Shown.of(xarc.stanzas(), options.rows(USUAL_STANZAS));
        this.xtree = XtreeReport.of(measured, options);
        this.contexts = xtree.largest(options.rows(USUAL_CONTEXTS));
        rows.rows().forEach(row -> inXprof.add(row.consumer()));
        stanzas.rows().forEach(stanza -> inXarc.add(stanza.self().consumer()));
        for (int i = 0; i < contexts.size(); i++) {
            firstNode.putIfAbsent(consumerOf(contexts.node(i)), contexts.node(i));
        }
        Head head = new Head(view, "", measured, options);
        this.page = HtmlPage.start(out, head, view, "xprof", "xarc", "xtree");
    }

    /**
     * Writes the page.
     *
     * @param view the one to open with
     */
    static void write(Writer out, String view, Measurement measured, ReportOptions options)
            throws IOException {
        ProfilePage page = new ProfilePage(out, view, measured, options);
        page.writeXprof();
        page.writeXarc();
        page.writeXtree();
        page.page.end();
    }

    /** The consumer of a node of xtree, whose Profile was folded, by its id in the other views. */
    private int consumerOf(int node) {
        return measured.profile().idOf(xtree.profile().consumerOf(node));
    }

    private void writeXprof() throws IOException {
        List<Field<XprofReport.Row>> fields = Usage.fields(measured);
        page.markup("<section id=xprof>");
        page.markup("<p>What each ").text(label).markup(" used: base by itself, cum with all it");
        page.markup(" called.</p>");
        HtmlTable.start(page, "rows", fields, label, true);
        for (XprofReport.Row row : rows.rows()) {
            page.markup("<tr tabindex=0 id=p" + row.consumer() + ">");
            HtmlTable.cells(page, fields, row);
            page.markup("<td class=name>");
            link(row.consumer(), row.name());
            HtmlTable.recursion(page, row.recursive());
            page.markup("\n");
        }
        HtmlTable.end(page);
        notes(xprof.hidden().note(label), rows.note(label));
    }

    private void writeXarc() throws IOException {
        List<Field<XarcReport.Row>> fields = new ArrayList<>();
        fields.add(new Field.Words<>("", row -> row.role().label()));
        fields.addAll(Usage.fields(measured));
        page.markup("<section id=xarc>");
        page.markup("<p>Each ").text(label).markup(" between its parents, on whose behalf it used");
        page.markup(" something, and its children, which used it on its behalf.</p>");
        HtmlTable.start(page, "xarc", fields, label, false);
        for (XarcReport.Stanza stanza : stanzas.rows()) {
            page.markup("<tbody id=a" + stanza.self().consumer() + ">\n");
            writeRecords(fields, XarcReport.first(stanza.parents(), USUAL_RECORDS));
            writeRecords(fields, List.of(stanza.self()));
            writeRecords(fields, XarcReport.first(stanza.children(), USUAL_RECORDS));
        }
        HtmlTable.end(page);
        notes(xarc.hidden().note(label), stanzas.note(label));
    }

    private void writeRecords(List<Field<XarcReport.Row>> fields, List<XarcReport.Row> records)
            throws IOException {
        for (XarcReport.Row row : records) {
            page.markup("<tr tabindex=0 class=" + row.role().label() + ">");
            HtmlTable.cells(page, fields, row);
            page.markup("<td class=name>");
            if (row.role() == XarcReport.Role.SELF) {
                places(row.consumer());
                page.name(row.name());
            } else {
                link(row.consumer(), row.name());
            }
            HtmlTable.recursion(page, row.recursive());
            page.markup("\n");
        }
    }

    /** Links from a stanza to the same consumer in the other views. */
    private void places(int consumer) throws IOException {
        page.markup("<span class=places>");
        if (inXprof.contains(consumer)) {
            page.markup("<a href=#p" + consumer + ">xprof</a>");
        }
        Integer node = firstNode.get(consumer);
        if (node != null) {
            page.markup("<a href=#t" + node + ">xtree</a>");
        }
        page.markup("</span>");
    }

    private void writeXtree() throws IOException {
        List<Field<XtreeReport.Row>> fields = new ArrayList<>();
        fields.add(new Field.Count<>("level", XtreeReport.Row::level));
        fields.addAll(Usage.fields(measured));
        page.markup("<section id=xtree><p>Every calling context, the largest first. Arrow keys");
        page.markup(" move and fold; Enter opens the stanza.</p>");
        HtmlTable.start(page, "xtree", fields, label, false);
        TreeGuides guides = new TreeGuides(contexts, WIDEST_GUIDES);
        List<XtreeReport.Row> all = xtree.rows(contexts);
        for (int i = 0; i < contexts.size(); i++) {
            XtreeReport.Row row = all.get(i);
            boolean folds = i + 1 < contexts.size() && contexts.level(i + 1) > row.level();
            page.markup("<tr tabindex=0 id=t" + row.node() + " data-level=" + row.level());
            page.markup(" data-share=" + Field.percent(measured.share(row.cum())));
            page.markup(folds ? " aria-expanded=true>" : ">");
            HtmlTable.cells(page, fields, row);
            page.markup("<td class=name><div><span class=guide>").text(guides.of(i));
            page.markup("</span><span class=fold></span>");
            link(row.node() == Profile.ROOT ? -1 : consumerOf(row.node()), row.place());
            HtmlTable.recursion(page, row.recursive());
            page.markup("</div>\n");
        }
        HtmlTable.end(page);
        notes(xtree.hidden().note("context"), xtree.note(contexts));
    }

    /** A name that leads to its stanza, if the page has it. */
    private void link(int consumer, String name) throws IOException {
        if (inXarc.contains(consumer)) {
            page.markup("<a href=#a" + consumer + ">").name(name).markup("</a>");
        } else {
            page.name(name);
        }
    }

    private void notes(String... statements) throws IOException {
        for (String statement : statements) {
            page.note(statement);
        }
        page.markup("</section>");
    }
}
