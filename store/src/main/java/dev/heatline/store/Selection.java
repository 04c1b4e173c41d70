package dev.heatline.store;

import dev.heatline.model.Execution;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which stored profiles are asked about.
 *
 * @param application always exactly one
 * @param version only this one; empty for all
 * @param instances only these; none for all
 * @param labels only executions that have all of these
 * @param from profiles that end after this moment, as far as they say what was after it
 * @param until profiles that begin before this moment, likewise
 */
public record Selection(
        String application,
        Optional<String> version,
        SortedSet<String> instances,
        SortedMap<String, String> labels,
        Instant from,
        Instant until) {

    public Selection {
        instances = Collections.unmodifiableSortedSet(new TreeSet<>(instances));
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    /** All there is of an application. */
    public static Selection of(String application) {
        return new Selection(
                application,
                Optional.empty(),
                new TreeSet<>(),
                new TreeMap<>(),
                Instant.EPOCH,
                Instant.ofEpochSecond(1L << 40));
    }

    public Selection withVersion(String wanted) {
        return new Selection(application, Optional.of(wanted), instances, labels, from, until);
    }

    public Selection withInstances(Set<String> wanted) {
        return new Selection(application, version, new TreeSet<>(wanted), labels, from, until);
    }

    public Selection withLabels(Map<String, String> wanted) {
        return new Selection(application, version, instances, new TreeMap<>(wanted), from, until);
    }

    public Selection between(Instant newFrom, Instant newUntil) {
        return new Selection(application, version, instances, labels, newFrom, newUntil);
    }

    /** Whether an execution belongs to it. */
    public boolean includes(Execution execution) {
        return application.equals(execution.application())
                && version.map(execution.version()::equals).orElse(true)
                && (instances.isEmpty() || instances.contains(execution.instance()))
                && execution.labels().entrySet().containsAll(labels.entrySet());
    }
}
