package dev.heatline.model;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What every consumer used on every thread (000 eq. 3.16-3.22): for each thread the sums of its own
 * part of the tree, each consumer counted at its outermost nodes.
 *
 * <p>Cost: the sum over all threads of the nodes on the paths that thread was seen on.
 */
public final class ThreadValues {
    private final int[] start;
    private final int[] thread;
    private final long[] value;

    private ThreadValues(int[] start, int[] thread, long[] value) {
        this.start = start;
        this.thread = thread;
        this.value = value;
    }

    public static ThreadValues of(Profile profile, Column column) {
        return of(profile, column, null);
    }

    /** For selected nodes only; see {@link CallGraph#of(Profile, Column, boolean[])}. */
    public static ThreadValues of(Profile profile, Column column, boolean @Nullable [] selected) {
        Walk walk = new Walk(profile, column, selected);
        walk.run();
        int[] start = CountingSort.starts(walk.consumers, walk.size, profile.consumerCount());
        int[] order = CountingSort.order(walk.consumers, walk.size, start);
        int[] threads = new int[walk.size];
        long[] values = new long[walk.size];
        for (int i = 0; i < walk.size; i++) {
            threads[i] = walk.threads[order[i]];
            values[i] = walk.values[order[i]];
        }
        return new ThreadValues(start, threads, values);
    }

    /** The threads this consumer was seen on (eq. 3.21), {@link Column#NO_THREAD} included. */
    public int[] threadsOf(int consumer) {
        return Arrays.copyOfRange(thread, start[consumer], start[consumer + 1]);
    }

    /** What this consumer used on this thread (eq. 3.20). */
    public long value(int consumer, int wantedThread) {
        for (int i = start[consumer]; i < start[consumer + 1]; i++) {
            if (thread[i] == wantedThread) {
                return value[i];
            }
        }
        return 0;
    }

    /** The proportion of this consumer's time spent on this thread (eq. 3.22). */
    public double threadTime(int consumer, int wantedThread) {
        long all = 0;
        for (int i = start[consumer]; i < start[consumer + 1]; i++) {
            all += value[i];
        }
        return all == 0 ? 0 : (double) value(consumer, wantedThread) / all;
    }

    /** Thread after thread: its rows in preorder, with the open path's sums on a stack. */
    private static final class Walk {
        private final Profile profile;
        private final Column column;
        private final boolean @Nullable [] selected;
        private final int[] recursiveParent;

        private final long[] sumOfConsumer;
        private int[] touched = new int[256];
        private int touchedCount;

        private int[] path = new int[256];
        private long[] pathSum = new long[256];
        private int depth;

        private int size;
        private int[] consumers = new int[256];
        private int[] threads = new int[256];
        private long[] values = new long[256];

        Walk(Profile profile, Column column, boolean @Nullable [] selected) {
            this.profile = profile;
            this.column = column;
            this.selected = selected;
            this.recursiveParent = Recursion.parents(profile);
            this.sumOfConsumer = new long[profile.consumerCount()];
        }

        void run() {
            int rows = column.rows();
            int[] threadKey = new int[rows];
            for (int row = 0; row < rows; row++) {
                threadKey[row] = column.thread(row) + 1;
            }
            int[] starts = CountingSort.starts(threadKey, rows, profile.consumerCount() + 1);
            int[] order = CountingSort.order(threadKey, rows, starts);
            for (int key = 0; key + 1 < starts.length; key++) {
                for (int i = starts[key]; i < starts[key + 1]; i++) {
                    add(column.node(order[i]), column.value(order[i]));
                }
                if (starts[key] < starts[key + 1]) {
                    finishThread(key - 1);
                }
            }
        }

        private void add(int node, long amount) {
            while (depth > 0 && profile.end(path[depth - 1]) <= node) {
                pop();
            }
            pushFromOpenPathTo(node);
            pathSum[depth - 1] += amount;
        }

        private void pushFromOpenPathTo(int node) {
            int open = depth == 0 ? Profile.NO_NODE : path[depth - 1];
            int from = depth;
            for (int at = node; at != open; at = profile.parent(at)) {
                if (depth == path.length) {
                    path = Arrays.copyOf(path, depth * 2);
                    pathSum = Arrays.copyOf(pathSum, depth * 2);
                }
                pathSum[depth] = 0;
                path[depth++] = at;
            }
            for (int low = from, high = depth - 1; low < high; low++, high--) {
                int swapped = path[low];
                path[low] = path[high];
                path[high] = swapped;
            }
        }

        private void pop() {
            depth--;
            int node = path[depth];
            if (counts(node)) {
                int consumer = profile.consumer(node);
                if (sumOfConsumer[consumer] == 0) {
                    touch(consumer);
                }
                sumOfConsumer[consumer] += pathSum[depth];
            }
            if (depth > 0) {
                pathSum[depth - 1] += pathSum[depth];
            }
        }

        private boolean counts(int node) {
            int outer = recursiveParent[node];
            if (selected == null) {
                return outer == Profile.NO_NODE;
            }
            return selected[node] && (outer == Profile.NO_NODE || !selected[outer]);
        }

        private void touch(int consumer) {
            if (touchedCount == touched.length) {
                touched = Arrays.copyOf(touched, touchedCount * 2);
            }
            touched[touchedCount++] = consumer;
        }

        private void finishThread(int threadId) {
            while (depth > 0) {
                pop();
            }
            for (int i = 0; i < touchedCount; i++) {
                append(touched[i], threadId, sumOfConsumer[touched[i]]);
                sumOfConsumer[touched[i]] = 0;
            }
            touchedCount = 0;
        }

        private void append(int consumer, int threadId, long amount) {
            if (size == consumers.length) {
                consumers = Arrays.copyOf(consumers, size * 2);
                threads = Arrays.copyOf(threads, size * 2);
                values = Arrays.copyOf(values, size * 2);
            }
            consumers[size] = consumer;
            threads[size] = threadId;
            values[size++] = amount;
        }
    }
}
