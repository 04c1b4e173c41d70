package dev.heatline.agent.boot;

/**
 * What all calls of a context took, as far as those tell that were timed.
 *
 * @param nanos with what they called and the hooks in all of that
 * @param timed how many timed calls there would have been in them, had they all been timed
 * @param untimed how many others, which were only counted
 */
public record SampledTime(double nanos, double timed, double untimed) {
    static final SampledTime NONE = new SampledTime(0, 0, 0);
}
