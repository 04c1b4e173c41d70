package dev.heatline.agent.boot;

/**
 * What a measured call costs, in nanoseconds.
 *
 * @param inner what it seems to take longer than it does
 * @param outer what it makes its caller seem to take longer, besides
 * @param hiddenInner what is added to inner where it does nothing: with something to do, the CPU
 *     does that part of the hooks' work meanwhile
 * @param hiddenOuter likewise to outer, where its caller does nothing
 * @param untimed what a call costs that is only counted
 * @param hiddenUntimed likewise what is added to untimed
 */
public record CallCosts(
        double inner,
        double outer,
        double hiddenInner,
        double hiddenOuter,
        double untimed,
        double hiddenUntimed) {}
