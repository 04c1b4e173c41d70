package dev.heatline.bench;

import dev.heatline.model.CallGraph;
import dev.heatline.model.Column;
import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import dev.heatline.model.Recursion;
import dev.heatline.model.TaskDefinition;
import dev.heatline.model.Tasks;
import dev.heatline.model.ThreadValues;
import dev.heatline.model.TruncatedStacks;
import java.util.List;

/**
 * What analyses of a tree of 1.3 million nodes cost, in plain passes over the same columns: a plain
 * pass is a loop over all nodes that reads parent, consumer and value and adds up both ways.
 *
 * <p>{@code java -jar bench/target/heatline-bench.jar passes}
 */
final class ModelPasses {
    private static final int NODES = 1_300_000;
    private static final int TRUNCATED_NODES = 400_000;

    private ModelPasses() {}

    static void run() {
        long heapBefore = usedHeap();
        Profile profile = LargeTree.of(NODES, 0);
        long heap = usedHeap() - heapBefore;
        Column column = profile.column("samples").orElseThrow();
        System.out.printf(
                "%d nodes, %d consumers, %d rows; %.1f bytes per node on the heap, names and values"
                        + " included (%.1f in arrays)%n",
                profile.nodeCount(),
                profile.consumerCount(),
                column.rows(),
                (double) heap / profile.nodeCount(),
                (double) LargeTree.bytes(profile) / profile.nodeCount());

        long[] self = column.self(profile.nodeCount());
        new SideBySide("plain pass", () -> plainPass(profile, self))
                .with("recursion", () -> Recursion.parents(profile))
                .with("all methods' metrics", () -> CallGraph.of(profile, column))
                .with("all methods' metrics per thread", () -> ThreadValues.of(profile, column))
                .with("recursion and all metrics", () -> allMetrics(profile, column))
                .with("a new task", () -> newTask(profile))
                .with("fold lines and kinds", () -> Operations.foldSites(profile))
                .run(25)
                .print("Passes over " + NODES + " nodes");

        mergeTruncated();
    }

    private static long plainPass(Profile profile, long[] self) {
        long[] perNode = self.clone();
        long[] perConsumer = new long[profile.consumerCount()];
        for (int node = profile.nodeCount() - 1; node > 0; node--) {
            perNode[profile.parent(node)] += perNode[node];
            perConsumer[profile.consumer(node)] += perNode[node];
        }
        return perNode[0] + perConsumer[1];
    }

    private static Object allMetrics(Profile profile, Column column) {
        return List.of(
                Recursion.parents(profile),
                CallGraph.of(profile, column),
                ThreadValues.of(profile, column));
    }

    private static Object newTask(Profile profile) {
        TaskDefinition definition =
                TaskDefinition.regex("svc-${name}", "^com\\.shop\\.module7\\.(?<name>[^.]+)");
        Tasks tasks = Tasks.of(profile, List.of(definition));
        return tasks.select(tasks.names());
    }

    private static void mergeTruncated() {
        Profile profile = LargeTree.of(NODES, TRUNCATED_NODES);
        for (int round = 0; round < 3; round++) {
            long cpu = CpuClock.nanos();
            long wall = System.nanoTime();
            Profile merged = TruncatedStacks.merge(profile, TruncatedStacks.DEFAULT_THRESHOLD);
            Provenance counts = merged.provenance();
            System.out.printf(
                    "%d truncated nodes merged into %d: %.2f s CPU, %.2f s wall (%d stacks merged,"
                            + " %d ambiguous, %d pending)%n",
                    TRUNCATED_NODES,
                    NODES,
                    (CpuClock.nanos() - cpu) / 1e9,
                    (System.nanoTime() - wall) / 1e9,
                    counts.count(Provenance.MERGED),
                    counts.count(Provenance.AMBIGUOUS),
                    counts.count(Provenance.PENDING));
        }
    }

    private static long usedHeap() {
        Runtime runtime = Runtime.getRuntime();
        for (int i = 0; i < 4; i++) {
            System.gc();
        }
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
