package dev.heatline.model;

import java.util.Arrays;
import java.util.OptionalDouble;

/** What contentions say beside how long they took (001 §4.5). */
public final class ContentionFigures {
    private final Profile profile;

    /**
     * @param profile contentions that {@link Contentions#by} put in some order
     */
    public ContentionFigures(Profile profile) {
        this.profile = profile;
    }

    /**
     * How many different threads had to wait, for each node with all below it. Threads are told
     * apart by their names: those without one, as most virtual ones, are one. O(rows × depth).
     *
     * @param time what they waited
     */
    public int[] waiters(Column time) {
        int[] waiters = new int[profile.nodeCount()];
        int[] last = new int[profile.consumerCount()];
        Arrays.fill(last, Profile.NO_NODE);
        // A thread that was met before is counted in every node that has both places below it.
        for (int row = 0; row < time.rows(); row++) {
            int thread = time.thread(row);
            if (thread != Column.NO_THREAD) {
                int node = time.node(row);
                waiters[node]++;
                if (last[thread] != Profile.NO_NODE) {
                    waiters[above(last[thread], node)]--;
                }
                last[thread] = node;
            }
        }
        for (int node = waiters.length - 1; node > Profile.ROOT; node--) {
            waiters[profile.parent(node)] += waiters[node];
        }
        return waiters;
    }

    /** The innermost node that has both below it, or is one of them; in preorder. */
    private int above(int earlier, int later) {
        int node = earlier;
        while (profile.end(node) <= later) {
            node = profile.parent(node);
        }
        return node;
    }

    /**
     * Critical-section pressure: how long threads were blocked for each second that the program ran
     * with its locks traced, its own CPU time without what was stolen. 1 means that as much was
     * waited as worked. Empty where it is not known how much it ran in all of what was traced.
     */
    public OptionalDouble pressure(long blockedNanos) {
        Provenance known = profile.provenance();
        long ranMicros = known.count(Provenance.LOCKS_TRACED_MICROS);
        return ranMicros == 0 || known.facts().containsKey(Provenance.LOCKS_TRACED_MICROS)
                ? OptionalDouble.empty()
                : OptionalDouble.of(blockedNanos / 1_000.0 / ranMicros);
    }
}
