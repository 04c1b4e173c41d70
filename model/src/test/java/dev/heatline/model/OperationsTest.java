package dev.heatline.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class OperationsTest {

    @Provide
    Arbitrary<Profile> profiles() {
        return Trees.profiles();
    }

    private static long total(Profile profile) {
        return profile.column("samples").map(Column::total).orElse(0L);
    }

    @Property
    void mergeIsCommutativeAndAssociative(
            @ForAll("profiles") Profile a,
            @ForAll("profiles") Profile b,
            @ForAll("profiles") Profile c) {
        Profile ab = Operations.merge(List.of(a, b));
        Profile bc = Operations.merge(List.of(b, c));

        assertThat(ab).isEqualTo(Operations.merge(List.of(b, a)));
        assertThat(Operations.merge(List.of(ab, c))).isEqualTo(Operations.merge(List.of(a, bc)));
        assertThat(Operations.merge(List.of(a, b, c))).isEqualTo(Operations.merge(List.of(ab, c)));
        assertThat(total(ab)).isEqualTo(total(a) + total(b));
    }

    @Property
    void theOrderOfStacksMakesNoDifference(@ForAll("profiles") Profile profile, @ForAll long seed) {
        List<Profile> rows = new ArrayList<>();
        for (int node = 0; node < profile.nodeCount(); node++) {
            int wanted = node;
            boolean[] only = new boolean[profile.nodeCount()];
            only[wanted] = true;
            rows.add(onlyRowsOf(profile, only));
        }
        Collections.shuffle(rows, new Random(seed));
        Profile merged = Operations.merge(rows).withProvenance(profile.provenance());
        assertThat(merged).isEqualTo(profile);
    }

    private static Profile onlyRowsOf(Profile profile, boolean[] wanted) {
        ProfileBuilder builder = new ProfileBuilder();
        int[] consumers = builder.adopt(profile);
        int[] place = new int[profile.nodeCount()];
        for (int node = 0; node < place.length; node++) {
            place[node] = -1;
            if (wanted[node]) {
                int copy = Profile.ROOT;
                for (int at : pathTo(profile, node)) {
                    copy = builder.child(copy, consumers[profile.consumer(at)], profile.site(at));
                }
                place[node] = copy;
            }
        }
        profile.columns().forEach(c -> builder.addColumn(c.resource(), c, place, consumers));
        return builder.build(Provenance.NONE);
    }

    private static List<Integer> pathTo(Profile profile, int node) {
        List<Integer> path = new ArrayList<>();
        for (int at = node; at > Profile.ROOT; at = profile.parent(at)) {
            path.addFirst(at);
        }
        return path;
    }

    @Property
    void everyOperationKeepsTotals(@ForAll("profiles") Profile profile) {
        List<Profile> results =
                List.of(
                        Operations.foldLines(profile),
                        Operations.foldSites(profile),
                        Operations.byThread(profile),
                        Operations.invert(profile),
                        Operations.regroup(profile, Operations.Grouping.CLASS),
                        Operations.regroup(profile, Operations.Grouping.PACKAGE),
                        Operations.selectThreads(profile, _ -> true),
                        profile.columns().isEmpty()
                                ? profile
                                : Operations.prune(profile, "samples", 0.1));
        for (Profile result : results) {
            assertThat(total(result)).isEqualTo(total(profile));
        }
    }

    @Property
    void invertingTwiceGivesTheTreeBackWithoutItsLines(@ForAll("profiles") Profile profile) {
        assertThat(Operations.invert(Operations.invert(profile)))
                .isEqualTo(Operations.selectThreads(Operations.foldSites(profile), _ -> true));
    }

    @Property
    void theThreadsOfAProfileAddUpToIt(@ForAll("profiles") Profile profile) {
        List<Profile> parts = new ArrayList<>();
        parts.add(Operations.selectThreads(profile, thread -> thread == Column.NO_THREAD));
        for (int wanted : profile.threads()) {
            parts.add(Operations.selectThreads(profile, thread -> thread == wanted));
        }
        assertThat(Operations.merge(parts).withProvenance(profile.provenance())).isEqualTo(profile);
    }

    @Test
    void focusMakesTheOutermostCallsOfAMethodRoots() {
        Profile profile = Trees.of("abcb 1", "bd 2", "ad 4", "b 8");
        Profile focused = Operations.focus(profile, c -> c.name().equals("b"));

        assertThat(Trees.contexts(focused)).containsExactly("b 8", "bcb 1", "bd 2");
    }

    @Test
    void pruningKeepsWhatItRemovesInItsPlace() {
        Profile profile = Trees.of("ab 90", "ac 4", "acd 4", "a 1", "e 1");
        Profile pruned = Operations.prune(profile, "samples", 0.1);

        assertThat(Trees.contexts(pruned))
                .containsExactly("a 1", "ab 90", "a[pruned]c 4", "a[pruned]d 4", "[pruned]e 1");
    }

    @Test
    void invertingPutsTheConsumersFirstAndTheirCallersBelow() {
        Profile profile = Trees.of("abc 1", "dc 2");
        assertThat(Trees.contexts(Operations.invert(profile))).containsExactly("cba 1", "cd 2");
    }

    @Test
    void regroupingFoldsCallsWithinAPackage() {
        ProfileBuilder builder = new ProfileBuilder();
        int node = Profile.ROOT;
        for (String method : List.of("x.A.run", "x.B.go", "y.C.do", "x.A.run")) {
            node = builder.child(node, builder.consumer(Consumer.method(method)), Site.NONE);
        }
        builder.column(Resource.SAMPLES).add(node, Column.NO_THREAD, 1);
        Profile packages =
                Operations.regroup(builder.build(Provenance.NONE), Operations.Grouping.PACKAGE);

        assertThat(packages.path(packages.nodeCount() - 1))
                .extracting(Consumer::name)
                .containsExactly("x", "y", "x");
        assertThat(packages.consumerLabel()).isEqualTo("package");
    }

    @Test
    void callSitesAreMethodsApartByLine() {
        ProfileBuilder builder = new ProfileBuilder();
        int method = builder.consumer(Consumer.method("m"));
        for (int line = 1; line <= 2; line++) {
            for (FrameKind kind : FrameKind.values()) {
                int node = builder.child(Profile.ROOT, method, Site.of(line, kind));
                builder.column(Resource.SAMPLES).add(node, Column.NO_THREAD, 1);
            }
        }
        Profile profile = builder.build(Provenance.NONE);

        assertThat(Trees.contexts(Operations.regroup(profile, Operations.Grouping.CALL_SITE)))
                .containsExactly("m 8", "m 8");
        assertThat(Trees.contexts(Operations.regroup(profile, Operations.Grouping.METHOD)))
                .containsExactly("m 16");
    }

    @Test
    void threadsBecomeTheOutermostConsumers() {
        Profile profile =
                Trees.of(
                        List.of(
                                new Trees.Seen("ab", "t1", 0, 1),
                                new Trees.Seen("ab", "t2", 0, 2),
                                new Trees.Seen("a", "t1", 0, 4)));
        Profile byThread = Operations.byThread(profile);
        assertThat(Trees.contexts(byThread)).containsExactly("t1a 4", "t1ab 1", "t2ab 2");
    }

    @Test
    void comparingKeepsBothSidesApart() {
        Profile both = Operations.compare(Trees.of("a 1", "b 2"), Trees.of("b 3", "c 4"));

        assertThat(both.column("samples").orElseThrow().total()).isEqualTo(7);
        assertThat(both.column("samples@baseline").orElseThrow().total()).isEqualTo(3);
        assertThat(both.nodeCount()).isEqualTo(4);
    }

    @Test
    void scalingRoundsToTheNearestUnit() {
        Profile scaled = Operations.scale(Trees.of("a 3", "b 5"), 0.5);
        assertThat(Trees.contexts(scaled)).containsExactly("a 2", "b 3");
    }
}
