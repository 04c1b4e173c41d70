package dev.heatline.server.query;

import dev.heatline.model.ContentionAspect;
import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import java.util.List;

/** Finds a row of arranged contentions by the values of its first aspects. */
final class ArrangedRow {
    private ArrangedRow() {}

    /**
     * Only what lies below a path; everything if it is empty.
     *
     * @throws QueryException if there is no such row
     */
    static Profile below(Profile arranged, List<ContentionAspect> by, List<String> path) {
        if (path.isEmpty()) {
            return arranged;
        }
        boolean[] selected = new boolean[arranged.nodeCount()];
        int node = Profile.ROOT;
        selected[node] = true;
        for (int level = 0; level < path.size(); level++) {
            node = child(arranged, node, path.get(level));
            if (node == Profile.NO_NODE) {
                throw QueryException.badRequest(
                        "no "
                                + (level < by.size() ? by.get(level).label() : "row")
                                + " "
                                + Params.shortened(path.get(level))
                                + " at level "
                                + (level + 1)
                                + " of these contentions");
            }
            selected[node] = true;
        }
        for (int below = node; below < arranged.end(node); below++) {
            selected[below] = true;
        }
        return Operations.focus(arranged, selected);
    }

    private static int child(Profile arranged, int parent, String wanted) {
        for (int child = parent + 1; child < arranged.end(parent); child = arranged.end(child)) {
            if (ShortName.means(wanted, arranged.consumerOf(child).display())) {
                return child;
            }
        }
        return Profile.NO_NODE;
    }
}
