package dev.heatline.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What changed between two Profiles, for every method and every path, with the probability that
 * sampling noise alone explains it. Shares of the total are compared, so the Profiles may cover
 * different amounts of time. Lines and frame kinds are folded, generated names normalised.
 */
public final class Comparison {
    private final Profile both;
    private final Resource resource;
    private final Side baseline;
    private final Side current;

    private Comparison(Profile both, Resource resource, Side baseline, Side current) {
        this.both = both;
        this.resource = resource;
        this.baseline = baseline;
        this.current = current;
    }

    /**
     * Compares one resource of both.
     *
     * @throws ModelException if one of them has no value of this resource
     */
    public static Comparison of(Profile baseline, Profile current, String resourceName) {
        Profile both =
                Operations.compare(Accuracy.comparable(baseline), Accuracy.comparable(current));
        Side currentSide = Side.of(both, resourceName);
        Side baselineSide = Side.of(both, resourceName + Operations.BASELINE);
        return new Comparison(both, currentSide.values.resource(), baselineSide, currentSide);
    }

    /** Both in one tree; see {@link Operations#compare}. */
    public Profile profile() {
        return both;
    }

    public Resource resource() {
        return resource;
    }

    public long baselineTotal() {
        return baseline.values.total();
    }

    public long currentTotal() {
        return current.values.total();
    }

    /**
     * One side of a change.
     *
     * @param value in stored units
     * @param share of the Profile's total, 0 to 1
     * @param observations how many samples the value rests on
     */
    public record Measure(long value, double share, long observations) {}

    /**
     * Both sides of a change.
     *
     * @param noise the probability that sampling noise alone explains a difference as large as
     *     this; 0 or 1 for values that were counted, not sampled; NaN if the samples were not
     *     recorded
     */
    public record Change(Measure baseline, Measure current, double noise) {

        /** The change of the share of the total: 0.05 is five percentage points more. */
        public double difference() {
            return current.share - baseline.share;
        }

        /** The current share over that of the baseline; infinite for what is new. */
        public double ratio() {
            return baseline.share == 0
                    ? current.share == 0 ? 1 : Double.POSITIVE_INFINITY
                    : current.share / baseline.share;
        }
    }

    /** A method's change: with all it calls, and by itself. */
    public record MethodChange(Consumer method, Change cum, Change self) {}

    /** The change of one calling context with all below it; the path starts outermost. */
    public record PathChange(List<Consumer> path, Change cum) {}

    /** All methods of either Profile, the largest change of cum first. */
    public List<MethodChange> methods() {
        CallGraph before = baseline.graph(both);
        CallGraph after = current.graph(both);
        CallGraph seenBefore = baseline.observationGraph(both);
        CallGraph seenAfter = current.observationGraph(both);
        List<MethodChange> rows = new ArrayList<>();
        for (int id = 0; id < both.consumerCount(); id++) {
            if (before.cum(id) + after.cum(id) > 0 && both.consumerAt(id).isMethod()) {
                rows.add(
                        new MethodChange(
                                both.consumerAt(id),
                                change(
                                        before.cum(id),
                                        seenBefore.cum(id),
                                        after.cum(id),
                                        seenAfter.cum(id)),
                                change(
                                        before.base(id),
                                        seenBefore.base(id),
                                        after.base(id),
                                        seenAfter.base(id))));
            }
        }
        rows.sort(
                Comparator.comparingDouble((MethodChange row) -> -Math.abs(row.cum().difference()))
                        .thenComparing(MethodChange::method));
        return rows;
    }

    /** All contexts whose share changed by at least this much, the largest change first. */
    public List<PathChange> paths(double minimumDifference) {
        int nodes = both.nodeCount();
        long[] before = both.inclusive(baseline.values.self(nodes));
        long[] after = both.inclusive(current.values.self(nodes));
        long[] seenBefore = both.inclusive(baseline.observations.self(nodes));
        long[] seenAfter = both.inclusive(current.observations.self(nodes));
        List<PathChange> rows = new ArrayList<>();
        for (int node = 1; node < nodes; node++) {
            double difference =
                    share(after[node], current.values) - share(before[node], baseline.values);
            if (Math.abs(difference) >= minimumDifference) {
                Change change =
                        change(before[node], seenBefore[node], after[node], seenAfter[node]);
                rows.add(new PathChange(both.path(node), change));
            }
        }
        // Stable: of equal changes the outer context comes first.
        rows.sort(
                Comparator.comparingDouble((PathChange row) -> -Math.abs(row.cum().difference())));
        return rows;
    }

    private Change change(long before, long seenBefore, long after, long seenAfter) {
        Measure old = new Measure(before, share(before, baseline.values), seenBefore);
        Measure now = new Measure(after, share(after, current.values), seenAfter);
        return new Change(old, now, noise(old, now));
    }

    private double noise(Measure old, Measure now) {
        if (!resource.isSampled()) {
            return old.share == now.share ? 1 : 0;
        }
        if (baseline.observations.total() == 0 || current.observations.total() == 0) {
            return Double.NaN;
        }
        return SamplingNoise.probability(
                old.observations,
                baseline.observations.total(),
                now.observations,
                current.observations.total());
    }

    private static double share(long value, Column column) {
        return (double) value / column.total();
    }

    /** The values of one Profile and the samples they rest on. */
    private record Side(Column values, Column observations) {

        static Side of(Profile both, String resourceName) {
            Column values =
                    both.column(resourceName)
                            .orElseThrow(
                                    () ->
                                            new ModelException(
                                                    "nothing to compare: one of the profiles has no"
                                                            + " values of resource "
                                                            + resourceName.replace(
                                                                    Operations.BASELINE, "")));
            Column none = new Column(values.resource(), new int[0], new int[0], new long[0]);
            return new Side(values, both.occurrences(values.resource()).orElse(none));
        }

        CallGraph graph(Profile both) {
            return CallGraph.of(both, values);
        }

        CallGraph observationGraph(Profile both) {
            return CallGraph.of(both, observations);
        }
    }
}
