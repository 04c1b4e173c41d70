package dev.heatline.model;

import java.util.Optional;

/**
 * How many calls of every consumer and of every caller–callee pair were {@link
 * Resource#COUNTED_ONLY}. Where there are such calls, a time is only that of the others, and none
 * at all is not nothing but unknown.
 *
 * @param graph with these calls as occurrences; empty if there are none
 */
public record CountedOnly(Optional<CallGraph> graph) {

    /** Those that make times of this resource incomplete. O(nodes) if there are any. */
    public static CountedOnly of(Profile profile, Resource resource) {
        return new CountedOnly(
                column(profile, resource)
                        .map(
                                counted ->
                                        CallGraph.of(
                                                profile,
                                                new long[profile.nodeCount()],
                                                counted.self(profile.nodeCount()),
                                                null)));
    }

    /** The same as they are in the Profile; empty if this resource lacks nothing. */
    public static Optional<Column> column(Profile profile, Resource resource) {
        return resource.isTimeOfCalls()
                ? profile.column(Resource.COUNTED_ONLY.name())
                : Optional.empty();
    }

    /** Of all calls of a consumer. */
    public long calls(int consumer) {
        return graph.map(it -> it.calls(consumer)).orElse(0L);
    }

    /**
     * Of the calls of a pair.
     *
     * @param arc in a {@link CallGraph} of the same Profile and all its nodes
     */
    public long arcCalls(int arc) {
        return graph.map(it -> it.arcCalls(arc)).orElse(0L);
    }
}
