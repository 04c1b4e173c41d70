package dev.heatline.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.CallChain;
import dev.heatline.model.Column;
import dev.heatline.model.ColumnBuilder;
import dev.heatline.model.Consumer;
import dev.heatline.model.ContentionBuilder;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import dev.heatline.model.TaskDefinition;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Names are made by the profiled program; no form of any view may let them do anything. */
class HostileNamesTest {
    static final List<String> NAMES =
            List.of(
                    "<script>document.title='hacked'</script>",
                    "</script><img src=x onerror=\"document.title='hacked'\">",
                    "\"><svg onload=document.title='hacked'>",
                    "' onmouseover='document.title=1",
                    "<!--title-->/*script*/",
                    "two\nlines\rand\ttabs",
                    "\u001b[2J\u001b]0;hacked\u0007",
                    "abc\u202edesrever\u202c",
                    "line\u2028separator\u2029",
                    "\ud800 alone",
                    "&amp;",
                    "x".repeat(10_000),
                    "");

    private static final ReportOptions OPTIONS =
            ReportOptions.builder()
                    .title(NAMES.getFirst())
                    .tasks(List.of(TaskDefinition.prefix(NAMES.get(1), "")))
                    .bounds(0, 1)
                    .build();

    static Profile profile() {
        ProfileBuilder builder = new ProfileBuilder();
        ColumnBuilder cpu = builder.column(Resource.CPU);
        ColumnBuilder samples = builder.column(Resource.SAMPLES);
        ContentionBuilder contentions = new ContentionBuilder(builder);
        int node = Profile.ROOT;
        for (String name : NAMES) {
            int method = builder.consumer(Consumer.method("p.C", name, ""));
            int thread = builder.consumer(Consumer.thread(name, name));
            node = builder.child(node, method, Site.NONE);
            cpu.add(node, thread, 1_000_000);
            samples.add(node, thread, 1);
            cpu.add(node, Column.NO_THREAD, 1);
            contend(contentions, name);
        }
        Provenance provenance =
                Provenance.NONE
                        .withFact(Provenance.APPLICATION, NAMES.get(1))
                        .withFact(Provenance.INTERVAL, NAMES.get(2))
                        .plusCount(NAMES.get(6), 1);
        return builder.build(provenance);
    }

    private static void contend(ContentionBuilder contentions, String name) {
        CallChain chain = CallChain.of(List.of(Consumer.method("p.C", name, "")));
        Consumer thread = Consumer.thread(name, name);
        contentions.add(
                ContentionBuilder.BLOCKED,
                new ContentionBuilder.Lock(name, name, name),
                1_000,
                thread,
                chain,
                new ContentionBuilder.Owner(thread, chain),
                true,
                new ContentionBuilder.Span(0, 1_000));
    }

    @ParameterizedTest
    @EnumSource(View.class)
    void textShowsThemWithoutObeyingThem(View view) {
        String text = Written.as(Form.TEXT, view.of(profile(), OPTIONS));
        assertThat(text.chars().filter(c -> c < ' ' && c != '\n')).isEmpty();
        assertThat(text).doesNotContain("\u202e", "\u2028", "two\nlines");
    }

    @ParameterizedTest
    @EnumSource(View.class)
    void jsonReadsBackAsItWas(View view) {
        String json = Written.as(Form.JSON, view.of(profile(), OPTIONS));
        assertThat(ParsedJson.of(json)).isNotEmpty();
        if (view == View.XPROF) {
            assertThat(String.valueOf(ParsedJson.of(json).get("rows")))
                    .contains("p.C.two\nlines\rand\ttabs", "p.C." + NAMES.getFirst());
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = View.class,
            names = {"FLAME"},
            mode = EnumSource.Mode.EXCLUDE)
    void htmlHoldsNoMarkupOfTheirs(View view) {
        String html = Written.as(Form.HTML, view.of(profile(), OPTIONS));
        assertThat(html).doesNotContain("<img", "<svg", "<script>document", "\u001b", "\u202e");
        assertThat(html.split("<script>", -1)).hasSize(2);
    }
}
