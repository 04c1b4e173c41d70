package dev.heatline.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * How much alike Profiles are (001 §3.4.2): degree of overlap and hot-edge coverage of two,
 * average, consistency and agreement of many.
 *
 * <p>Nodes are equivalent when they have the same method under equivalent parents; lines and frame
 * kinds do not count, and generated names are normalised. An edge leads to every node but the root;
 * its weight is what the node used by itself, on all threads.
 */
public final class Accuracy {

    /** The threshold used throughout the thesis's evaluation. */
    public static final double DEFAULT_THRESHOLD = 0.1;

    /** Weights of an average are shares of one, kept with fifteen digits. */
    private static final Resource SHARE =
            new Resource("share", "share", Resource.Kind.AMOUNT, 1_000_000_000_000_000L, "share");

    private Accuracy() {}

    /**
     * From 0, no edge in common, to 1, the same edges with the same relative weights (figure 3.16).
     *
     * @throws ModelException if one of them has no value of this resource
     */
    public static double overlap(Profile a, Profile b, String resourceName) {
        return new Weights(a, b, resourceName).overlap();
    }

    /**
     * The proportion of the hot edges of {@code b} that are hot in {@code a} too (figure 3.17).
     *
     * @param threshold an edge is hot from this share of the hottest edge's weight on
     */
    public static double hotEdgeCoverage(
            Profile a, Profile b, String resourceName, double threshold) {
        return new Weights(a, b, resourceName).coverage(threshold);
    }

    /**
     * The average of Profiles: all their edges, each weighted with the mean of its relative
     * weights. Its one resource is called {@code share} and adds up to 1.
     */
    public static Profile average(Collection<Profile> profiles, String resourceName) {
        ProfileBuilder builder = new ProfileBuilder();
        ColumnBuilder shares = builder.column(SHARE);
        Provenance provenance = Provenance.NONE;
        for (Profile comparable : comparable(List.copyOf(profiles))) {
            int[] newConsumer = builder.adopt(comparable);
            int[] newNode = new int[comparable.nodeCount()];
            long[] self = weights(comparable, resourceName);
            double total = total(self, resourceName);
            for (int node = 1; node < newNode.length; node++) {
                newNode[node] =
                        builder.child(
                                newNode[comparable.parent(node)],
                                newConsumer[comparable.consumer(node)],
                                Site.NONE);
                double share = self[node] / total / profiles.size();
                shares.add(newNode[node], Column.NO_THREAD, Math.round(share * SHARE.perUnit()));
            }
            provenance = provenance.merge(comparable.provenance());
        }
        return builder.build(provenance);
    }

    /**
     * How well a set of Profiles hangs together: each one against the average of all.
     *
     * @param overlaps the degree of overlap of each with the average, in the order given
     * @param coverages how much of each one's hot edges the average covers, likewise
     */
    public record Consistency(List<Double> overlaps, List<Double> coverages) {

        public Consistency {
            overlaps = List.copyOf(overlaps);
            coverages = List.copyOf(coverages);
        }

        public double medianOverlap() {
            return quantile(overlaps, 0.5);
        }

        public double medianCoverage() {
            return quantile(coverages, 0.5);
        }

        /** A quantile with linear interpolation: 0.25 and 0.75 give the quartiles. */
        public static double quantile(List<Double> values, double q) {
            List<Double> sorted = values.stream().sorted().toList();
            double at = q * (sorted.size() - 1);
            double below = sorted.get((int) Math.floor(at));
            double above = sorted.get((int) Math.ceil(at));
            return below + (above - below) * (at - Math.floor(at));
        }
    }

    public static Consistency consistency(
            List<Profile> profiles, String resourceName, double threshold) {
        Profile average = average(profiles, resourceName);
        List<Double> overlaps = new ArrayList<>();
        List<Double> coverages = new ArrayList<>();
        for (Profile profile : profiles) {
            Weights both = new Weights(average, SHARE.name(), profile, resourceName);
            overlaps.add(both.overlap());
            coverages.add(both.coverage(threshold));
        }
        return new Consistency(overlaps, coverages);
    }

