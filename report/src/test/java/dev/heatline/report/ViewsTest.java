package dev.heatline.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.list;

import dev.heatline.model.Column;
import dev.heatline.model.ColumnBuilder;
import dev.heatline.model.Consumer;
import dev.heatline.model.ContentionBuilder;
import dev.heatline.model.FrameKind;
import dev.heatline.model.ModelException;
import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import dev.heatline.model.TaskDefinition;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ViewsTest {
    private static final ReportOptions WITH_TASKS =
            ReportOptions.builder()
                    .tasks(
                            List.of(
                                    TaskDefinition.prefix("a", "A"),
                                    TaskDefinition.prefix("x", "X")))
                    .build();

    @ParameterizedTest
    @EnumSource(
            value = View.class,
            names = {"LOCKS"},
            mode = EnumSource.Mode.EXCLUDE)
    void anEmptyProfileIsAnEmptyReport(View view) {
        Profile empty = new ProfileBuilder().build(Provenance.NONE);
        assertThat(Written.as(Form.TEXT, view.of(empty, WITH_TASKS))).contains("total 0 samples");
        assertThat(ParsedJson.of(Written.as(Form.JSON, view.of(empty, WITH_TASKS))))
                .containsEntry("total", 0L);
    }

    @ParameterizedTest
    @EnumSource(
            value = View.class,
            names = {"LOCKS"},
            mode = EnumSource.Mode.EXCLUDE)
    void theLargestValueIsWrittenInFull(View view) {
        ProfileBuilder builder = new ProfileBuilder();
        int node = builder.child(0, builder.consumer(Consumer.method("A")), Site.NONE);
        builder.column(Resource.bytes("allocated", "allocations"))
                .add(node, Column.NO_THREAD, Long.MAX_VALUE);
        Profile profile = builder.build(Provenance.NONE);
        assertThat(Written.as(Form.TEXT, view.of(profile, WITH_TASKS)))
                .contains("total 9223372 TB");
        assertThat(Written.as(Form.JSON, view.of(profile, WITH_TASKS)))
                .contains("\"total\":9223372036854775807");
    }

    @Test
    void stolenTimeIsToldAndWarnedOf() {
        Provenance little =
                Provenance.NONE
                        .withCount(Provenance.STEAL_MICROS, 400_000)
                        .withCount(Provenance.CORRECTED_MICROS, 9_600_000)
                        .withCount(Provenance.RUN_QUEUE_MICROS, 1_250_000)
                        .withCount(Provenance.THROTTLED_MICROS, 500_000);
        String head =
                "10.00 s on CPUs, 0.40 s of it stolen by the hypervisor (4.0 %), 1.25 s waiting for"
                        + " one, 0.50 s throttled by a CPU limit\n";
        assertThat(text(little)).contains(head).doesNotContain("warning", " us");
        assertThat(text(little.withCount(Provenance.STEAL_MICROS, 2_400_000)))
                .contains("warning: the hypervisor stole 20.0 % of the CPU time");
        assertThat(text(Provenance.NONE)).doesNotContain("CPUs", "warning");
    }

    private static String text(Provenance provenance) {
        Profile profile = new ProfileBuilder().build(provenance);
        return Written.as(Form.TEXT, View.XPROF.of(profile, ReportOptions.DEFAULTS));
    }

    @Test
    void whatTheRootUsedItselfIsARow() {
        ProfileBuilder builder = new ProfileBuilder();
        builder.column(Resource.CPU).add(Profile.ROOT, Column.NO_THREAD, 2_000_000);
        Profile profile = builder.build(Provenance.NONE);
        assertThat(Written.as(Form.TEXT, View.XPROF.of(profile, ReportOptions.DEFAULTS)))
                .isEqualTo(
                        """
                        xprof: flat profile by method; cpu, total 2.000 ms
                        threads not recorded

                        base ms  base %  cum ms   cum %  method
                          2.000  100.00   2.000  100.00  all threads
                        """);
    }

    @Test
    void recursionIsMarkedAndCountedOnce() {
        ProfileBuilder builder = new ProfileBuilder();
        int fib = builder.consumer(Consumer.method("p.C", "fib", "(I)I"));
        int outer = builder.child(Profile.ROOT, fib, Site.NONE);
        int inner = builder.child(outer, fib, Site.NONE);
        ColumnBuilder samples = builder.column(Resource.SAMPLES);
        samples.add(outer, Column.NO_THREAD, 1);
        samples.add(inner, Column.NO_THREAD, 3);
        Profile profile = builder.build(Provenance.NONE);
        assertThat(Written.as(Form.TEXT, View.XPROF.of(profile, ReportOptions.DEFAULTS)))
                .isEqualTo(
                        """
                        xprof: flat profile by method; samples, total 4 samples
                        4 of 4 samples, threads not recorded
                        * recursive: found below itself; its cum counts nothing twice

                        base samples  base %  cum samples   cum %    method
                                   4  100.00            4  100.00  * p.C.fib(int)
                        """);
        assertThat(Written.as(Form.TEXT, View.XARC.of(profile, ReportOptions.DEFAULTS)))
                .contains("child              3   75.00            0    0.00  *   p.C.fib(int)");
    }

    @Test
    void linesTellContextsApartUntilTheyAreFolded() {
        ProfileBuilder builder = new ProfileBuilder();
        int method = builder.consumer(Consumer.method("p.C", "m", "()V"));
        ColumnBuilder samples = builder.column(Resource.SAMPLES);
        for (int line : new int[] {7, 9}) {
            for (FrameKind kind : new FrameKind[] {FrameKind.INTERPRETED, FrameKind.COMPILED}) {
                int node = builder.child(Profile.ROOT, method, Site.of(line, kind));
                samples.add(node, Column.NO_THREAD, line);
            }
        }
        Profile profile = builder.build(Provenance.NONE);
        assertThat(XtreeReport.of(profile, ReportOptions.DEFAULTS).rows())
                .extracting(XtreeReport.Row::place)
                .containsExactly("all threads", "p.C.m():9", "p.C.m():7");
        ReportOptions folded = ReportOptions.builder().foldLines(true).build();
        assertThat(XtreeReport.of(profile, folded).rows())
                .extracting(XtreeReport.Row::place)
                .containsExactly("all threads", "p.C.m()");
    }

    @Test
    void everythingLeftOutIsCounted() {
        Profile profile = ArcflowExample.profile();
        ReportOptions pruned = ReportOptions.builder().prune(0.15).limit(3).build();
        assertThat(Written.as(Form.TEXT, View.XPROF.of(profile, pruned)))
                .endsWith(
                        """
                        3 methods below 15 % hidden; their base is 30.00 %
                        the first 3 of 5 methods (limit 0 shows all)
                        """);
        assertThat(Written.as(Form.TEXT, View.XTREE.of(profile, pruned)))
                .endsWith(
                        """
                        5 contexts below 15 % hidden; their base is 50.00 %
                        the 3 largest of 7 contexts (limit 0 shows all)
                        """);
        assertThat(ParsedJson.of(Written.as(Form.JSON, View.XPROF.of(profile, pruned))))
                .containsEntry("hidden", 3L)
                .containsEntry("leftOut", 2L);
    }

    @Test
    void contextsOfOtherResourcesAreNotHiddenOnes() {
        Profile profile = twoResources();
        ReportOptions pruned = ReportOptions.builder().resource("cpu").prune(0.5).build();
        assertThat(Written.as(Form.TEXT, View.XTREE.of(profile, pruned)))
                .endsWith("1 context below 50 % hidden; their base is 10.00 %\n");
    }

    @Test
    void resourcesAreListedWithWhatTheyRestOn() {
        assertThat(Written.as(Form.TEXT, View.RESOURCES.of(twoResources(), ReportOptions.DEFAULTS)))
                .isEqualTo(
                        """
                        resources: what the profile tells about; cpu, total 1.000 s
                        100 of 100 samples, threads not recorded

                        total  unit     observed  as       rows  resource
                        1.000  s             100  samples     2  cpu
                        4.096  kB                             2  allocated
                          100  samples                        1  samples
                        """);
    }

    /** A and B used the CPU, C and D below B allocated. */
    private static Profile twoResources() {
        ProfileBuilder builder = new ProfileBuilder();
        int a = builder.child(Profile.ROOT, builder.consumer(Consumer.method("A")), Site.NONE);
        int b = builder.child(Profile.ROOT, builder.consumer(Consumer.method("B")), Site.NONE);
        int c = builder.child(b, builder.consumer(Consumer.method("C")), Site.NONE);
        int d = builder.child(b, builder.consumer(Consumer.method("D")), Site.NONE);
        ColumnBuilder cpu = builder.column(Resource.CPU);
        cpu.add(a, Column.NO_THREAD, 900_000_000);
        cpu.add(b, Column.NO_THREAD, 100_000_000);
        builder.column(Resource.SAMPLES).add(a, Column.NO_THREAD, 100);
        ColumnBuilder allocated = builder.column(Resource.bytes("allocated", "allocations"));
        allocated.add(c, Column.NO_THREAD, 4_000);
        allocated.add(d, Column.NO_THREAD, 96);
        return builder.build(Provenance.NONE);
    }

    @Test
    void namesAreCutForATerminalOnly() {
        ProfileBuilder builder = new ProfileBuilder();
        String name = "long.pack.age.name.SomeClass.method(" + "Parameter,".repeat(20) + "int)";
        int node = builder.child(0, builder.consumer(Consumer.method(name)), Site.NONE);
        builder.column(Resource.SAMPLES).add(node, Column.NO_THREAD, 1);
        Profile profile = builder.build(Provenance.NONE);
        ReportOptions terminal = ReportOptions.builder().width(80).build();
        assertThat(Written.as(Form.TEXT, View.XPROF.of(profile, ReportOptions.DEFAULTS)))
                .contains(name);
        assertThat(Written.as(Form.TEXT, View.XPROF.of(profile, terminal)).lines())
                .allMatch(line -> line.length() <= 80)
                .anyMatch(line -> line.endsWith("SomeClass.method(…)"));
        assertThat(VisibleText.shortened("p.A.a() > p.B.b() > p.C.c()", 12))
                .isEqualTo("…) > p.C.c()");
    }

    @Test
    void unknownNamesAreAnsweredWithTheKnownOnes() {
        Profile profile = ArcflowExample.profile();
        ReportOptions wall = ReportOptions.builder().resource("wall").build();
        assertThatThrownBy(() -> View.XPROF.of(profile, wall))
                .isInstanceOf(ModelException.class)
                .hasMessage("the profile has no resource wall; it has calls, cpu");
        assertThatThrownBy(() -> View.named("gprof"))
                .hasMessageContaining(
                        "xprof, xarc, xtree, flame, threads, locks, tasks, subsuming");
    }

    @Test
    void theMainResourceIsTimeRatherThanACount() {
        assertThat(mainOf(Resource.SAMPLES, Resource.CPU, Resource.seconds("wall", "samples")))
                .isEqualTo("cpu");
        assertThat(mainOf(Resource.CALLS, Resource.seconds("elapsed", "calls")))
                .isEqualTo("elapsed");
        assertThat(mainOf(Resource.CALLS, Resource.bytes("heap", "calls"))).isEqualTo("heap");
        assertThat(mainOf(Resource.CALLS)).isEqualTo("calls");
    }

    @Test
    void waitingForWorkIsTheMainResourceOnlyWhereNothingElseIs() {
        ProfileBuilder builder = new ProfileBuilder();
        builder.column(ContentionBuilder.WAITED).add(Profile.ROOT, Column.NO_THREAD, 1000);
        assertThat(mainOf(builder.build(Provenance.NONE))).isEqualTo("waited");
        builder.column(ContentionBuilder.BLOCKED).add(Profile.ROOT, Column.NO_THREAD, 1);
        assertThat(mainOf(builder.build(Provenance.NONE))).isEqualTo("blocked");
    }

    private static String mainOf(Resource... resources) {
        ProfileBuilder builder = new ProfileBuilder();
        for (Resource resource : resources) {
            builder.column(resource).add(Profile.ROOT, Column.NO_THREAD, 1);
        }
        return mainOf(builder.build(Provenance.NONE));
    }

    private static String mainOf(Profile profile) {
        return profile.mainColumn().orElseThrow().resource().name();
    }

    @Test
    void theHeadSaysHowFarToTrustTheNumbers() {
        ProfileBuilder builder = new ProfileBuilder();
        int node = builder.child(0, builder.consumer(Consumer.method("A")), Site.NONE);
        int thread = builder.consumer(Consumer.thread("pool", "worker-1"));
        builder.column(Resource.SAMPLES).add(node, thread, 90);
        builder.column(Resource.CPU).add(node, thread, 900_000_000);
        Provenance provenance =
                Provenance.NONE
                        .withFact(Provenance.APPLICATION, "shop")
                        .withFact(Provenance.VERSION, "1.2")
                        .withFact(Provenance.INTERVAL, "10ms")
                        .plusCount(Provenance.LOST, 7)
                        .plusCount(Provenance.UNDECODABLE, 3)
                        .plusCount(Provenance.TRUNCATED, 20)
                        .plusCount(Provenance.MERGED, 15)
                        .plusCount(Provenance.PENDING, 5)
                        .covering(0, 30_000_000_000L);
        assertThat(
                        Written.as(
                                Form.TEXT,
                                View.XPROF.of(builder.build(provenance), ReportOptions.DEFAULTS)))
                .startsWith(
                        """
                        xprof: flat profile by method; cpu, total 900.00 ms
                        90 of 97 samples, one every 10ms, 7 lost, 3 undecodable, thread worker-1
                        20 stacks truncated: 15 merged, 5 pending
                        shop 1.2, 1970-01-01 00:00:00 UTC + 30 s
                        """);
    }

    @Test
    void theHeadSaysHowManyClassesTheLockTracerDidNotSee() {
        ProfileBuilder builder = new ProfileBuilder();
        int node = builder.child(0, builder.consumer(Consumer.method("A")), Site.NONE);
        builder.column(Resource.SAMPLES).add(node, Column.NO_THREAD, 90);
        Provenance provenance =
                Provenance.NONE
                        .plusCount("lock events lost", 1_200)
                        .withFact("classes not traced", "3")
                        .withFact("classes not restored", "2");
        assertThat(
                        Written.as(
                                Form.TEXT,
                                View.XPROF.of(builder.build(provenance), ReportOptions.DEFAULTS)))
                .contains("1,200 lock events lost, 3 classes not traced, 2 classes not restored");
    }

    @Test
    void everyResourceHasLossesOfItsOwn() {
        ProfileBuilder builder = new ProfileBuilder();
        int node = builder.child(0, builder.consumer(Consumer.method("A")), Site.NONE);
        builder.column(Resource.SAMPLES).add(node, Column.NO_THREAD, 1843);
        builder.column(Resource.count("cpu-samples")).add(node, Column.NO_THREAD, 990);
        Provenance provenance =
                Provenance.NONE
                        .plusCount("lost cpu-samples", 10)
                        .plusCount(Provenance.UNDECODABLE, 5);
        Profile profile = builder.build(provenance);
        ReportOptions cpu = ReportOptions.builder().resource("cpu-samples").build();
        assertThat(Written.as(Form.TEXT, View.XPROF.of(profile, cpu)))
                .contains("\n990 of 1,000 cpu-samples, 10 lost, 5 undecodable, ");
        ReportOptions samples = ReportOptions.builder().resource("samples").build();
        assertThat(Written.as(Form.TEXT, View.XPROF.of(profile, samples)))
                .contains("\n1,843 of 1,843 samples, 5 undecodable, ");
        assertThat(ParsedJson.of(Written.as(Form.JSON, View.XPROF.of(profile, cpu))))
                .containsEntry("totalCalls", 990L)
                .containsEntry("recordedCalls", 1000L);
    }

    @Test
    void threadsShowWhatTheyUsedAndWhere() {
        assertThat(Written.as(Form.TEXT, View.THREADS.of(ArcflowExample.profile(), WITH_TASKS)))
                .contains("   12  10.000  100.00         AC_test_pidtid  30 B, 20 A, 20 C");
        assertThat(Written.as(Form.JSON, View.THREADS.of(ArcflowExample.profile(), WITH_TASKS)))
                .contains(
                        "{\"thread\":\"AC_test_pidtid\",\"group\":\"\",\"calls\":12,"
                                + "\"percent\":100.0,\"cpu\":10.0,");
    }

    @Test
    void tasksShowWhatTheyUsed() {
        assertThat(Written.as(Form.TEXT, View.TASKS.of(ArcflowExample.profile(), WITH_TASKS)))
                .endsWith(
                        """
                        roots  calls  cum s  cum %  task
                            2     10  9.000  90.00  a
                            1      4  3.000  30.00  x
                        """);
        assertThatThrownBy(() -> View.TASKS.of(ArcflowExample.profile(), ReportOptions.DEFAULTS))
                .isInstanceOf(ReportException.class);
    }

    @Test
    void subsumingMethodsStateTheirBounds() {
        ReportOptions bounds = ReportOptions.builder().bounds(1, 1).build();
        String text = Written.as(Form.TEXT, View.SUBSUMING.of(ArcflowExample.profile(), bounds));
        assertThat(text).contains("more than 1 level below it", "within 1 level above");
    }

    @Test
    void aDifferenceComesWithItsNoise() {
        Profile profile = ArcflowExample.profile();
        Profile more =
                Operations.merge(
                        List.of(profile, Operations.focus(profile, c -> c.name().equals("X"))));
        DiffReport diff = DiffReport.of(profile, more, ReportOptions.DEFAULTS);
        assertThat(Written.as(Form.TEXT, diff))
                .contains("cpu, total 10.000 s -> 13.000 s")
                .contains("baseline: 10.000 s in 12 calls\ncurrent: 13.000 s in 16 calls\n")
                .contains("     3.000   30.00      6.000  46.15  +16.15")
                .contains("↘  Main > B > A > X\n", "↗  X\n")
                .endsWith(
                        "contexts that changed by less than 1.00 points are not listed"
                                + " (limit 0 lists all)\n");
        assertThat(ParsedJson.of(Written.as(Form.JSON, diff)))
                .containsEntry("baselineCalls", 12L)
                .containsEntry("totalCalls", 16L)
                .containsKeys("rows", "paths");
        assertThat(Written.as(Form.JSON, diff)).contains("\"pathsFrom\":0.01", "\"angle\":-45.0");
        assertThat(Written.as(Form.HTML, diff)).contains("+16.15", "Main &gt; B &gt; A &gt; X");
    }

    @Test
    void aLimitOfZeroListsEveryContextOfADifference() {
        Profile profile = ArcflowExample.profile();
        ReportOptions all = ReportOptions.builder().limit(0).build();
        DiffReport same = DiffReport.of(profile, profile, all);
        assertThat(Written.as(Form.JSON, same)).contains("\"pathsFrom\":0.0");
        assertThat(Written.as(Form.TEXT, same)).doesNotContain("not listed");
        assertThat(ParsedJson.of(Written.as(Form.JSON, same)))
                .extracting("paths")
                .asInstanceOf(list(Object.class))
                .hasSize(profile.nodeCount() - 1);
    }

    @Test
    void overlapKeepsTheContract() {
        Profile profile = ArcflowExample.profile();
        OverlapReport same = OverlapReport.of(profile, profile, 0.1, ReportOptions.DEFAULTS);
        assertThat(Written.as(Form.JSON, same))
                .isEqualTo(
                        """
                        {"resource":"cpu","overlap":1.0,"hotEdgeCoverage":\
                        {"threshold":0.1,"aCoversB":1.0,"bCoversA":1.0}}
                        """);
        assertThat(Written.as(Form.TEXT, same)).contains("100.00  degree of overlap");
    }
}
