package dev.heatline.model;

import java.util.List;

/** Says whether arrays from outside keep what a {@link Profile} promises. */
final class TreeCheck {

    private TreeCheck() {}

    static void check(
            Consumer[] consumers, int[] parent, int[] consumer, int[] site, List<Column> columns) {
        checkConsumers(consumers);
        boolean[] used = new boolean[consumers.length];
        checkNodes(parent, consumer, site, used);
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            String name = column.resource().name();
            if (i > 0 && columns.get(i - 1).resource().name().compareTo(name) >= 0) {
                throw new ModelException("the column of resource " + name + " is not in order");
            }
            ColumnCheck.checkIds(column, parent.length, used);
        }
        for (int id = 0; id < used.length; id++) {
            if (!used[id]) {
                throw new ModelException("consumer " + id + " is not used");
            }
        }
    }

    private static void checkConsumers(Consumer[] consumers) {
        if (consumers.length == 0 || !consumers[0].equals(Consumer.ROOT)) {
            throw new ModelException("the first consumer is not the root");
        }
        for (int id = 1; id < consumers.length; id++) {
            if (consumers[id - 1].compareTo(consumers[id]) >= 0) {
                throw new ModelException("consumer " + id + " is not in order");
            }
        }
    }

    private static void checkNodes(int[] parent, int[] consumer, int[] site, boolean[] used) {
        int nodes = parent.length;
        if (nodes == 0 || consumer.length != nodes || site.length != nodes) {
            throw new ModelException("the tree has no root, or parts of different length");
        }
        if (parent[0] != Profile.NO_NODE || consumer[0] != 0 || site[0] != Site.NONE) {
            throw new ModelException("node 0 is not the root");
        }
        used[0] = true;
        for (int node = 1; node < nodes; node++) {
            if (consumer[node] < 0 || consumer[node] >= used.length || site[node] < 0) {
                throw new ModelException("node " + node + " names no consumer or site");
            }
            used[consumer[node]] = true;
            int elder = elderSibling(parent, node);
            if (elder != Profile.NO_NODE && !isBefore(consumer, site, elder, node)) {
                throw new ModelException("node " + node + " is not in order");
            }
        }
    }

    /**
     * The sibling just before this node, if there is one. In preorder a node's parent is the node
     * before it or one of that node's ancestors, and no ancestor is left twice: O(1) amortised.
     */
    private static int elderSibling(int[] parent, int node) {
        int elder = Profile.NO_NODE;
        int at = node - 1;
        while (at != parent[node]) {
            if (at <= Profile.ROOT) {
                throw new ModelException("node " + node + " is not in preorder");
            }
            elder = at;
            at = parent[at];
        }
        return elder;
    }

    private static boolean isBefore(int[] consumer, int[] site, int elder, int node) {
        return consumer[elder] < consumer[node]
                || (consumer[elder] == consumer[node] && site[elder] < site[node]);
    }
}
