package dev.heatline.model;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.IntPredicate;

/**
 * Finds the place of stacks whose outer end was not recorded, by maximal common merging (000
 * §3.2.3, listing 3.2, after Serrano and Zhuang): a truncated stack is followed down from every
 * node that looks like its outermost frame until only one place is left where it can belong.
 *
 * <p>All truncated stacks are matched against the tree as it was, then moved at once, so the result
 * does not depend on their order. What has no place in the tree is tried again after the tree has
 * grown, for a few rounds.
 */
public final class TruncatedStacks {

    /** Frames that must match before a single place counts as found. */
    public static final int DEFAULT_THRESHOLD = 2;

    private static final int MAX_ROUNDS = 8;

    private final Profile profile;
    private final int threshold;
    private final int forest;
    private final int forestEnd;
    private final int[] mergedInto;
    private final boolean[] ambiguous;
    private boolean anyMerged;

    private TruncatedStacks(Profile profile, int threshold) {
        this.profile = profile;
        this.threshold = threshold;
        this.forest = profile.truncatedRoot();
        this.forestEnd = forest == Profile.NO_NODE ? 0 : profile.end(forest);
        this.mergedInto = new int[profile.nodeCount()];
        this.ambiguous = new boolean[profile.nodeCount()];
        Arrays.fill(mergedInto, Profile.NO_NODE);
    }

    /**
     * Moves every truncated stack that has exactly one place there. The provenance of the result
     * counts the samples merged (added to earlier merges), ambiguous and pending.
     *
     * <p>Frames match when consumer, line and kind do: fold sites first to match by method alone.
     *
     * @param threshold a match must be longer than this many frames
     */
    public static Profile merge(Profile profile, int threshold) {
        Profile current = profile;
        TruncatedStacks stacks = matched(current, threshold);
        long merged = 0;
        for (int round = 0; round < MAX_ROUNDS && stacks.anyMerged; round++) {
            long before = stacks.occurrences(_ -> true);
            current = stacks.move();
            stacks = matched(current, threshold);
            merged += before - stacks.occurrences(_ -> true);
        }
        return current.withProvenance(stacks.counted(merged));
    }

    private static TruncatedStacks matched(Profile profile, int threshold) {
        TruncatedStacks stacks = new TruncatedStacks(profile, threshold);
        if (stacks.forest != Profile.NO_NODE) {
            stacks.match();
        }
        return stacks;
    }

    private Provenance counted(long merged) {
        return profile.provenance()
                .plusCount(Provenance.MERGED, merged)
                .withCount(Provenance.AMBIGUOUS, occurrences(node -> ambiguous[node]))
                .withCount(Provenance.PENDING, occurrences(node -> !ambiguous[node]));
    }

    private long occurrences(IntPredicate wanted) {
        long sum = 0;
        for (Column column : profile.columns()) {
            if (column.resource().isOccurrences()) {
                for (int row = 0; row < column.rows(); row++) {
                    int node = column.node(row);
                    if (node > forest && node < forestEnd && wanted.test(node)) {
                        sum += column.value(row);
                    }
                }
            }
        }
        return sum;
    }

    /** A truncated node and the places in the tree where the stack down to it can belong. */
    private static final class Step {
        private final int node;
        private final int[] candidates;
        private final int depth;

        Step(int node, int[] candidates, int depth) {
            this.node = node;
            this.candidates = candidates;
            this.depth = depth;
        }
    }

    private void match() {
        ChildIndex index = new ChildIndex(profile);
        Deque<Step> steps = new ArrayDeque<>();
        int[][] candidates = outermostCandidates();
        int root = 0;
        for (int node = forest + 1; node < forestEnd; node = profile.end(node)) {
            steps.push(new Step(node, candidates[root++], 1));
            while (!steps.isEmpty()) {
                follow(steps.pop(), index, steps);
            }
        }
    }

    private void follow(Step step, ChildIndex index, Deque<Step> steps) {
        if (step.candidates.length == 0) {
            return;
        }
        if (step.candidates.length == 1 && step.depth > threshold) {
            mergedInto[step.node] = step.candidates[0];
            anyMerged = true;
            return;
        }
        ambiguous[step.node] = true;
        int end = profile.end(step.node);
        for (int child = step.node + 1; child < end; child = profile.end(child)) {
            int[] next = childCandidates(step.candidates, child, index);
            steps.push(new Step(child, next, step.depth + 1));
        }
    }

