package dev.heatline.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashSet;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class CallGraphTest {

    @Provide
    Arbitrary<Profile> profiles() {
        return Trees.profiles();
    }

    private static CallGraph graph(Profile profile) {
        return CallGraph.of(profile, Trees.samples(profile));
    }

    private static int arc(Profile profile, CallGraph graph, String caller, String callee) {
        for (int arc : graph.arcsFrom(Trees.method(profile, caller))) {
            if (graph.callee(arc) == Trees.method(profile, callee)) {
                return arc;
            }
        }
        throw new AssertionError("no arc " + caller + " -> " + callee);
    }

    /** 000 figure 3.6: a calls b and c; a2 lies below a, c2 and c3 below c. */
    @Test
    void recursiveParentsAreTheNearestEnclosingNodesOfTheSameMethod() {
        Profile profile = Trees.of("abac 1", "acbcc 1");
        int[] parents = Recursion.parents(profile);

        assertThat(parents[Trees.node(profile, "aba")]).isEqualTo(Trees.node(profile, "a"));
        assertThat(parents[Trees.node(profile, "acbc")]).isEqualTo(Trees.node(profile, "ac"));
        assertThat(parents[Trees.node(profile, "acbcc")]).isEqualTo(Trees.node(profile, "acbc"));
        assertThat(parents[Trees.node(profile, "abac")]).isEqualTo(Profile.NO_NODE);
        assertThat(parents[Trees.node(profile, "ab")]).isEqualTo(Profile.NO_NODE);
    }

    @Test
    void recursiveCallsAreCountedOnce() {
        Profile profile = Trees.of("a 1", "aa 2", "aba 3", "b 4");
        CallGraph graph = graph(profile);
        int a = Trees.method(profile, "a");

        assertThat(graph.cum(a)).isEqualTo(6);
        assertThat(graph.base(a)).isEqualTo(6);
        assertThat(graph.cum(Trees.method(profile, "b"))).isEqualTo(7);
        assertThat(graph.isRecursive(a)).isTrue();
        assertThat(graph.isRecursive(Trees.method(profile, "b"))).isFalse();
        assertThat(graph.methodTime(a)).isEqualTo(0.6);
        assertThat(graph.selfTime(a)).isEqualTo(1);
    }

    @Test
    void calleeAndCallerTimesAreProportionsOfTheMethod() {
        Profile profile = Trees.of("ac 3", "ad 1", "bc 1", "a 4");
        CallGraph graph = graph(profile);

        int ac = arc(profile, graph, "a", "c");
        assertThat(graph.calleeTime(ac)).as("eq. 3.12").isEqualTo(3.0 / 8);
        assertThat(graph.callerTime(ac)).as("eq. 3.15, divisor as in eq. 3.5").isEqualTo(0.75);
        assertThat(graph.callerTime(arc(profile, graph, "b", "c"))).isEqualTo(0.25);
        assertThat(graph.selfTime(Trees.method(profile, "a"))).as("eq. 3.7").isEqualTo(0.5);
    }

    /** m-c-x-c-m-c: the innermost c lies in the outermost although another call is between. */
    @Test
    void aCallInsideTheSameCallIsNotCountedTwiceEvenThroughAnotherCaller() {
        Profile profile = Trees.of("mcxcmc 5", "m 5");
        CallGraph graph = graph(profile);

        int mc = arc(profile, graph, "m", "c");
        assertThat(graph.arcInvocation(mc)).isEqualTo(5);
        assertThat(graph.calleeTime(mc)).isEqualTo(0.5);
    }

    @Test
    void whatLiesUnderANestedCallIsChargedToTheNestedCallsOwnChildren() {
        Profile profile = Trees.of("abac 8", "ab 1", "a 1");
        CallGraph graph = graph(profile);

        assertThat(graph.arcNet(arc(profile, graph, "a", "b"))).isEqualTo(1);
        assertThat(graph.arcNet(arc(profile, graph, "a", "c"))).isEqualTo(8);
        assertThat(graph.arcCum(arc(profile, graph, "b", "a"))).as("nested").isZero();
    }

    @Property
    void theFourInvariantsOfXarcHold(@ForAll("profiles") Profile profile) {
        if (profile.columns().isEmpty()) {
            return;
        }
        CallGraph graph = graph(profile);
        long bases = 0;
        for (int id = 0; id < profile.consumerCount(); id++) {
            bases += graph.base(id);
            long calls = 0;
            long base = 0;
            long cum = 0;
            for (int arc : graph.arcsTo(id)) {
                calls += graph.arcCalls(arc);
                base += graph.arcBase(arc);
                cum += graph.arcCum(arc);
            }
            if (id != profile.consumer(Profile.ROOT)) {
                assertThat(calls).as("calls").isEqualTo(graph.calls(id));
                assertThat(base).as("base").isEqualTo(graph.base(id));
                assertThat(cum).as("cum").isEqualTo(graph.cum(id));
            }
            long children = 0;
            for (int arc : graph.arcsFrom(id)) {
                assertThat(graph.arcNet(arc)).isNotNegative();
                children += graph.arcNet(arc);
            }
            assertThat(children).as("children").isEqualTo(graph.cum(id) - graph.base(id));
        }
        assertThat(bases).isEqualTo(graph.total());
    }

    /** The sums of eq. 3.5 and 3.11 once more, context by context with sets instead of a walk. */
    @Property
    void sumsAgreeWithTheirDefinitions(@ForAll("profiles") Profile profile) {
        if (profile.columns().isEmpty()) {
            return;
        }
        CallGraph graph = graph(profile);
        long[] self = Trees.samples(profile).self(profile.nodeCount());
        long[] cum = new long[profile.consumerCount()];
        long[] invocation = new long[graph.arcCount()];
        for (int node = 0; node < self.length; node++) {
            Set<Integer> methods = new HashSet<>();
            Set<Long> pairs = new HashSet<>();
            for (int at = node; at != Profile.NO_NODE; at = profile.parent(at)) {
                methods.add(profile.consumer(at));
                if (at > 0) {
                    long caller = profile.consumer(profile.parent(at));
                    pairs.add(caller << 32 | profile.consumer(at));
                }
            }
            for (int method : methods) {
                cum[method] += self[node];
            }
            for (int arc = 0; arc < invocation.length; arc++) {
                if (pairs.contains((long) graph.caller(arc) << 32 | graph.callee(arc))) {
                    invocation[arc] += self[node];
                }
            }
        }
        for (int id = 0; id < cum.length; id++) {
            if (!profile.consumerAt(id).type().equals(ConsumerType.THREAD)) {
                assertThat(graph.cum(id)).isEqualTo(cum[id]);
            }
        }
        for (int arc = 0; arc < invocation.length; arc++) {
            assertThat(graph.arcInvocation(arc)).isEqualTo(invocation[arc]);
        }
    }

    @Property
    void valuesPerThreadAddUpToTheMethod(@ForAll("profiles") Profile profile) {
        if (profile.columns().isEmpty()) {
            return;
        }
        CallGraph graph = graph(profile);
        ThreadValues threads = ThreadValues.of(profile, Trees.samples(profile));
        for (int id = 0; id < profile.consumerCount(); id++) {
            long sum = 0;
            double share = 0;
            for (int thread : threads.threadsOf(id)) {
                sum += threads.value(id, thread);
                share += threads.threadTime(id, thread);
                Profile alone = Operations.selectThreads(profile, t -> t == thread);
                int there = alone.idOf(profile.consumerAt(id));
                assertThat(threads.value(id, thread)).isEqualTo(graph(alone).cum(there));
            }
            assertThat(sum).isEqualTo(graph.cum(id));
            assertThat(share).isCloseTo(sum == 0 ? 0 : 1, within(1e-9));
        }
    }
}
