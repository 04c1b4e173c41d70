package dev.heatline.report;

import dev.heatline.model.Column;
import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import dev.heatline.model.Site;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * The whole tree with all its resources, for the flame graph component of web.
 *
 * <p>HTML is the component's page with the data inside. JSON is the same data unpacked: the usual
 * head; {@code graph}, the head of the component's data; {@code nodes}, with an array each of
 * depth, consumer, line and kind in preorder; and {@code values}, for each resource of the head an
 * array each of node, thread and value. Threads count from 1, 0 is none; values are what a node
 * used by itself, in stored units. Text has no flames: it is that of xtree.
 */
public final class FlameGraphReport implements Report {

    /** More contexts than this make a page that browsers open slowly. */
    private static final int USUAL_CONTEXTS = 1_000_000;

    private static final String WEB = "/dev/heatline/web/";

    private final Head head;
    private final Profile profile;
    private final FlameHead flameHead;
    private final Profile original;

    private FlameGraphReport(Profile original, Head head, int folded) {
        this.original = original;
        this.head = head;
        this.profile = head.measured().profile();
        this.flameHead = new FlameHead(head, folded);
    }

    /**
     * The flame graph of a profile; of both sides if it holds a comparison.
     *
     * @throws ReportException if the profile has no such resource
     */
    public static FlameGraphReport of(Profile profile, ReportOptions options) {
        Measurement measured = Measurement.of(profile, options);
        Profile folded = options.foldLines() ? Operations.foldLines(profile) : profile;
        Profile tree = options.byThread() ? Operations.byThread(folded) : folded;
        Pruning pruning = Pruning.of(measured.in(tree));
        double largest = pruning.shareOfLargest(options.rows(USUAL_CONTEXTS));
        Profile shown = pruning.below(Math.max(options.prune(), largest));
        Head head = new Head("flame", "flame graph", measured.in(shown), options);
        return new FlameGraphReport(profile, head, tree.nodeCount() - shown.nodeCount());
    }

    @Override
    public void text(Writer out) throws IOException {
        XtreeReport.of(original, head.options()).text(out);
    }

    @Override
    public void json(Writer out) throws IOException {
        Json.object(
                out,
                json -> {
                    head.json(json);
                    json.writeName("graph").writeStartObject();
                    flameHead.json(json);
                    json.writeEndObject();
                    nodesJson(json);
                    valuesJson(json);
                });
    }

    private void nodesJson(JsonGenerator json) {
        int nodes = profile.nodeCount();
        int[] depths = FlameColumns.depths(profile);
        json.writeName("nodes").writeStartObject();
        array(json, "depth", nodes, node -> depths[node]);
        array(json, "consumer", nodes, profile::consumer);
        array(json, "line", nodes, node -> Site.line(profile.site(node)));
        array(json, "kind", nodes, node -> Site.kind(profile.site(node)).code());
        json.writeEndObject();
    }

    private void valuesJson(JsonGenerator json) {
        json.writeName("values").writeStartArray();
        for (Column column : profile.columns()) {
            json.writeStartObject();
            array(json, "node", column.rows(), column::node);
            array(json, "thread", column.rows(), row -> flameHead.thread(column.thread(row)));
            json.writeName("value").writeStartArray();
            for (int row = 0; row < column.rows(); row++) {
                json.writeNumber(column.value(row));
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void array(
            JsonGenerator json, String name, int length, IntUnaryOperator element) {
        json.writeName(name).writeStartArray();
        for (int i = 0; i < length; i++) {
            json.writeNumber(element.applyAsInt(i));
        }
        json.writeEndArray();
    }

    @Override
    public void html(Writer out) throws IOException {
        html(out, resource("flamegraph.html"), resource("flamegraph.js"));
    }

    /** Fills the component's page. */
    void html(Writer out, String template, String script) throws IOException {
        int at = 0;
        while (at < template.length()) {
            Placeholder next = Placeholder.firstAfter(template, at);
            if (next == null) {
                break;
            }
            int found = template.indexOf(next.text, at);
            out.append(template, at, found);
            switch (next) {
                case TITLE -> HtmlPage.escape(out, head.title());
                case HEAD -> Json.object(EscapingWriter.inScript(out), flameHead::json);
                case COLUMNS -> FlameColumns.write(out, profile, flameHead);
                case SCRIPT -> out.append(script);
            }
            at = found + next.text.length();
        }
        out.append(template, at, template.length());
        out.flush();
    }

    /** What the component's page leaves open. */
    private enum Placeholder {
        TITLE("<!--title-->"),
        HEAD("/*head*/"),
        COLUMNS("/*columns*/"),
        SCRIPT("/*script*/");

        private final String text;

        Placeholder(String text) {
            this.text = text;
        }

        static @Nullable Placeholder firstAfter(String template, int from) {
            Placeholder first = null;
            int least = Integer.MAX_VALUE;
            for (Placeholder placeholder : values()) {
                int found = template.indexOf(placeholder.text, from);
                if (found >= 0 && found < least) {
                    least = found;
                    first = placeholder;
                }
            }
            return first;
        }
    }

    private static String resource(String name) {
        try (InputStream in = FlameGraphReport.class.getResourceAsStream(WEB + name)) {
            if (in == null) {
                throw new ReportException(
                        "this build has no flame graph component ("
                                + name
                                + "): build web with npm, or ask for json");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
