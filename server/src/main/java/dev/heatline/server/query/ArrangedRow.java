package dev.heatline.server.query;

import dev.heatline.model.ContentionAspect;
import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import java.util.List;

/**
 * Finds a row of arranged contentions by the values of its first aspects. A call chain is longer
 * than an address should be: it may be given by its key.
 */
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
            String name = arranged.consumerOf(child).display();
            if (name.equals(wanted) || key(name).equals(wanted)) {
                return child;
            }
        }
        return Profile.NO_NODE;
    }

    /** Of 53 bits, in base 36: the same that the page makes, see {@code nameKey} in names.ts. */
    static String key(String name) {
        int a = 0xdeadbeef;
        int b = 0x41c6ce57;
        for (int i = 0; i < name.length(); i++) {
            a = (a ^ name.charAt(i)) * (int) 2654435761L;
            b = (b ^ name.charAt(i)) * 1597334677;
        }
        a = mixed(a) ^ mixedOther(b);
        b = mixed(b) ^ mixedOther(a);
        return Long.toString(((b & 0x1fffffL) << 32) | (a & 0xffffffffL), 36);
    }

    private static int mixed(int bits) {
        return (bits ^ (bits >>> 16)) * (int) 2246822507L;
    }

    private static int mixedOther(int bits) {
        return (bits ^ (bits >>> 13)) * (int) 3266489909L;
    }
}
