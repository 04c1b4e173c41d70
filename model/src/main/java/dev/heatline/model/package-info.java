/**
 * The one model behind everything: a {@link dev.heatline.model.Profile} is a calling-context tree
 * over typed consumers with any number of resource columns (the arcflow model AF0 of Alexander et
 * al., IBM Systems Journal 39/1, 2000).
 *
 * <p>The way of the data through this room:
 *
 * <ol>
 *   <li>{@link dev.heatline.model.ProfileBuilder} takes trees and stacks, {@link
 *       dev.heatline.model.StartEndEvents} takes start and end events; both end in a {@link
 *       dev.heatline.model.Profile}.
 *   <li>{@link dev.heatline.model.Operations} turns Profiles into Profiles: merge, diff, fold,
 *       focus, invert and so on. {@link dev.heatline.model.TruncatedStacks} and {@link
 *       dev.heatline.model.HotTree} are operations big enough for a class of their own, and {@link
 *       dev.heatline.model.Parts} focuses by the words people choose parts with.
 *   <li>{@link dev.heatline.model.CallGraph}, {@link dev.heatline.model.ThreadValues}, {@link
 *       dev.heatline.model.Tasks}, {@link dev.heatline.model.SubsumingMethods} and {@link
 *       dev.heatline.model.Accuracy} are analyses: passes over the columns with one array per
 *       result.
 * </ol>
 *
 * <p>An {@link dev.heatline.model.Execution} is the run of a program that a Profile is of, by which
 * Profiles are kept apart.
 *
 * <p>Nothing here knows where data came from, how it is stored or how it is shown; nothing here
 * needs more than the JDK.
 */
@NullMarked
package dev.heatline.model;

import org.jspecify.annotations.NullMarked;
