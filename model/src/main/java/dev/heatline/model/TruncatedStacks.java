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
 * <p>Frames are matched by method, in a tree with lines and kinds folded. A stack that has found
 * its place keeps its own lines; above it stand the callers' lines that were seen most.
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

    /** The same tree by method alone, in which places are looked for. */
    private final Profile methods;

    private final int forest;
    private final int forestEnd;
    private final int[] mergedInto;
    private final boolean[] ambiguous;
    private boolean anyMerged;

    private TruncatedStacks(Profile profile, int threshold) {
        this.profile = profile;
        this.threshold = threshold;
        this.methods = Operations.foldSites(profile);
        this.forest = methods.truncatedRoot();
        this.forestEnd = forest == Profile.NO_NODE ? 0 : methods.end(forest);
        this.mergedInto = new int[methods.nodeCount()];
        this.ambiguous = new boolean[methods.nodeCount()];
        Arrays.fill(mergedInto, Profile.NO_NODE);
    }

    /**
     * Moves every truncated stack that has exactly one place there. The provenance of the result
     * counts the samples merged (added to earlier merges), ambiguous and pending.
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

    /** Over all events; a profile that counts none has a stack for every value. */
    private long occurrences(IntPredicate wanted) {
        long sum = 0;
        long rows = 0;
        boolean counted = false;
        for (Column column : methods.columns()) {
            counted |= column.resource().isOccurrences();
            for (int row = 0; row < column.rows(); row++) {
                int node = column.node(row);
                if (node > forest && node < forestEnd && wanted.test(node)) {
                    rows++;
                    sum += column.resource().isOccurrences() ? column.value(row) : 0;
                }
            }
        }
        return counted ? sum : rows;
    }

    /** A truncated node, and where in the tree its caller can belong. */
    private static final class Step {
        private final int node;
        private final int[] callerCandidates;
        private final int depth;

        Step(int node, int[] callerCandidates, int depth) {
            this.node = node;
            this.callerCandidates = callerCandidates;
            this.depth = depth;
        }
    }

    private void match() {
        ChildIndex index = new ChildIndex(methods);
        Deque<Step> steps = new ArrayDeque<>();
        int[][] candidates = outermostCandidates();
        for (int node = forest + 1; node < forestEnd; node = methods.end(node)) {
            follow(node, candidates[methods.consumer(node)], 1, steps);
            while (!steps.isEmpty()) {
                Step step = steps.pop();
                int[] places = children(step.callerCandidates, methods.consumer(step.node), index);
                follow(step.node, places, step.depth, steps);
            }
        }
    }

    private void follow(int node, int[] candidates, int depth, Deque<Step> steps) {
        if (candidates.length == 0) {
            return;
        }
        if (candidates.length == 1 && depth > threshold) {
            mergedInto[node] = candidates[0];
            anyMerged = true;
            return;
        }
        ambiguous[node] = true;
        for (int child = node + 1; child < methods.end(node); child = methods.end(child)) {
            steps.push(new Step(child, candidates, depth + 1));
        }
    }

    private static int[] children(int[] candidates, int consumer, ChildIndex index) {
        int[] next = new int[candidates.length];
        int count = 0;
        for (int candidate : candidates) {
            int found = index.child(candidate, consumer, Site.NONE);
            if (found != Profile.NO_NODE) {
                next[count++] = found;
            }
        }
        return Arrays.copyOf(next, count);
    }

    /** For each consumer of an outermost truncated frame, its nodes in the tree. */
    private int[][] outermostCandidates() {
        boolean[] wanted = new boolean[methods.consumerCount()];
        for (int node = forest + 1; node < forestEnd; node = methods.end(node)) {
            wanted[methods.consumer(node)] = true;
        }
        int[] found = new int[methods.nodeCount()];
        int[] consumers = new int[methods.nodeCount()];
        int count = 0;
        for (int node = 1; node < methods.nodeCount(); node++) {
            boolean inForest = node >= forest && node < forestEnd;
            if (!inForest && wanted[methods.consumer(node)]) {
                consumers[count] = methods.consumer(node);
                found[count++] = node;
            }
        }
        int[] starts = CountingSort.starts(consumers, count, wanted.length);
        int[] order = CountingSort.order(consumers, count, starts);
        int[][] candidates = new int[wanted.length][];
        for (int consumer = 0; consumer < wanted.length; consumer++) {
            candidates[consumer] = new int[starts[consumer + 1] - starts[consumer]];
            for (int i = 0; i < candidates[consumer].length; i++) {
                candidates[consumer][i] = found[order[starts[consumer] + i]];
            }
        }
        return candidates;
    }

    private Profile move() {
        int[] methodNode = nodesByMethod();
        int[] mostSeen = mostSeen(methodNode);
        int[] newNode = new int[profile.nodeCount()];
        Arrays.fill(newNode, Profile.NO_NODE);
        newNode[Profile.ROOT] = Profile.ROOT;
        ProfileBuilder builder = new ProfileBuilder().consumerLabel(profile.consumerLabel());
        int[] newConsumer = builder.adopt(profile);
        int apart = profile.truncatedRoot();
        boolean[] needed = nodesWithValuesBelow(methodNode);
        // The tree first: the places that truncated stacks go to must be there.
        for (int pass = 0; pass < 2; pass++) {
            for (int node = 1; node < newNode.length; node++) {
                boolean truncated = node >= apart && node < profile.end(apart);
                if (truncated != (pass == 1) || !needed[node]) {
                    continue;
                }
                int place = mergedInto[methodNode[node]];
                int caller =
                        place == Profile.NO_NODE
                                ? profile.parent(node)
                                : mostSeen[methods.parent(place)];
                newNode[node] =
                        builder.child(
                                newNode[caller],
                                newConsumer[profile.consumer(node)],
                                profile.site(node));
            }
        }
        for (Column column : profile.columns()) {
            builder.addColumn(column.resource(), column, newNode, newConsumer);
        }
        return builder.build(profile.provenance());
    }

    /** For each node the node of the tree by method that it was folded into. */
    private int[] nodesByMethod() {
        ChildIndex index = new ChildIndex(methods);
        int[] methodNode = new int[profile.nodeCount()];
        for (int node = 1; node < methodNode.length; node++) {
            // Folding keeps all consumers, so their ids are the same in both.
            int consumer = profile.consumer(node);
            methodNode[node] = index.child(methodNode[profile.parent(node)], consumer, Site.NONE);
        }
        return methodNode;
    }

    /** For each node of the tree by method, the one of its nodes with the most below it. */
    private int[] mostSeen(int[] methodNode) {
        long[] seen = new long[profile.nodeCount()];
        for (Column column : profile.columns()) {
            for (int row = 0; row < column.rows(); row++) {
                seen[column.node(row)]++;
            }
        }
        profile.inclusive(seen);
        int[] mostSeen = new int[methods.nodeCount()];
        Arrays.fill(mostSeen, Profile.NO_NODE);
        for (int node = 0; node < methodNode.length; node++) {
            int best = mostSeen[methodNode[node]];
            if (best == Profile.NO_NODE || seen[node] > seen[best]) {
                mostSeen[methodNode[node]] = node;
            }
        }
        return mostSeen;
    }

    /** Truncated frames below which nothing is left after the move are not kept. */
    private boolean[] nodesWithValuesBelow(int[] methodNode) {
        int apart = profile.truncatedRoot();
        boolean[] needed = new boolean[profile.nodeCount()];
        for (Column column : profile.columns()) {
            for (int row = 0; row < column.rows(); row++) {
                needed[column.node(row)] = true;
            }
        }
        for (int node = needed.length - 1; node > 0; node--) {
            boolean truncated = node >= apart && node < profile.end(apart);
            boolean leaves = mergedInto[methodNode[node]] != Profile.NO_NODE;
            needed[node] |= !truncated;
            needed[profile.parent(node)] |= needed[node] && !leaves;
        }
        return needed;
    }
}