    private int[] childCandidates(int[] candidates, int child, ChildIndex index) {
        int[] next = new int[candidates.length];
        int count = 0;
        for (int candidate : candidates) {
            int found = index.child(candidate, profile.consumer(child), profile.site(child));
            if (found != Profile.NO_NODE) {
                next[count++] = found;
            }
        }
        return Arrays.copyOf(next, count);
    }

    /** For each outermost truncated frame, in order, all nodes of the tree that look like it. */
    private int[][] outermostCandidates() {
        int roots = 0;
        int[] rootNodes = new int[16];
        for (int node = forest + 1; node < forestEnd; node = profile.end(node)) {
            if (roots == rootNodes.length) {
                rootNodes = Arrays.copyOf(rootNodes, roots * 2);
            }
            rootNodes[roots++] = node;
        }
        int[] rootOf = new int[profile.nodeCount()];
        ChildIndex byLook = ChildIndex.ofChildren(profile, forest);
        int[] count = new int[roots];
        int[] ordinal = new int[profile.nodeCount()];
        for (int i = 0; i < roots; i++) {
            ordinal[rootNodes[i]] = i;
        }
        Arrays.fill(rootOf, Profile.NO_NODE);
        for (int node = 1; node < rootOf.length; node++) {
            if (node == forest) {
                node = forestEnd - 1;
                continue;
            }
            int alike = byLook.child(forest, profile.consumer(node), profile.site(node));
            if (alike != Profile.NO_NODE) {
                rootOf[node] = ordinal[alike];
                count[ordinal[alike]]++;
            }
        }
        int[][] candidates = new int[roots][];
        for (int i = 0; i < roots; i++) {
            candidates[i] = new int[count[i]];
        }
        for (int node = rootOf.length - 1; node > 0; node--) {
            if (rootOf[node] != Profile.NO_NODE) {
                candidates[rootOf[node]][--count[rootOf[node]]] = node;
            }
        }
        return candidates;
    }

    private Profile move() {
        ProfileBuilder builder = new ProfileBuilder().consumerLabel(profile.consumerLabel());
        int[] newConsumer = builder.adopt(profile);
        int[] newNode = new int[profile.nodeCount()];
        boolean[] needed = neededInForest();
        copy(builder, newConsumer, newNode, 1, forest, needed);
        copy(builder, newConsumer, newNode, forestEnd, newNode.length, needed);
        copy(builder, newConsumer, newNode, forest, forestEnd, needed);
        for (Column column : profile.columns()) {
            builder.addColumn(column.resource(), column, newNode, newConsumer);
        }
        return builder.build(profile.provenance());
    }

    private void copy(
            ProfileBuilder builder,
            int[] newConsumer,
            int[] newNode,
            int from,
            int to,
            boolean[] needed) {
        for (int node = from; node < to; node++) {
            if (mergedInto[node] != Profile.NO_NODE) {
                newNode[node] = newNode[mergedInto[node]];
            } else if (needed[node]) {
                newNode[node] =
                        builder.child(
                                newNode[profile.parent(node)],
                                newConsumer[profile.consumer(node)],
                                profile.site(node));
            } else {
                newNode[node] = Profile.NO_NODE;
            }
        }
    }

    /** Truncated frames with nothing left below them after the move are not kept. */
    private boolean[] neededInForest() {
        boolean[] needed = new boolean[profile.nodeCount()];
        boolean[] moves = new boolean[profile.nodeCount()];
        for (int node = forest + 1; node < forestEnd; node++) {
            moves[node] = moves[profile.parent(node)] || mergedInto[node] != Profile.NO_NODE;
        }
        for (int node = 0; node < needed.length; node++) {
            boolean inForest = node >= forest && node < forestEnd;
            needed[node] = !inForest || moves[node];
        }
        for (Column column : profile.columns()) {
            for (int row = 0; row < column.rows(); row++) {
                needed[column.node(row)] = true;
            }
        }
        for (int node = forestEnd - 1; node > forest; node--) {
            boolean leavesParent = mergedInto[node] != Profile.NO_NODE;
            needed[profile.parent(node)] |= needed[node] && !leavesParent;
        }
        return needed;
    }
}
