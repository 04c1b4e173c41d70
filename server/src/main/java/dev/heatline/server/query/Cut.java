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
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * The largest contexts of a tree, as a tree of their own. What was left out stays where it stood,
 * summed up below a node {@link Consumer#PRUNED}.
 *
 * @param profile the smaller tree
 * @param shown how many contexts are in it
 * @param hidden how many were left out
 */
record Cut(Profile profile, int shown, int hidden) {
    private static final int OUTSIDE = -1;

    /**
     * Cuts a tree. O(nodes + rows).
     *
     * @param column decides which contexts are the largest
     * @param path the contexts to show, by the names of their consumers from the outermost on; none
     *     for all
     * @param most how many contexts to show
     * @param deepest how many levels to show below the path
     * @throws QueryException if there is no such path
     */
    static Cut of(
            Profile profile, Optional<Column> column, List<String> path, int most, int deepest) {
        int nodes = profile.nodeCount();
        long[] cum =
                profile.inclusive(
                        column.map(it -> it.self(nodes)).orElseGet(() -> new long[nodes]));
        int[] starts = at(profile, path);
        int[] place = new int[nodes];
        Arrays.fill(place, OUTSIDE);
        ProfileBuilder builder = new ProfileBuilder().consumerLabel(profile.consumerLabel());
        place[Profile.ROOT] = Profile.ROOT;
        int shown = enterLargest(profile, cum, starts, most, deepest, builder, place);
        int within = Arrays.stream(starts).map(start -> profile.end(start) - start).sum();
        addValues(profile, starts, builder, place);
        return new Cut(builder.build(profile.provenance()), shown, within - shown);
    }

    /** All nodes that a path leads to: several if they differ in line or kind. */
    private static int[] at(Profile profile, List<String> path) {
        List<Integer> found = List.of(Profile.ROOT);
        for (int level = 0; level < path.size(); level++) {
            List<Integer> next = new ArrayList<>();
            for (int node : found) {
                int end = profile.end(node);
                for (int child = node + 1; child < end; child = profile.end(child)) {
                    if (profile.consumerOf(child).display().equals(path.get(level))) {
                        next.add(child);
                    }
                }
            }
            // The rows of a tree begin with the root, whatever it is called there.
            if (next.isEmpty() && level > 0) {
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

    /** Largest first; a node never has more than the node above it, so nothing is missed. */
    private static int enterLargest(
            Profile profile,
            long[] cum,
            int[] starts,
            int most,
            int deepest,
            ProfileBuilder builder,
            int[] place) {
        record Next(int node, int level) {}
        PriorityQueue<Next> next =
                new PriorityQueue<>(
                        Comparator.comparingLong((Next it) -> -cum[it.node])
                                .thenComparingInt(Next::node));
        for (int start : starts) {
            enterAncestors(profile, start, builder, place);
            next.add(new Next(start, 0));
        }
        int shown = 0;
        while (shown < most && !next.isEmpty()) {
            Next largest = next.remove();
            int node = largest.node;
            shown++;
            enter(profile, node, builder, place);
            if (largest.level < deepest) {
                int end = profile.end(node);
                for (int child = node + 1; child < end; child = profile.end(child)) {
                    next.add(new Next(child, largest.level + 1));
                }
            }
        }
        return shown;
    }

    private static void enterAncestors(
            Profile profile, int node, ProfileBuilder builder, int[] place) {
        List<Integer> above = new ArrayList<>();
        for (int at = profile.parent(node); at > Profile.ROOT; at = profile.parent(at)) {
            above.add(at);
        }
        above.reversed().forEach(it -> enter(profile, it, builder, place));
    }

    private static void enter(Profile profile, int node, ProfileBuilder builder, int[] place) {
        if (node != Profile.ROOT) {
            place[node] =
                    builder.child(
                            place[profile.parent(node)],
                            builder.consumer(profile.consumerOf(node)),
                            profile.site(node));
        }
    }

    /** Gives the values of what is shown to its node, and of all else to where it was cut. */
    private static void addValues(
            Profile profile, int[] starts, ProfileBuilder builder, int[] place) {
        int pruned = builder.consumer(Consumer.PRUNED);
        int[] cutBelow = new int[place.length];
        Arrays.fill(cutBelow, OUTSIDE);
        for (int start : starts) {
            for (int node = start; node < profile.end(start); node++) {
                int parent = profile.parent(node);
                if (place[node] == OUTSIDE) {
                    cutBelow[node] = cutBelow[parent] == OUTSIDE ? place[parent] : cutBelow[parent];
                }
            }
        }
        int[] newThread = new int[profile.consumerCount()];
        Arrays.fill(newThread, OUTSIDE);
        for (Column column : profile.columns()) {
            ColumnBuilder values = builder.column(column.resource());
            for (int row = 0; row < column.rows(); row++) {
                int node = column.node(row);
                boolean cut = cutBelow[node] != OUTSIDE;
                if (cut || isWithin(profile, starts, node)) {
                    int at = cut ? builder.child(cutBelow[node], pruned, Site.NONE) : place[node];
                    values.add(
                            at,
                            thread(profile, builder, newThread, column.thread(row)),
                            column.value(row));
                }
            }
        }
    }

    private static boolean isWithin(Profile profile, int[] starts, int node) {
        for (int start : starts) {
            if (node >= start && node < profile.end(start)) {
                return true;
            }
        }
        return false;
    }

    private static int thread(
            Profile profile, ProfileBuilder builder, int[] newThread, int thread) {
        if (thread == Column.NO_THREAD) {
            return Column.NO_THREAD;
        }
        if (newThread[thread] == OUTSIDE) {
            newThread[thread] = builder.consumer(profile.consumerAt(thread));
        }
        return newThread[thread];
    }
}