    /**
     * How far sets of Profiles, for example those of different profilers, agree: their averages
     * against each other.
     *
     * @param overlap {@code overlap.get(i).get(j)}, symmetric
     * @param coverage {@code coverage.get(i).get(j)}: how much of set j's hot edges set i covers
     */
    public record Agreement(List<List<Double>> overlap, List<List<Double>> coverage) {}

    public static Agreement agreement(
            List<List<Profile>> sets, String resourceName, double threshold) {
        List<Profile> averages = sets.stream().map(set -> average(set, resourceName)).toList();
        List<List<Double>> overlap = new ArrayList<>();
        List<List<Double>> coverage = new ArrayList<>();
        for (Profile one : averages) {
            List<Weights> pairs =
                    averages.stream().map(other -> new Weights(one, other, SHARE.name())).toList();
            overlap.add(pairs.stream().map(Weights::overlap).toList());
            coverage.add(pairs.stream().map(pair -> pair.coverage(threshold)).toList());
        }
        return new Agreement(overlap, coverage);
    }

    /**
     * The same Profiles as far as equivalence of nodes is concerned. Parameters count only where
     * all of them tell: collapsed stacks, for one, often come without.
     */
    static List<Profile> comparable(List<Profile> profiles) {
        boolean withParameters = profiles.stream().allMatch(Accuracy::tellsParameters);
        return profiles.stream()
                .map(Operations::foldSites)
                .map(
                        profile ->
                                Operations.mapConsumers(
                                        profile, consumer -> comparable(consumer, withParameters)))
                .toList();
    }

    private static boolean tellsParameters(Profile profile) {
        for (int id = 0; id < profile.consumerCount(); id++) {
            if (!profile.consumerAt(id).descriptor().isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** Files keep parameters as descriptors or by simple names; the latter is what both can say. */
    private static Consumer comparable(Consumer consumer, boolean withParameters) {
        Consumer normal = GeneratedNames.normalise(consumer);
        if (!normal.isMethod() || normal.descriptor().isEmpty()) {
            return normal;
        }
        return Consumer.method(
                normal.owner(),
                normal.name(),
                withParameters ? MethodNames.parameters(normal) : "");
    }

    /** The weight of the edge to each node; nothing leads to the root, so its entry is no edge. */
    private static long[] weights(Profile profile, String resourceName) {
        return profile.column(resourceName)
                .map(column -> column.self(profile.nodeCount()))
                .orElseGet(() -> new long[profile.nodeCount()]);
    }

    /** The sum of all edge weights. */
    private static double total(long[] weight, String resourceName) {
        long total = Arrays.stream(weight, 1, weight.length).sum();
        if (total == 0) {
            throw new ModelException(
                    "nothing to compare: a profile has no values of resource " + resourceName);
        }
        return total;
    }

    /** The edge weights of two Profiles over the tree of both. */
    private static final class Weights {
        private final long[] a;
        private final double totalOfA;
        private final long[] b;
        private final double totalOfB;

        Weights(Profile a, Profile b, String resourceName) {
            this(a, resourceName, b, resourceName);
        }

        Weights(Profile a, String resourceOfA, Profile b, String resourceOfB) {
            List<Profile> comparable = comparable(List.of(a, b));
            Profile both = Operations.compare(comparable.getFirst(), comparable.getLast());
            this.a = weights(both, resourceOfA + Operations.BASELINE);
            this.totalOfA = total(this.a, resourceOfA);
            this.b = weights(both, resourceOfB);
            this.totalOfB = total(this.b, resourceOfB);
        }

        double overlap() {
            double sum = 0;
            for (int edge = 1; edge < a.length; edge++) {
                sum += Math.min(a[edge] / totalOfA, b[edge] / totalOfB);
            }
            return Math.min(1, sum);
        }

        double coverage(double threshold) {
            double hotFromA = threshold * hottest(a);
            double hotFromB = threshold * hottest(b);
            int hot = 0;
            int covered = 0;
            for (int edge = 1; edge < a.length; edge++) {
                if (b[edge] > 0 && b[edge] >= hotFromB) {
                    hot++;
                    if (a[edge] > 0 && a[edge] >= hotFromA) {
                        covered++;
                    }
                }
            }
            return hot == 0 ? 0 : (double) covered / hot;
        }

        private static long hottest(long[] weight) {
            return Arrays.stream(weight, 1, weight.length).max().orElse(0);
        }
    }
}
