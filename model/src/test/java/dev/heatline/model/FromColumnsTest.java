package dev.heatline.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class FromColumnsTest {
    private final Consumer[] consumers = {
        Consumer.ROOT,
        Consumer.method("A", "a", ""),
        Consumer.method("B", "b", ""),
        Consumer.thread("", "main")
    };
    private final int[] parent = {-1, 0, 1, 0};
    private final int[] consumer = {0, 1, 2, 2};
    private final int[] site = {0, 0, 8, 0};
    private final int[] nodes = {0, 2, 2};
    private final int[] threads = {3, Column.NO_THREAD, 3};
    private final long[] values = {1, 2, 3};

    @Test
    void whatTheBuilderMakesIsAccepted() {
        ProfileBuilder builder = new ProfileBuilder();
        int b = builder.consumer(consumers[2]);
        int a = builder.consumer(consumers[1]);
        builder.child(Profile.ROOT, b, 0);
        int leaf = builder.child(builder.child(Profile.ROOT, a, 0), b, 8);
        int thread = builder.consumer(consumers[3]);
        ColumnBuilder samples = builder.column(Resource.SAMPLES);
        samples.add(leaf, thread, 3);
        samples.add(leaf, Column.NO_THREAD, 2);
        samples.add(Profile.ROOT, thread, 1);
        assertThat(fromColumns()).isEqualTo(builder.build(Provenance.NONE));
    }

    @Test
    void treesThatAreNoPreorderAreRefused() {
        parent[2] = 3;
        assertRefused("node 2 is not in preorder");
        parent[2] = -1;
        assertRefused("node 2 is not in preorder");
        parent[2] = 1;
        parent[3] = 2;
        parent[0] = 0;
        assertRefused("node 0 is not the root");
    }

    @Test
    void siblingsOutOfOrderAreRefused() {
        consumer[3] = 1;
        assertRefused("node 3 is not in order");
        site[3] = 8;
        consumers[3] = Consumer.thread("", "main");
        assertThat(fromColumns().nodeCount()).isEqualTo(4);
    }

    @Test
    void idsThatNameNothingAreRefused() {
        consumer[2] = 4;
        assertRefused("node 2 names no consumer or site");
        consumer[2] = 2;
        site[2] = -1;
        assertRefused("node 2 names no consumer or site");
        site[2] = 8;
        threads[2] = 9;
        assertRefused("names no thread at row 2");
        threads[2] = 3;
        nodes[2] = 4;
        assertRefused("names no node at row 2");
    }

    @Test
    void consumersThatAreNotSortedOrNotUsedAreRefused() {
        threads[0] = Column.NO_THREAD;
        threads[2] = 2;
        assertRefused("consumer 3 is not used");
        consumers[2] = consumers[1];
        assertRefused("consumer 2 is not in order");
        consumers[0] = consumers[3];
        assertRefused("the first consumer is not the root");
    }

    @Test
    void rowsOutOfOrderOrRangeAreRefused() {
        threads[2] = Column.NO_THREAD;
        assertRefused("is not in order at row 2");
        threads[2] = 3;
        values[1] = 0;
        assertRefused("has a value out of range at row 1");
        values[1] = Long.MAX_VALUE;
        assertRefused("has a value out of range at row 1");
    }

    @Test
    void resourcesThatCannotBeAreRefused() {
        assertThatThrownBy(() -> Resource.SAMPLES.withPerUnit(3))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("no power of ten");
        Column samples = Column.fromRows(Resource.SAMPLES, nodes, threads, values);
        assertThatThrownBy(() -> fromColumns(List.of(samples, samples)))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("samples is not in order");
    }

    private void assertRefused(String message) {
        assertThatThrownBy(this::fromColumns)
                .isInstanceOf(ModelException.class)
                .hasMessageContaining(message);
    }

    private Profile fromColumns() {
        return fromColumns(List.of(Column.fromRows(Resource.SAMPLES, nodes, threads, values)));
    }

    private Profile fromColumns(List<Column> columns) {
        return Profile.fromColumns(
                "method",
                Provenance.NONE,
                consumers.clone(),
                parent.clone(),
                consumer.clone(),
                site.clone(),
                columns);
    }
}
