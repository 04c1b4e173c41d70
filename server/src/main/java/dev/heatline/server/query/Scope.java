package dev.heatline.server.query;

import dev.heatline.store.Selection;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which stored profiles are asked about, as it was asked: what moves with time is not yet fixed, so
 * that equal questions stay equal while time goes on.
 *
 * @param from empty for all there is
 * @param until empty for all that still comes
 */
record Scope(
        String application,
        Optional<String> version,
        SortedSet<String> instances,
        SortedMap<String, String> labels,
        Optional<Moment> from,
        Optional<Moment> until) {

    private static final int STEPS = 60;

    Scope {
        instances = Collections.unmodifiableSortedSet(new TreeSet<>(instances));
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    /** What it means now. */
    Selection at(Instant now) {
        Selection all = Selection.of(application);
        Duration step = step();
        return new Selection(
                application,
                version,
                instances,
                labels,
                from.map(it -> it.at(now, step)).orElse(all.from()),
                until.map(it -> it.at(now, step)).orElse(all.until()));
    }

    /**
     * A range that moves has to be merged anew whenever it did, so a long one moves seldom: by a
     * part of its length, and a minute at least.
     */
    private Duration step() {
        Duration length = age(from).minus(age(until));
        return Duration.ofMinutes(Math.max(1, length.dividedBy(STEPS).toMinutes()));
    }

    private static Duration age(Optional<Moment> moment) {
        return moment.map(Moment::age).orElse(Duration.ZERO);
    }

    Scope withVersion(String other) {
        return new Scope(application, Optional.of(other), instances, labels, from, until);
    }

    Scope between(Optional<Moment> newFrom, Optional<Moment> newUntil) {
        return new Scope(application, version, instances, labels, newFrom, newUntil);
    }
}
