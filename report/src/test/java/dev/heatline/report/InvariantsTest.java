package dev.heatline.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Column;
import dev.heatline.model.ColumnBuilder;
import dev.heatline.model.Consumer;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import java.util.List;
import java.util.function.ToLongFunction;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What 004 promises of its reports, on trees where everything calls everything. */
class InvariantsTest {

    /** A path of methods, innermost last, what its last one used and how often it occurred. */
    record Observation(List<Integer> path, long used, long calls, int thread) {}

    @Property
    void xarcInvariantsHoldExactly(@ForAll("profiles") Profile profile) {
        for (XarcReport.Stanza stanza : XarcReport.of(profile, ReportOptions.DEFAULTS).stanzas()) {
            XarcReport.Row self = stanza.self();
            assertThat(sum(stanza.parents(), Usage::calls)).isEqualTo(self.calls());
            assertThat(sum(stanza.parents(), Usage::base)).isEqualTo(self.base());
            assertThat(sum(stanza.parents(), Usage::cum)).isEqualTo(self.cum());
            assertThat(sum(stanza.children(), Usage::cum)).isEqualTo(self.cum() - self.base());
            assertThat(stanza.children()).allMatch(child -> child.cum() >= 0);
        }
    }

    @Property
    void xarcStaysExactWhenManyRecordsAreSummedUp(@ForAll("profiles") Profile profile) {
        for (XarcReport.Stanza stanza : XarcReport.of(profile, ReportOptions.DEFAULTS).stanzas()) {
            List<XarcReport.Row> parents = XarcReport.first(stanza.parents(), 2);
            assertThat(parents).hasSizeLessThanOrEqualTo(2);
            assertThat(sum(parents, Usage::cum)).isEqualTo(stanza.self().cum());
        }
    }

    @Property
    void xprofBaseAddsUpToTheTotal(@ForAll("profiles") Profile profile) {
        List<XprofReport.Row> rows = XprofReport.of(profile, ReportOptions.DEFAULTS).rows();
        long total = profile.mainColumn().map(Column::total).orElse(0L);
        assertThat(sum(rows, Usage::base)).isEqualTo(total);
        assertThat(rows).allMatch(row -> row.base() <= row.cum() && row.cum() <= total);
        for (int i = 1; i < rows.size(); i++) {
            assertThat(rows.get(i).base()).isLessThanOrEqualTo(rows.get(i - 1).base());
        }
    }

    @Property
    void xtreeNodesHoldTheirBaseAndTheirChildren(@ForAll("profiles") Profile profile) {
        List<XtreeReport.Row> rows = XtreeReport.of(profile, ReportOptions.DEFAULTS).rows();
        for (int i = 0; i < rows.size(); i++) {
            XtreeReport.Row row = rows.get(i);
            long below = row.base();
            long previous = Long.MAX_VALUE;
            for (int j = i + 1; j < rows.size() && rows.get(j).level() > row.level(); j++) {
                if (rows.get(j).level() == row.level() + 1) {
                    assertThat(rows.get(j).cum()).isLessThanOrEqualTo(previous);
                    previous = rows.get(j).cum();
                    below += previous;
                }
            }
            assertThat(row.cum()).isEqualTo(below);
        }
    }

    @Property
    void theLargestContextsFormATree(@ForAll("profiles") Profile profile) {
        XtreeReport report = XtreeReport.of(profile, ReportOptions.DEFAULTS);
        for (int limit = 1; limit <= report.rows().size(); limit += 3) {
            XtreeOrder largest = report.largest(limit);
            assertThat(largest.size()).isEqualTo(limit);
            assertThat(largest.level(0)).isZero();
            for (int i = 1; i < limit; i++) {
                assertThat(largest.level(i)).isBetween(1, largest.level(i - 1) + 1);
            }
        }
    }

    @Property
    void threadsShareOutTheTotal(@ForAll("profiles") Profile profile) {
        ReportOptions byThread = ReportOptions.builder().byThread(true).build();
        List<XtreeReport.Row> rows = XtreeReport.of(profile, byThread).rows();
        long total = profile.mainColumn().map(Column::total).orElse(0L);
        List<XtreeReport.Row> roots = rows.stream().filter(row -> row.level() == 0).toList();
        assertThat(sum(roots, Usage::cum)).isEqualTo(total);
        assertThat(roots).extracting(Usage::name).doesNotHaveDuplicates();
    }

    private static <R extends Usage> long sum(List<R> rows, ToLongFunction<R> value) {
        return rows.stream().mapToLong(value).sum();
    }

    @Provide
    static Arbitrary<Profile> profiles() {
        Arbitrary<Observation> observation =
                Combinators.combine(
                                Arbitraries.integers().between(0, 4).list().ofMaxSize(9),
                                Arbitraries.longs().between(0, 1L << 50),
                                Arbitraries.longs().between(0, 3),
                                Arbitraries.integers().between(-1, 2))
                        .as(Observation::new);
        return observation.list().ofMaxSize(40).map(InvariantsTest::profile);
    }

    private static Profile profile(List<Observation> observations) {
        ProfileBuilder builder = new ProfileBuilder();
        ColumnBuilder cpu = builder.column(Resource.seconds("cpu", "calls"));
        ColumnBuilder calls = builder.column(Resource.CALLS);
        for (Observation observation : observations) {
            int node = Profile.ROOT;
            for (int method : observation.path()) {
                int consumer = builder.consumer(Consumer.method("p.C", "m" + method, "()V"));
                node = builder.child(node, consumer, Site.NONE);
            }
            int thread =
                    observation.thread() < 0
                            ? Column.NO_THREAD
                            : builder.consumer(Consumer.thread("", "t" + observation.thread()));
            cpu.add(node, thread, observation.used());
            calls.add(node, thread, observation.calls());
        }
        return builder.build(Provenance.NONE);
    }
}
