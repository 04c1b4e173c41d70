package dev.heatline.server.query;

import dev.heatline.model.CallsBesideSamples;
import dev.heatline.model.Column;
import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Resource;
import java.util.Optional;
import java.util.concurrent.Executor;

/** A part of a snapshot, with what was computed of it so far. Safe for use by many threads. */
final class Part {

    /** A profile has no more resources that somebody looks at in turn. */
    private static final int RESOURCES = 8;

    /** Folded once, for all flame graphs and trees of this part. */
    private enum Folding {
        LINES
    }

    private final Profile profile;
    private final boolean ofItsOwn;
    private final Resource otherwise;
    private final Memo<Optional<String>, Metrics> metrics;
    private final Memo<Folding, Profile> folded;

    /** The part of a profile behind a filter. */
    Part(Filter filter, Profile whole, Executor threads) {
        this(filter, whole, Resource.SAMPLES, threads);
    }

    /**
     * @param otherwise which resource there is nothing of if there is nothing at all
     */
    private Part(Filter filter, Profile whole, Resource otherwise, Executor threads) {
        this.profile = filter.of(whole);
        this.ofItsOwn = !filter.equals(Filter.NONE);
        this.otherwise = otherwise;
        this.metrics =
                new Memo<>(
                        RESOURCES, threads, resource -> Metrics.of(profile, resource, otherwise));
        this.folded = new Memo<>(1, threads, _ -> Operations.foldLines(profile));
    }

    /**
     * Nothing of a profile that does not have what is asked for.
     *
     * @param resource what there is nothing of
     */
    static Part nothingOf(Profile whole, Resource resource) {
        return new Part(
                Filter.NONE,
                new ProfileBuilder().consumerLabel(whole.consumerLabel()).build(whole.provenance()),
                resource,
                Runnable::run);
    }

    Profile profile() {
        return profile;
    }

    boolean isEmpty() {
        return profile.columns().isEmpty();
    }

    /** Calling contexts that differ only in a line are one. */
    Profile folded() {
        return folded.get(Folding.LINES);
    }

    /**
     * What every method used.
     *
     * @param resource the main one if empty
     */
    Metrics metrics(Optional<String> resource) {
        return metrics.get(resource);
    }

    /** What is known of methods that were both sampled and measured; empty if none was. */
    Optional<CallsBesideSamples> beside() {
        return CallsBesideSamples.sampled(profile)
                .map(
                        sampled -> {
                            Metrics timed = metrics(Optional.of(Resource.ELAPSED.name()));
                            return CallsBesideSamples.of(
                                    sampled,
                                    metrics(Optional.of(sampled.name())).graph(),
                                    timed.graph(),
                                    timed.countedOnly());
                        });
    }

    /** The resource that {@link #metrics} would be about. */
    Resource shown(Optional<String> resource) {
        return Metrics.column(profile, resource).map(Column::resource).orElse(otherwise);
    }

    /** Computes what was asked of an earlier state of this part, since it will be asked again. */
    void prepareLike(Part earlier) {
        earlier.metrics.asked().forEach(metrics::prepare);
        earlier.folded.asked().forEach(folded::prepare);
    }

    /** How many bytes it keeps in memory besides those of the whole, about. */
    long bytes() {
        return (ofItsOwn ? Weight.of(profile) : 0L)
                + folded.present().stream().mapToLong(Weight::of).sum()
                + metrics.present().stream().mapToLong(Weight::of).sum();
    }
}
