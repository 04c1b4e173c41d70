package dev.heatline.bench;

import dev.heatline.model.Column;
import dev.heatline.model.ColumnBuilder;
import dev.heatline.model.Consumer;
import dev.heatline.model.FrameKind;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import java.util.Random;

/**
 * A calling-context tree of the size the thesis met (1.3 million nodes), grown from random walks
 * over a fixed call graph, so that methods recur in many contexts and call themselves now and then.
 */
final class LargeTree {
    private static final int METHODS = 12_000;
    private static final int CALLEES = 6;
    private static final int THREADS = 40;

    private final Random random = new Random(1);
    private final ProfileBuilder builder = new ProfileBuilder();
    private final int[] method = new int[METHODS];
    private final int[] thread = new int[THREADS];
    private final int[][] callees = new int[METHODS][CALLEES];

    private LargeTree() {
        for (int i = 0; i < METHODS; i++) {
            String className = "com.shop.module" + i % 97 + ".Service" + i / 13;
            String name = "handle" + i;
            method[i] =
                    builder.consumer(Consumer.method(className, name, "(Ljava/lang/String;I)V"));
            for (int j = 0; j < CALLEES; j++) {
                callees[i][j] = random.nextInt(METHODS);
            }
            if (i % 50 == 0) {
                callees[i][0] = i;
            }
        }
        for (int i = 0; i < THREADS; i++) {
            thread[i] = builder.consumer(Consumer.thread("main", "worker-" + i));
        }
    }

    /**
     * Complete stacks up to {@code nodes} nodes, then truncated ones up to {@code truncatedNodes}
     * nodes more.
     */
    static Profile of(int nodes, int truncatedNodes) {
        LargeTree tree = new LargeTree();
        tree.grow(Profile.ROOT, nodes, 0);
        if (truncatedNodes > 0) {
            tree.random.setSeed(1);
            tree.grow(tree.builder.truncatedRoot(), nodes + truncatedNodes, 12);
        }
        return tree.builder.build(Provenance.NONE);
    }

    private void grow(int root, int untilNodes, int cutFrames) {
        ColumnBuilder samples = builder.column(Resource.SAMPLES);
        ColumnBuilder cpu = builder.column(Resource.CPU);
        int[] consumers = new int[256];
        int[] sites = new int[256];
        while (builder.nodeCount() < untilNodes) {
            int depth = walk(consumers, sites, 20 + random.nextInt(60));
            int kept = depth - cutFrames;
            int node = builder.stack(root, consumers, sites, kept);
            int on = thread[(int) (THREADS * Math.pow(random.nextDouble(), 3))];
            samples.add(node, on, 1);
            cpu.add(node, on, 10_000_000);
        }
    }

    /** A stack, innermost frame first, that prefers the first callees: hot paths recur. */
    private int walk(int[] consumers, int[] sites, int depth) {
        int current = random.nextInt(4);
        for (int frame = depth - 1; frame >= 0; frame--) {
            consumers[frame] = method[current];
            sites[frame] = Site.of(10 + current % 300, FrameKind.COMPILED);
            int callee = (int) (CALLEES * Math.pow(random.nextDouble(), 4));
            current = callees[current][callee];
        }
        return depth;
    }

    /** Bytes of the arrays a Profile consists of, consumers' names left out. */
    static long bytes(Profile profile) {
        long bytes = 16L * profile.nodeCount();
        for (Column column : profile.columns()) {
            bytes += 16L * column.rows();
        }
        return bytes;
    }
}
