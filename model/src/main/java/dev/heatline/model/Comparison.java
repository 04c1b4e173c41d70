package dev.heatline.model;

import java.util.ArrayList;
import java.util.Arrays;
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
        List<Profile> comparable = Accuracy.comparable(List.of(baseline, current));
        Profile both = Operations.compare(comparable.getFirst(), comparable.getLast());
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

        /**
         * How much this stands out: by how much the shares differ, times how many standard errors
         * that is. The first alone favours what is large, which easily drifts by some points; the
         * second alone what is small, which easily becomes many times as large. The standard error
         * grows with the root of the mean share; how many samples there are is the same for all
         * changes of a comparison, and left out. Shares add up to one: whatever grows makes others
         * shrink, so that shrinking says half as much.
         */
        public double prominence() {
            double mean = (baseline.share + current.share) / 2;
            double says = difference() < 0 ? 0.5 : 1;
            return mean == 0 ? 0 : says * difference() * difference() / Math.sqrt(mean);
        }
    }

    /** A method's change: with all it calls, and by itself. */
    public record MethodChange(Consumer method, Change cum, Change self) {

        /**
         * How much this method stands out. What it calls changes its callers too, but less and less
         * so further out; that it changed by itself is only true of the cause.
         */
        double prominence() {
            return cum.prominence() + self.prominence();
        }
    }

    /** The change of one calling context with all below it; the path starts outermost. */
    public record PathChange(List<Consumer> path, Change cum) {}

    /** All methods of either Profile, those first that stand out most. */
    public List<MethodChange> methods() {
        CallGraph before = CallGraph.of(both, baseline.values);
        CallGraph after = CallGraph.of(both, current.values);
        CallGraph seenBefore = CallGraph.of(both, baseline.observations);
        CallGraph seenAfter = CallGraph.of(both, current.observations);
        CallGraph squaresBefore = baseline.squareGraph(both);
        CallGraph squaresAfter = current.squareGraph(both);
        List<MethodChange> rows = new ArrayList<>();
        for (int id = 0; id < both.consumerCount(); id++) {
            if (before.cum(id) + after.cum(id) > 0 && both.consumerAt(id).isMethod()) {
                Change cum =
                        change(
                                new Use(before.cum(id), seenBefore.cum(id), squaresBefore.cum(id)),
                                new Use(after.cum(id), seenAfter.cum(id), squaresAfter.cum(id)));
                Change self =
                        change(
                                new Use(
                                        before.base(id),
                                        seenBefore.base(id),
                                        squaresBefore.base(id)),
                                new Use(after.base(id), seenAfter.base(id), squaresAfter.base(id)));
                rows.add(new MethodChange(both.consumerAt(id), cum, self));
            }
        }
        rows.sort(
                Comparator.comparingDouble(MethodChange::prominence)
                        .reversed()
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
        long[] squaresBefore = both.inclusive(baseline.squares.clone());
        long[] squaresAfter = both.inclusive(current.squares.clone());
        List<PathChange> rows = new ArrayList<>();
        for (int node = 1; node < nodes; node++) {
            double difference =
                    share(after[node], current.values) - share(before[node], baseline.values);
            if (Math.abs(difference) >= minimumDifference) {
                Change change =
                        change(
                                new Use(before[node], seenBefore[node], squaresBefore[node]),
                                new Use(after[node], seenAfter[node], squaresAfter[node]));
                rows.add(new PathChange(both.path(node), change));
            }
        }
        // Stable: of equal changes the outer context comes first.
        rows.sort(
                Comparator.comparingDouble((PathChange row) -> -Math.abs(row.cum().difference())));
        return rows;
    }

    /** What was used, in how many observations, and their {@link Side#squares}. */
    private record Use(long value, long observations, long squares) {}

    private Change change(Use before, Use after) {
        Measure old =
                new Measure(
                        before.value, share(before.value, baseline.values), before.observations);
        Measure now =
                new Measure(after.value, share(after.value, current.values), after.observations);
        return new Change(old, now, noise(before, after));
    }

    private double noise(Use before, Use after) {
        if (!resource.isSampled()) {
            return share(before.value, baseline.values) == share(after.value, current.values)
                    ? 1
                    : 0;
        }
        if (baseline.observations.total() == 0 || current.observations.total() == 0) {
            return Double.NaN;
        }
        if (baseline.equalWeights && current.equalWeights) {
            return SamplingNoise.probability(
                    before.observations,
                    baseline.observations.total(),
                    after.observations,
                    current.observations.total());
        }
        return SamplingNoise.probability(baseline.weighted(before), current.weighted(after));
    }

    private static double share(long value, Column column) {
        return (double) value / column.total();
    }

    /** The values of one Profile and the samples they rest on. */
    private static final class Side {

        /** Squares are kept as whole numbers, with this many to one. */
        private static final double SQUARE_UNIT = 1000;

        private final Column values;
        private final Column observations;

        /** Whether every sample stands for the same amount. */
        private final boolean equalWeights;

        /**
         * For each node the squared weights of its samples, added up, a weight being the mean
         * amount per sample of a node over that of the whole Profile: how far few heavy samples
         * decide.
         */
        private final long[] squares;

        private Side(Profile both, Column values, Column observations) {
            this.values = values;
            this.observations = observations;
            int nodes = both.nodeCount();
            long[] value = values.self(nodes);
            long[] count = observations.self(nodes);
            double mean = (double) values.total() / Math.max(1, observations.total());
            this.squares = new long[nodes];
            boolean equal = true;
            for (int node = 0; node < nodes; node++) {
                if (count[node] > 0) {
                    double weight = value[node] / mean / count[node];
                    equal &= Math.abs(weight - 1) < 1e-6;
                    squares[node] = Math.round(SQUARE_UNIT * count[node] * weight * weight);
                }
            }
            this.equalWeights = equal;
        }

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
            return new Side(both, values, both.occurrences(values.resource()).orElse(none));
        }

        CallGraph squareGraph(Profile both) {
            return CallGraph.of(both, squares, new long[both.nodeCount()], null);
        }

        SamplingNoise.Weighted weighted(Use use) {
            double mean = (double) values.total() / observations.total();
            return new SamplingNoise.Weighted(
                    use.value / mean,
                    observations.total(),
                    use.squares / SQUARE_UNIT,
                    Arrays.stream(squares).sum() / SQUARE_UNIT);
        }
    }
}
