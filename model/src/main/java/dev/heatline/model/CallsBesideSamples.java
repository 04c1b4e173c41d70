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
    private final boolean alike;

    private CallsBesideSamples(
            Resource sampled,
            CallGraph samples,
            CallGraph timed,
            CountedOnly countedOnly,
            boolean alike) {
        this.sampled = sampled;
        this.samples = samples;
        this.timed = timed;
        this.countedOnly = countedOnly;
        this.alike = alike;
    }

    /** What counts the samples of a Profile that has both; empty if it has not. */
    public static Optional<Resource> sampled(Profile profile) {
        return Stream.of("cpu-samples", Resource.SAMPLES.name())
                .flatMap(name -> profile.column(name).stream())
                .map(Column::resource)
                .filter(_ -> profile.column(Resource.ELAPSED.name()).isPresent())
                .findFirst();
    }

    /** Empty if a Profile has not both. O(nodes). */
    public static Optional<CallsBesideSamples> of(Profile profile) {
        return sampled(profile)
                .map(
                        samples -> {
                            Column elapsed = profile.requireColumn(Resource.ELAPSED.name());
                            return of(
                                    samples,
                                    CallGraph.of(profile, profile.requireColumn(samples.name())),
                                    CallGraph.of(profile, elapsed),
                                    CountedOnly.of(profile, elapsed.resource()));
                        });
    }

    /**
     * As above, of what is made already.
     *
     * @param samples of what {@link #sampled} answers
     * @param timed of elapsed time
     * @param countedOnly likewise
     */
    public static CallsBesideSamples of(
            Resource sampled, CallGraph samples, CallGraph timed, CountedOnly countedOnly) {
        return new CallsBesideSamples(sampled, samples, timed, countedOnly, true);
    }

    /**
     * The same where samples were taken for much longer than calls were measured, or the other way
     * round: what a call takes is known still, and how many there are for each sample is not.
     */
    public CallsBesideSamples ofOtherTime() {
        return new CallsBesideSamples(sampled, samples, timed, countedOnly, false);
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

    /** Calls for each sample; 0 if that is not known. */
    public double callsPerSample(int consumer) {
        return alike && samples(consumer) > 0 ? (double) calls(consumer) / samples(consumer) : 0;
    }

    /** What a call took, in nanoseconds, on average over those that were timed; 0 if none was. */
    public double nanosPerCall(int consumer) {
        long known = calls(consumer) - countedOnly.calls(consumer);
        return known <= 0 ? 0 : (double) timed.cum(consumer) / known;
    }
}
