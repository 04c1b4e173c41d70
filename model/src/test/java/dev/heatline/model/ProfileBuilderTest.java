package dev.heatline.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ProfileBuilderTest {

    /** 001 figure 3.1: contexts a, a-b-c, a-b-u-v, a-u (twice), a-u-v. */
    @Test
    void stacksOfFigure31MakeItsCallingContextTree() {
        Profile profile = Trees.of("ab 1", "abc 1", "abuv 1", "au 1", "au 1", "auv 1");

        assertThat(profile.nodeCount()).as("root, a, b, c, u, v, u, v").isEqualTo(8);
        assertThat(Trees.samples(profile).total()).isEqualTo(6);
        long[] weight = Trees.samples(profile).self(profile.nodeCount());
        assertThat(weight[Trees.node(profile, "au")]).isEqualTo(2);
        assertThat(weight[Trees.node(profile, "abu")]).isZero();
    }

    @Test
    void nodesAreInPreorderWithSortedSiblings() {
        Profile profile = Trees.of("b 1", "ad 1", "ac 1", "a 1");

        assertThat(Trees.contexts(profile)).containsExactly("a 1", "ac 1", "ad 1", "b 1");
        assertThat(profile.parent(Trees.node(profile, "ac"))).isEqualTo(Trees.node(profile, "a"));
        assertThat(profile.end(Trees.node(profile, "a"))).isEqualTo(Trees.node(profile, "b"));
    }

    @Test
    void linesAndKindsMakeDifferentNodes() {
        ProfileBuilder builder = new ProfileBuilder();
        int method = builder.consumer(Consumer.method("m"));
        int line1 = builder.child(Profile.ROOT, method, Site.of(1, FrameKind.COMPILED));
        int line2 = builder.child(Profile.ROOT, method, Site.of(2, FrameKind.COMPILED));
        int inlined = builder.child(Profile.ROOT, method, Site.of(1, FrameKind.INLINED));

        assertThat(line1).isNotEqualTo(line2).isNotEqualTo(inlined);
        assertThat(builder.child(Profile.ROOT, method, Site.of(2, FrameKind.COMPILED)))
                .isEqualTo(line2);
        Profile profile = builder.build(Provenance.NONE);
        assertThat(Site.line(profile.site(1))).isEqualTo(1);
        assertThat(Site.kind(profile.site(1))).isEqualTo(FrameKind.COMPILED);
    }

    @Test
    void aCallChainIsReadAsItWasEnteredAndSharesItsOuterFrames() {
        Consumer inner = Consumer.method("inner");
        Consumer outer = Consumer.method("outer");
        ProfileBuilder builder = new ProfileBuilder();
        CallChain one = new CallChain(List.of(inner, outer), List.of(1, 2));
        CallChain other = new CallChain(List.of(inner, outer), List.of(3, 2));
        int nodeOfOne = builder.stack(Profile.ROOT, one);
        int nodeOfOther = builder.stack(Profile.ROOT, other);

        assertThat(builder.chain(nodeOfOne)).isEqualTo(one);
        assertThat(builder.chain(nodeOfOther)).isEqualTo(other);
        assertThat(builder.stack(Profile.ROOT, one)).isEqualTo(nodeOfOne);
        assertThat(builder.nodeCount()).as("root, outer, inner twice").isEqualTo(4);
        assertThat(builder.chain(Profile.ROOT)).isEqualTo(CallChain.NONE);
    }

    @Test
    void manyChildrenOfOneNodeAreAllFoundAgain() {
        ProfileBuilder builder = new ProfileBuilder();
        int[] nodes = new int[100_000];
        for (int i = 0; i < nodes.length; i++) {
            int consumer = builder.consumer(Consumer.method("c" + i % 1000));
            nodes[i] = builder.child(Profile.ROOT, consumer, Site.of(i / 1000 + 1, 0));
        }
        for (int i = 0; i < nodes.length; i++) {
            int consumer = builder.consumer(Consumer.method("c" + i % 1000));
            assertThat(builder.child(Profile.ROOT, consumer, Site.of(i / 1000 + 1, 0)))
                    .isEqualTo(nodes[i]);
        }
        assertThat(builder.build(Provenance.NONE).nodeCount()).isEqualTo(nodes.length + 1);
    }

    @Test
    void aStackOfAMillionFramesIsOnePath() {
        int depth = 1_000_000;
        ProfileBuilder builder = new ProfileBuilder();
        int[] consumers = new int[depth];
        java.util.Arrays.fill(consumers, builder.consumer(Consumer.method("deep")));
        int leaf = builder.stack(Profile.ROOT, consumers, new int[depth], depth);
        builder.column(Resource.SAMPLES).add(leaf, Column.NO_THREAD, 1);
        Profile profile = builder.build(Provenance.NONE);

        CallGraph graph = CallGraph.of(profile, Trees.samples(profile));
        assertThat(graph.cum(Trees.method(profile, "deep"))).isEqualTo(1);
        assertThat(Recursion.parents(profile)[depth]).isEqualTo(depth - 1);
    }

    @Test
    void negativeValuesAreRefused() {
        ColumnBuilder column = new ProfileBuilder().column(Resource.SAMPLES);
        assertThatThrownBy(() -> column.add(0, Column.NO_THREAD, -1))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("negative");
    }

    @Test
    void totalsBeyondALongAreRefused() {
        ProfileBuilder builder = new ProfileBuilder();
        ColumnBuilder column = builder.column(Resource.SAMPLES);
        column.add(0, Column.NO_THREAD, Long.MAX_VALUE);
        int node = builder.child(Profile.ROOT, builder.consumer(Consumer.method("a")), Site.NONE);
        column.add(node, Column.NO_THREAD, 1);
        assertThatThrownBy(() -> builder.build(Provenance.NONE))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("2^63-1");
    }

    @Test
    void aNameWithTwoMeaningsIsRefused() {
        ProfileBuilder builder = new ProfileBuilder();
        builder.column(Resource.seconds("x", "samples"));
        assertThatThrownBy(() -> builder.column(Resource.bytes("x", "samples")))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("resource x means s");
    }

    @Test
    void aColumnInAFinerUnitIsUnifiedExactly() {
        Resource coarse = new Resource("work", "items", Resource.Kind.AMOUNT, 10, "calls");
        Profile tenths = oneValue(coarse, 15);
        Profile thousandths = oneValue(coarse.withPerUnit(1000), 1);

        Profile merged = Operations.merge(java.util.List.of(tenths, thousandths));

        Column column = merged.column("work").orElseThrow();
        assertThat(column.resource().perUnit()).isEqualTo(1000);
        assertThat(column.total()).isEqualTo(1501);
        assertThat(merged).isEqualTo(Operations.merge(java.util.List.of(thousandths, tenths)));
    }

    private static Profile oneValue(Resource resource, long value) {
        ProfileBuilder builder = new ProfileBuilder();
        builder.column(resource).add(Profile.ROOT, Column.NO_THREAD, value);
        return builder.build(Provenance.NONE);
    }

    @Test
    void theFewRowsOfALargeTreeAreInOrder() {
        ProfileBuilder builder = new ProfileBuilder();
        int[] nodes = new int[1000];
        for (int i = 1; i < nodes.length; i++) {
            int method = builder.consumer(Consumer.method("m" + i % 7));
            nodes[i] = builder.child(nodes[i - 1], method, Site.NONE);
        }
        Random random = new Random(1);
        for (int row = 0; row < 50; row++) {
            int thread = builder.consumer(Consumer.thread("", "t" + random.nextInt(3)));
            builder.column(Resource.SAMPLES).add(nodes[random.nextInt(20) * 50], thread, 1);
        }
        Column column = builder.build(Provenance.NONE).columns().getFirst();

        int[] rowNodes = IntStream.range(0, column.rows()).map(column::node).toArray();
        int[] threads = IntStream.range(0, column.rows()).map(column::thread).toArray();
        long[] values = IntStream.range(0, column.rows()).mapToLong(column::value).toArray();
        assertThat(Column.fromRows(Resource.SAMPLES, rowNodes, threads, values)).isEqualTo(column);
        assertThat(column.total()).isEqualTo(50);
    }
}
