package dev.heatline.model;

import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How a Profile came about, so that readers know how far to trust it.
 *
 * @param facts what is known by name ({@code application}, {@code version}, {@code interval} …); a
 *     merged Profile keeps every value its parts had, but not all of {@link #ROOTS_ALONE}
 * @param counts what was counted while collecting ({@code lost}, {@code truncated} …); sums up when
 *     Profiles are merged
 * @param fromNanos first moment covered, nanoseconds since 1970; {@link #UNKNOWN_TIME} if unknown
 * @param untilNanos last moment covered, likewise
 * @param moments when how much of a {@link Resource} was observed, by its name; where a resource
 *     has none, those of the one that counts its observations hold for it, if that has any
 */
public record Provenance(
        SortedMap<String, SortedSet<String>> facts,
        SortedMap<String, Long> counts,
        long fromNanos,
        long untilNanos,
        SortedMap<String, Moments> moments) {

    public static final long UNKNOWN_TIME = Long.MIN_VALUE;

    public static final String APPLICATION = "application";
    public static final String VERSION = "version";
    public static final String INSTANCE = "instance";
    public static final String COLLECTOR = "collector";

    /** Sampling interval, written with its unit: {@code 10ms}. */
    public static final String INTERVAL = "interval";

    /** Samples that were due but not recorded. */
    public static final String LOST = "lost";

    /** Samples whose stack was cut off at its outer end when it was recorded. */
    public static final String TRUNCATED = "truncated";

    /** Truncated samples that {@link TruncatedStacks} found a unique place for. */
    public static final String MERGED = "merged";

    /** Truncated samples that fit in several places and therefore nowhere for sure. */
    public static final String AMBIGUOUS = "ambiguous";

    /** Truncated samples that have no place yet. */
    public static final String PENDING = "pending";

    /** Samples without a usable stack. */
    public static final String UNDECODABLE = "undecodable";

    /** What was not recorded so that profiling stays cheap: {@code no allocations}. */
    public static final String REDUCED = "reduced";

    /**
     * Seconds in which calls were measured exactly in the process that was sampled: what that takes
     * is in the samples, too.
     */
    public static final String CALLS_MEASURED_SECONDS = "s in which calls were measured exactly";

    /**
     * What roots of exact calls take when nothing else is measured, and what that says of the costs
     * of measuring them: a sentence for each, {@link #MOST_ROOTS_ALONE} at most.
     */
    public static final String ROOTS_ALONE = "roots alone";

    /** Each measurement has others, and no end of them is merged; those first by name are kept. */
    public static final int MOST_ROOTS_ALONE = 20;

    /** Profiles that the collector's spool had no room for or had to set aside. */
    public static final String DROPPED_PROFILES = "profiles dropped by the spool";

    /** The samples of those profiles. */
    public static final String DROPPED_SAMPLES = "samples dropped by the spool";

    /** CPU time that profiling took, in the profiled process and beside it, in microseconds. */
    public static final String PROFILING_MICROS = "profiling cpu us";

    /** CPU time of the profiled process meanwhile, in microseconds. */
    public static final String PROFILED_MICROS = "profiled cpu us";

    /** Bytes that profiling made the profiled process write. */
    public static final String PROFILING_BYTES = "profiling bytes";

    /** What a hypervisor stole of the profiled process's CPU time, in microseconds. */
    public static final String STEAL_MICROS = "steal us";

    /** CPU time that the profiled process really had, nothing stolen in it, in microseconds. */
    public static final String CORRECTED_MICROS = "corrected cpu us";

    /**
     * The part of {@link #CORRECTED_MICROS} in which its locks were traced. A fact of the same name
     * says that this is not known of all locks that were.
     */
    public static final String LOCKS_TRACED_MICROS = CORRECTED_MICROS + " with locks traced";

    /** The {@link #COLLECTOR} of contentions. */
    public static final String LOCK_TRACER = "heatline locks";

    /** Time its threads could have run and waited for a CPU of their machine, in microseconds. */
    public static final String RUN_QUEUE_MICROS = "run queue us";

    /** Time its CPU limit held it up, on all CPUs together, in microseconds. */
    public static final String THROTTLED_MICROS = "throttled us";

    /** Share of the CPU time from which on stolen time makes times misleading. */
    public static final double NOTABLE_STEAL = 0.05;

    public static final Provenance NONE =
            new Provenance(
                    new TreeMap<>(), new TreeMap<>(), UNKNOWN_TIME, UNKNOWN_TIME, new TreeMap<>());

    public Provenance {
        TreeMap<String, SortedSet<String>> copy = new TreeMap<>();
        facts.forEach((k, v) -> copy.put(k, Collections.unmodifiableSortedSet(kept(k, v))));
        facts = Collections.unmodifiableSortedMap(copy);
        counts = Collections.unmodifiableSortedMap(new TreeMap<>(counts));
        moments = Collections.unmodifiableSortedMap(new TreeMap<>(moments));
    }

    private static SortedSet<String> kept(String name, SortedSet<String> values) {
        TreeSet<String> kept = new TreeSet<>(values);
        while (name.equals(ROOTS_ALONE) && kept.size() > MOST_ROOTS_ALONE) {
            kept.pollLast();
        }
        return kept;
    }

    /** The same, with other facts. */
    public Provenance withFacts(SortedMap<String, SortedSet<String>> others) {
        return new Provenance(others, counts, fromNanos, untilNanos, moments);
    }

    public Provenance withFact(String name, String value) {
        TreeMap<String, SortedSet<String>> more = new TreeMap<>(facts);
        TreeSet<String> values = new TreeSet<>(more.getOrDefault(name, new TreeSet<>()));
        values.add(value);
        more.put(name, values);
        return withFacts(more);
    }

    /**
     * The same as a part of more: of locks that were traced while nobody counted how long the
     * program ran, it says so.
     *
     * @param counted the names of its counts
     */
    public Provenance tellingUntimedLocks(Collection<String> counted) {
        SortedSet<String> collectors = facts.get(COLLECTOR);
        return collectors != null
                        && collectors.contains(LOCK_TRACER)
                        && !counted.contains(LOCKS_TRACED_MICROS)
                ? withFact(LOCKS_TRACED_MICROS, "not known of all")
                : this;
    }

    /** With {@code amount} added to the count of this name. */
    public Provenance plusCount(String name, long amount) {
        return withCount(name, count(name) + amount);
    }

    /** With the count of this name replaced. A count of zero is not kept. */
    public Provenance withCount(String name, long amount) {
        TreeMap<String, Long> more = new TreeMap<>(counts);
        if (amount == 0) {
            more.remove(name);
        } else {
            more.put(name, amount);
        }
        return new Provenance(facts, more, fromNanos, untilNanos, moments);
    }

    /** With the covered time widened to include this range. */
    public Provenance covering(long from, long until) {
        return withTime(earlier(fromNanos, from), Math.max(untilNanos, until));
    }

    /** With the covered time replaced. */
    public Provenance withTime(long from, long until) {
        return new Provenance(facts, counts, from, until, moments);
    }

    /** With the moments of more observations of this resource. */
    public Provenance plusMoments(String resource, Moments more) {
        if (more.isEmpty()) {
            return this;
        }
        TreeMap<String, Moments> all = new TreeMap<>(moments);
        all.merge(resource, more, Moments::plus);
        return new Provenance(facts, counts, fromNanos, untilNanos, all);
    }

    public long count(String name) {
        return counts.getOrDefault(name, 0L);
    }

    /** Share of the profiled process's CPU time that a hypervisor stole; 0 if unknown. */
    public double stealShare() {
        long steal = count(STEAL_MICROS);
        return steal == 0 ? 0 : (double) steal / (steal + count(CORRECTED_MICROS));
    }

    /** All values of a fact, joined with commas; empty if there is none. */
    public String fact(String name) {
        SortedSet<String> values = facts.get(name);
        return values == null ? "" : String.join(", ", values);
    }

    public Optional<Instant> from() {
        return instant(fromNanos);
    }

    public Optional<Instant> until() {
        return instant(untilNanos);
    }

    /** What both came from. Commutative and associative. */
    public Provenance merge(Provenance other) {
        TreeMap<String, SortedSet<String>> allFacts = new TreeMap<>(facts);
        for (Map.Entry<String, SortedSet<String>> fact : other.facts.entrySet()) {
            TreeSet<String> values = new TreeSet<>(fact.getValue());
            values.addAll(allFacts.getOrDefault(fact.getKey(), new TreeSet<>()));
            allFacts.put(fact.getKey(), values);
        }
        TreeMap<String, Long> allCounts = new TreeMap<>(counts);
        other.counts.forEach((name, amount) -> allCounts.merge(name, amount, Long::sum));
        TreeMap<String, Moments> allMoments = new TreeMap<>(moments);
        other.moments.forEach((name, more) -> allMoments.merge(name, more, Moments::plus));
        return new Provenance(
                allFacts,
                allCounts,
                earlier(fromNanos, other.fromNanos),
                Math.max(untilNanos, other.untilNanos),
                allMoments);
    }

    private static long earlier(long a, long b) {
        if (a == UNKNOWN_TIME) {
            return b;
        }
        return b == UNKNOWN_TIME ? a : Math.min(a, b);
    }

    private static Optional<Instant> instant(long nanos) {
        return nanos == UNKNOWN_TIME
                ? Optional.empty()
                : Optional.of(
                        Instant.ofEpochSecond(
                                Math.floorDiv(nanos, Resource.NANOS_PER_SECOND),
                                Math.floorMod(nanos, Resource.NANOS_PER_SECOND)));
    }
}
