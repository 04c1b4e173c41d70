package dev.heatline.model;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is known of consumers that were both sampled and measured call by call. Samples say what
 * takes the time; calls for each sample and the time of a call say whether that is because it is
 * called often or because it takes long. Both are with all that a consumer called.
 */
public final class CallsBesideSamples {
    private final Resource sampled;
    private final CallGraph samples;
    private final CallGraph timed;
    private final CountedOnly countedOnly;

    private CallsBesideSamples(Profile profile, Column samples, Column elapsed) {
        this.sampled = samples.resource();
        this.samples = CallGraph.of(profile, samples);
        this.timed = CallGraph.of(profile, elapsed);
        this.countedOnly = CountedOnly.of(profile, elapsed.resource());
    }

    /** Empty if a Profile has not both. O(nodes). */
    public static Optional<CallsBesideSamples> of(Profile profile) {
        Optional<Column> samples =
                Stream.of("cpu-samples", Resource.SAMPLES.name())
                        .flatMap(name -> profile.column(name).stream())
                        .findFirst();
        return samples.flatMap(
                some ->
                        profile.column(Resource.ELAPSED.name())
                                .map(elapsed -> new CallsBesideSamples(profile, some, elapsed)));
    }

    /** What counts the samples. */
    public Resource sampled() {
        return sampled;
    }

    /** How often a consumer was called. */
    public long calls(int consumer) {
        return timed.calls(consumer);
    }

    /** In how many samples it was found. */
    public long samples(int consumer) {
        return samples.cum(consumer);
    }

    /** Calls for each sample; 0 if it was not seen in both ways. */
    public double callsPerSample(int consumer) {
        return samples(consumer) == 0 ? 0 : (double) calls(consumer) / samples(consumer);
    }

    /** What a call took, in nanoseconds, on average over those that were timed; 0 if none was. */
    public double nanosPerCall(int consumer) {
        long known = calls(consumer) - countedOnly.calls(consumer);
        return known <= 0 ? 0 : (double) timed.cum(consumer) / known;
    }
}
