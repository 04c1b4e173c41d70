package dev.heatline.server.query;

import dev.heatline.model.CallsBesideSamples;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.store.Selection;
import dev.heatline.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Puts calls beside samples. A JVM is sampled all the time and its calls are measured for half a
 * minute: how many calls there are for each sample can be told only where both went on for about as
 * long, in as many instances.
 */
record Together(Executions executions, Store store) {

    /** Nobody asks so much of a number that depends on the load. */
    private static final double ALIKE = 1.5;

    /** What is shorter than a piece seems to be as long. */
    private static final int PIECES = 1_000;

    /** More instances are not looked at one by one. */
    private static final int MOST_EXECUTIONS = 50;

    /** In nanoseconds, of all instances together. */
    private record Lengths(double sampled, double measured) {
        private boolean areAlike() {
            return sampled <= ALIKE * measured && measured <= ALIKE * sampled;
        }
    }

    /** Empty if nothing has both. Reads no profile. */
    Optional<CallsBesideSamples> beside(Chosen chosen) {
        return chosen.part()
                .beside()
                .map(both -> areAlike(chosen, both) ? both : both.ofOtherTime());
    }

    private boolean areAlike(Chosen chosen, CallsBesideSamples both) {
        Selection selection = chosen.snapshot().selection();
        Provenance provenance = chosen.snapshot().profile().provenance();
        Instant from = later(selection.from(), provenance.from().orElse(selection.from()));
        Instant until = earlier(selection.until(), provenance.until().orElse(selection.until()));
        List<Store.Seen> seen =
                executions.now(selection.application()).stream()
                        .filter(it -> selection.includes(it.execution()))
                        .filter(it -> it.first().isBefore(until) && it.last().isAfter(from))
                        .toList();
        if (!from.isBefore(until) || seen.size() > MOST_EXECUTIONS) {
            return false;
        }
        String samples = both.sampled().name();
        Lengths all =
                seen.stream()
                        .map(it -> lengths(only(selection, it).between(from, until), samples))
                        .reduce(
                                new Lengths(0, 0),
                                (a, b) ->
                                        new Lengths(
                                                a.sampled + b.sampled, a.measured + b.measured));
        return known(all, provenance).areAlike();
    }

    /** The selection of one execution. */
    private static Selection only(Selection selection, Store.Seen seen) {
        return selection
                .withVersion(seen.execution().version())
                .withInstances(Set.of(seen.execution().instance()))
                .withLabels(Map.copyOf(seen.execution().labels()));
    }

    /** Who has little to do is sampled between two samples, too; calls take all of their time. */
    private Lengths lengths(Selection selection, String samples) {
        List<Store.Bucket> sampled = used(selection, samples);
        double measured =
                used(selection, Resource.ELAPSED.name()).stream()
                        .mapToDouble(it -> nanos(it.from(), it.until()))
                        .sum();
        return new Lengths(
                sampled.isEmpty() ? 0 : nanos(sampled.getFirst().from(), sampled.getLast().until()),
                measured);
    }

    private List<Store.Bucket> used(Selection selection, String resource) {
        return store.timeline(selection, resource, PIECES).stream()
                .filter(it -> it.value() > 0)
                .toList();
    }

    /**
     * What was rolled up seems to be of a whole hour; samples say how much of that was measured.
     */
    private static Lengths known(Lengths all, Provenance provenance) {
        long seconds = provenance.count(Provenance.CALLS_MEASURED_SECONDS);
        return seconds == 0
                ? all
                : new Lengths(
                        all.sampled,
                        Math.min(all.measured, (double) seconds * Resource.NANOS_PER_SECOND));
    }

    private static double nanos(Instant from, Instant until) {
        return Duration.between(from, until).toNanos();
    }

    private static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }

    private static Instant earlier(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }
}
