/**
 * Questions about what is stored, and their answers as JSON.
 *
 * <p>The way of a question: {@code Params} checks the parameters, {@code Questions} makes a {@link
 * dev.heatline.server.query.Scope} (which stored profiles) and a {@code Filter} (which part of
 * them) of these, {@code Selections} has the merged profile of the scope, or makes it, as a {@code
 * Snapshot} that never changes, the snapshot has the {@code Part} behind the filter, and the
 * classes called {@code …Answers} write it down. What {@code heatline report} shows is written by
 * the same code or under the same names.
 *
 * <p>Answers are computed by threads of the system, not by the virtual threads that serve
 * connections: there are only as many carriers of those as cores, and a question about a large tree
 * must not keep one from the many small ones.
 */
@NullMarked
package dev.heatline.server.query;

import org.jspecify.annotations.NullMarked;
