package dev.heatline.report;

import java.util.Arrays;

/**
 * The lines that lead the eye from a node to its children. Only where a path branches do they move
 * to the right: the long chains of single calls that Java stacks are made of stay in one column,
 * and the level says how deep they go.
 */
final class TreeGuides {
    private static final String CUT = "… ";

    private final XtreeOrder order;
    private final int widest;

    /** Whether a node with the same parent follows later. */
    private final boolean[] hasNext;

    /** For each level of the open path, what its descendants' lines begin with. */
    private String[] continuation = new String[64];

    /**
     * Guides for rows in this order.
     *
     * @param widest how many characters they may take; more are cut on the left
     */
    TreeGuides(XtreeOrder order, int widest) {
        this.order = order;
        this.widest = widest;
        this.hasNext = new boolean[order.size()];
        boolean[] seen = new boolean[64];
        int deepest = -1;
        for (int i = order.size() - 1; i >= 0; i--) {
            int level = order.level(i);
            if (level >= seen.length) {
                seen = Arrays.copyOf(seen, level * 2);
            }
            if (deepest > level) {
                Arrays.fill(seen, level + 1, deepest + 1, false);
            }
            hasNext[i] = seen[level];
            seen[level] = true;
            deepest = level;
        }
    }

    /** What stands before the name of this row. Rows must be asked for in order. */
    String of(int index) {
        int level = order.level(index);
        if (level >= continuation.length) {
            continuation = Arrays.copyOf(continuation, level * 2);
        }
        String above = level == 0 ? "" : continuation[level - 1];
        if (level == 0 || isOnlyChild(index)) {
            continuation[level] = above;
            return cut(above);
        }
        continuation[level] = above + (hasNext[index] ? "│ " : "  ");
        return cut(above + (hasNext[index] ? "├ " : "└ "));
    }

    private String cut(String guides) {
        return guides.length() <= widest
                ? guides
                : CUT + guides.substring(guides.length() - widest + CUT.length());
    }

    private boolean isOnlyChild(int index) {
        return !hasNext[index] && order.level(index - 1) == order.level(index) - 1;
    }
}
