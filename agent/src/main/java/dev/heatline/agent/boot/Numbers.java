package dev.heatline.agent.boot;

/** Numbers of nodes, of which most have none. */
final class Numbers {
    private Numbers() {}

    /** Adds to the number of a node; makes room for all that there may be if it has none yet. */
    static long[] plus(long[] numbers, int node, long more, int nodes) {
        long[] all = numbers;
        if (node >= all.length) {
            all = new long[nodes];
            System.arraycopy(numbers, 0, all, 0, numbers.length);
        }
        all[node] += more;
        return all;
    }

    static long of(long[] numbers, int node) {
        return node < numbers.length ? numbers[node] : 0;
    }

    static void clear(long[] numbers, int node) {
        if (node < numbers.length) {
            numbers[node] = 0;
        }
    }
}
