package dev.heatline.server.query;

import dev.heatline.model.Column;
import dev.heatline.model.ColumnBuilder;
import dev.heatline.model.Consumer;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Site;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The largest contexts of a tree, as a tree of their own. What was left out stays where it stood,
 * summed up below a node {@link Consumer#PRUNED}.
 *
 * @param profile the smaller tree
 * @param shown how many contexts are in it
 * @param hidden how many were left out
 * @param threads whether threads are told apart; not where that would be too many values
 */
record Cut(Profile profile, int shown, int hidden, boolean threads) {

    /** Contexts may be few and threads many: more values than this have no threads. */
    private static final long MOST_VALUES = 1_000_000;

    /**
     * How much of a tree to show.
     *
     * @param contexts how many contexts
     * @param levels how many levels below where it begins
     * @param pathLengths how long all their paths may be together, where each is written out
     */
    record Bounds(int contexts, int levels, long pathLengths) {}

    /**
     * Cuts a tree. O(nodes + rows).
     *
     * @param self what each node used itself, which decides which contexts are the largest
     * @param path the contexts to show, by the names of their consumers from the outermost on; none
     *     for all
     * @throws QueryException if there is no such path
     */
    static Cut of(Profile profile, long[] self, List<String> path, Bounds bounds) {
        if (path.isEmpty() && fits(profile, bounds)) {
            return new Cut(profile, profile.nodeCount(), 0, true);
        }
        int[] starts = at(profile, path);
        Cutting cutting = new Cutting(profile, starts);
        int shown = cutting.enterLargest(self, path.size(), bounds);
        boolean threads = cutting.addValues(true);
        if (!threads) {
            cutting = new Cutting(profile, starts);
            shown = cutting.enterLargest(self, path.size(), bounds);
            cutting.addValues(false);
        }
        return new Cut(
                cutting.builder.build(profile.provenance()),
                shown,
                cutting.contexts() - shown,
                threads);
    }

    /** Whether nothing has to be cut, as far as is known without looking at every node. */
    private static boolean fits(Profile profile, Bounds bounds) {
        long nodes = profile.nodeCount();
        return nodes <= Math.min(bounds.contexts, bounds.levels)
                && nodes * nodes <= bounds.pathLengths
                && profile.columns().stream().mapToLong(Column::rows).sum() <= MOST_VALUES;
    }

    /** All nodes that a path leads to: several if they differ in line or kind. */
    private static int[] at(Profile profile, List<String> path) {
        List<Integer> found = List.of(Profile.ROOT);
        for (int level = 0; level < path.size(); level++) {
            List<Integer> next = new ArrayList<>();
            for (int node : found) {
                int end = profile.end(node);
                for (int child = node + 1; child < end; child = profile.end(child)) {
                    if (ShortName.means(path.get(level), profile.consumerOf(child).display())) {
                        next.add(child);
                    }
                }
            }
            boolean mayBeRoot = level == 0 && (path.size() > 1 || isRoot(profile, path.getFirst()));
            if (next.isEmpty() && !mayBeRoot) {
                throw QueryException.badRequest(
                        "no context "
                                + Params.shortened(path.get(level))
                                + " at level "
                                + (level + 1)
                                + " of this path; it may have changed since it was shown");
            }
            found = next.isEmpty() ? found : next;
        }
        return found.stream().mapToInt(Integer::intValue).toArray();
    }

    /** The rows of a tree begin with the root, which has the name of a thread if it is the only. */
    private static boolean isRoot(Profile profile, String name) {
        return profile.consumerOf(Profile.ROOT).display().equals(name)
                || Arrays.stream(profile.threads())
                        .anyMatch(thread -> profile.consumerAt(thread).display().equals(name));
    }

    /** One cut being made. */
    private static final class Cutting {
        private static final int NOWHERE = -1;

        private final Profile profile;

        /** The nodes below which contexts are shown; none lies below another. */
        private final int[] starts;

        private final ProfileBuilder builder;

        /** Where each node is in the smaller tree. */
        private final int[] place;

        Cutting(Profile profile, int[] starts) {
            this.profile = profile;
            this.starts = starts;
            this.builder = new ProfileBuilder().consumerLabel(profile.consumerLabel());
            this.place = new int[profile.nodeCount()];
            Arrays.fill(place, NOWHERE);
            place[Profile.ROOT] = Profile.ROOT;
        }

        int contexts() {
            return Arrays.stream(starts).map(start -> profile.end(start) - start).sum();
        }

        private record Next(int node, int level) {}

        /** Largest first; a node never has more than the node above it, so nothing is missed. */
        int enterLargest(long[] self, int pathLength, Bounds bounds) {
            long[] cum = profile.inclusive(self);
            PriorityQueue<Next> next =
                    new PriorityQueue<>(
                            Comparator.comparingLong((Next it) -> -cum[it.node])
                                    .thenComparingInt(Next::node));
            for (int start : starts) {
                above(start).forEach(this::enter);
                next.add(new Next(start, 0));
            }
            int shown = 0;
            long lengths = bounds.pathLengths;
            while (shown < bounds.contexts && lengths > 0 && !next.isEmpty()) {
                Next largest = next.remove();
                enter(largest.node);
                shown++;
                lengths -= pathLength + largest.level + 1;
                if (largest.level < bounds.levels) {
                    int end = profile.end(largest.node);
                    for (int at = largest.node + 1; at < end; at = profile.end(at)) {
                        next.add(new Next(at, largest.level + 1));
                    }
                }
            }
            return shown;
        }

        /** The nodes from the root's child to a node's parent. */
        private List<Integer> above(int node) {
            List<Integer> nodes = new ArrayList<>();
            for (int at = profile.parent(node); at > Profile.ROOT; at = profile.parent(at)) {
                nodes.add(at);
            }
            return nodes.reversed();
        }

        private void enter(int node) {
            if (node != Profile.ROOT) {
                place[node] =
                        builder.child(
                                place[profile.parent(node)],
                                builder.consumer(profile.consumerOf(node)),
                                profile.site(node));
            }
        }

        /**
         * Gives the values of what is shown to its node, and of all else to where it was cut.
         *
         * @return false if they are too many with their threads; not all are there then
         */
        boolean addValues(boolean threads) {
            int[] taker = takers();
            int[] newThread = new int[profile.consumerCount()];
            Arrays.fill(newThread, NOWHERE);
            for (Column column : profile.columns()) {
                ColumnBuilder values = builder.column(column.resource());
                for (int row = 0; row < column.rows(); row++) {
                    int node = taker[column.node(row)];
                    if (node != NOWHERE) {
                        int thread = threads ? column.thread(row) : Column.NO_THREAD;
                        values.add(node, thread(newThread, thread), column.value(row));
                    }
                }
                if (threads && builder.size() - builder.nodeCount() > MOST_VALUES) {
                    return false;
                }
            }
            return true;
        }

        /** For each node the node of the smaller tree that takes its values. */
        private int[] takers() {
            int pruned = builder.consumer(Consumer.PRUNED);
            int[] taker = new int[place.length];
            Arrays.fill(taker, NOWHERE);
            for (int start : starts) {
                for (int node = start; node < profile.end(start); node++) {
                    int parent = profile.parent(node);
                    if (place[node] != NOWHERE) {
                        taker[node] = place[node];
                    } else {
                        taker[node] =
                                place[parent] == NOWHERE
                                        ? taker[parent]
                                        : builder.child(place[parent], pruned, Site.NONE);
                    }
                }
            }
            return taker;
        }

        private int thread(int[] newThread, int thread) {
            if (thread == Column.NO_THREAD) {
                return Column.NO_THREAD;
            }
            if (newThread[thread] == NOWHERE) {
                newThread[thread] = builder.consumer(profile.consumerAt(thread));
            }
            return newThread[thread];
        }
    }
}
