package dev.heatline.model;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What every consumer and every caller–callee pair used, for all of them in one walk over the tree:
 * the numbers behind xprof and xarc (004) and the metrics of 000 eq. 3.3-3.15 and 3.23-3.25.
 *
 * <p>Recursion counts nothing twice. {@link #cum} of a consumer adds up its outermost nodes only
 * (eq. 3.4, 3.5). For a pair there are three sums, because three questions are asked of it:
 *
 * <ul>
 *   <li>{@link #arcCum}: what the callee's outermost nodes under this caller used. Over all callers
 *       it adds up to the callee's cum: the parent records of xarc.
 *   <li>{@link #arcNet}: what the callee used below this caller, without what lies under a nested
 *       call of the caller itself; that is charged to the nested call's own callees. Over all
 *       callees it adds up to the caller's cum less its base: the child records of xarc.
 *   <li>{@link #arcInvocation}: the callee's nodes under this caller, those inside another such
 *       node left out (eq. 3.11): callee and caller time. Eq. 3.4 looks only at the nearest
 *       recursive parent, which would count samples twice when a call from elsewhere lies between;
 *       here any enclosing node of the same pair counts.
 * </ul>
 */
public final class CallGraph {
    private static final int NONE = -1;

    private final long[] calls;
    private final long[] base;
    private final long[] cum;
    private final boolean[] recursive;
    private final long total;
    private final Arcs arcs;

    private CallGraph(Walk walk) {
        this.calls = walk.calls;
        this.base = walk.base;
        this.cum = walk.cum;
        this.recursive = walk.recursive;
        this.total = walk.total;
        this.arcs = walk.arcs;
        arcs.indexByEnds(calls.length);
    }

    /** The graph of a whole Profile for one of its columns. O(nodes). */
    public static CallGraph of(Profile profile, Column column) {
        return of(profile, column, null);
    }

    /**
     * The graph of the selected nodes only (eq. 3.23). A caller outside the selection still appears
     * as the caller of a selected node.
     *
     * @param selected for each node whether it counts; descendants of a selected node must be
     *     selected too. Null selects all.
     */
    public static CallGraph of(Profile profile, Column column, boolean @Nullable [] selected) {
        int nodes = profile.nodeCount();
        long[] occurrences =
                profile.occurrences(column.resource())
                        .map(c -> c.self(nodes))
                        .orElseGet(() -> new long[nodes]);
        return of(profile, column.self(nodes), occurrences, selected);
    }

    /** As above, from values per node: what each used by itself and how often it occurred. */
    public static CallGraph of(
            Profile profile, long[] self, long[] occurrences, boolean @Nullable [] selected) {
        Walk walk = new Walk(profile, self, occurrences, selected);
        walk.run();
        return new CallGraph(walk);
    }

    /** How often this consumer occurred, nested occurrences included. */
    public long calls(int consumer) {
        return calls[consumer];
    }

    /** What it used by itself, everywhere. */
    public long base(int consumer) {
        return base[consumer];
    }

    /** What it and all it called used (eq. 3.5). */
    public long cum(int consumer) {
        return cum[consumer];
    }

    /** Whether it was ever found below itself. */
    public boolean isRecursive(int consumer) {
        return recursive[consumer];
    }

    /** The total of the root, or of all roots of the selection: the divisor of eq. 3.6, 3.25. */
    public long total() {
        return total;
    }

    /** The proportion of all that was spent in this consumer (eq. 3.6, 3.25). */
    public double methodTime(int consumer) {
        return ratio(cum[consumer], total);
    }

    /** The proportion of method time spent in its own statements (eq. 3.7). */
    public double selfTime(int consumer) {
        return ratio(base[consumer], cum[consumer]);
    }

    /** The proportion of the caller's method time spent in this callee (eq. 3.12). */
    public double calleeTime(int arc) {
        return ratio(arcs.get(arc, Arcs.INVOCATION), cum[arcs.caller(arc)]);
    }

    /** The proportion of the callee's method time spent for this caller (eq. 3.15, see eq. 3.5). */
    public double callerTime(int arc) {
        return ratio(arcs.get(arc, Arcs.INVOCATION), cum[arcs.callee(arc)]);
    }

    /** The arcs that lead to this consumer, in no particular order. */
    public int[] arcsTo(int consumer) {
        return arcs.to(consumer);
    }

    /** The arcs that start from this consumer, in no particular order. */
    public int[] arcsFrom(int consumer) {
        return arcs.from(consumer);
    }

    public int arcCount() {
        return arcs.size();
    }

    public int caller(int arc) {
        return arcs.caller(arc);
    }

    public int callee(int arc) {
        return arcs.callee(arc);
    }

    public long arcCalls(int arc) {
        return arcs.get(arc, Arcs.CALLS);
    }

    /** What the callee used by itself under this caller. */
    public long arcBase(int arc) {
        return arcs.get(arc, Arcs.BASE);
    }

    public long arcCum(int arc) {
        return arcs.get(arc, Arcs.CUM);
    }

    public long arcNet(int arc) {
        return arcs.get(arc, Arcs.NET);
    }

    public long arcInvocation(int arc) {
        return arcs.get(arc, Arcs.INVOCATION);
    }

    private static double ratio(long part, long whole) {
        return whole == 0 ? 0 : (double) part / whole;
    }

    /** One walk in preorder with the open path on a stack. */
    private static final class Walk {
        private final Profile profile;
        private final long[] self;
        private final long[] occurrences;
        private final long[] inclusive;
        private final boolean @Nullable [] selected;

        private final long[] calls;
        private final long[] base;
        private final long[] cum;
        private final boolean[] recursive;
        private final Arcs arcs = new Arcs();
        private long total;

        /** For each consumer, the depth of its innermost open node; NONE if none is open. */
        private final int[] nearest;

        private int[] pathEnd = new int[128];
        private int[] pathConsumer = new int[128];
        private int[] pathArc = new int[128];
        private int[] pathShadowed = new int[128];
        private boolean[] pathCounts = new boolean[128];
        private int depth;

        Walk(Profile profile, long[] self, long[] occurrences, boolean @Nullable [] selected) {
            this.profile = profile;
            this.self = self;
            this.occurrences = occurrences;
            this.selected = selected;
            this.inclusive = profile.inclusive(self.clone());
            int consumers = profile.consumerCount();
            calls = new long[consumers];
            base = new long[consumers];
            cum = new long[consumers];
            recursive = new boolean[consumers];
            nearest = new int[consumers];
            Arrays.fill(nearest, NONE);
        }

        void run() {
            for (int node = 0; node < profile.nodeCount(); node++) {
                while (depth > 0 && pathEnd[depth - 1] <= node) {
                    leave();
                }
                boolean counts = selected == null || selected[node];
                int arc = counts && depth > 0 ? enterArc(node) : NONE;
                if (counts) {
                    enterConsumer(node, arc);
                }
                push(node, arc, counts);
            }
        }

        private int enterArc(int node) {
            int consumer = profile.consumer(node);
            int arc = arcs.arc(pathConsumer[depth - 1], consumer);
            long sum = inclusive[node];
            if (arcs.get(arc, Arcs.OPEN_UNTIL) <= node) {
                arcs.set(arc, Arcs.OPEN_UNTIL, profile.end(node));
                arcs.add(arc, Arcs.INVOCATION, sum);
            }
            if (nearest[consumer] == NONE) {
                arcs.add(arc, Arcs.CUM, sum);
            }
            if (pathCounts[depth - 1]) {
                arcs.add(arc, Arcs.NET, sum);
            }
            if (self[node] != 0 || occurrences[node] != 0) {
                arcs.add(arc, Arcs.CALLS, occurrences[node]);
                arcs.add(arc, Arcs.BASE, self[node]);
            }
            return arc;
        }

        private void enterConsumer(int node, int arc) {
            int consumer = profile.consumer(node);
            if (self[node] != 0 || occurrences[node] != 0) {
                calls[consumer] += occurrences[node];
                base[consumer] += self[node];
            }
            int outer = nearest[consumer];
            if (outer == NONE) {
                cum[consumer] += inclusive[node];
            } else {
                recursive[consumer] = true;
                int through = outer + 1 == depth ? arc : pathArc[outer + 1];
                // A nested call is no part of the callee through which the outer call reached it.
                arcs.add(through, Arcs.NET, -inclusive[node]);
            }
            if (depth == 0 || !pathCounts[depth - 1]) {
                total += inclusive[node];
            }
        }

        private void push(int node, int arc, boolean counts) {
            if (depth == pathEnd.length) {
                growPath();
            }
            int consumer = profile.consumer(node);
            pathEnd[depth] = profile.end(node);
            pathConsumer[depth] = consumer;
            pathArc[depth] = arc;
            pathCounts[depth] = counts;
            if (counts) {
                pathShadowed[depth] = nearest[consumer];
                nearest[consumer] = depth;
            }
            depth++;
        }

        private void leave() {
            depth--;
            if (pathCounts[depth]) {
                nearest[pathConsumer[depth]] = pathShadowed[depth];
            }
        }

        private void growPath() {
            int length = depth * 2;
            pathEnd = Arrays.copyOf(pathEnd, length);
            pathConsumer = Arrays.copyOf(pathConsumer, length);
            pathArc = Arrays.copyOf(pathArc, length);
            pathShadowed = Arrays.copyOf(pathShadowed, length);
            pathCounts = Arrays.copyOf(pathCounts, length);
        }
    }
}
