package dev.heatline.formats;

import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;

/**
 * Says what a format is expected to keep of a Profile. Nodes without any value in their subtree are
 * dropped, since formats made of stacks have no place for them.
 *
 * @param resource what each resource becomes, if it is kept
 * @param consumer what each consumer of a node becomes
 * @param thread what each thread becomes
 * @param site what each site becomes
 * @param provenance what the provenance becomes
 */
record Expected(
        Function<Resource, Optional<Resource>> resource,
        UnaryOperator<Consumer> consumer,
        UnaryOperator<Consumer> thread,
        IntUnaryOperator site,
        UnaryOperator<Provenance> provenance) {

    static final Expected EVERYTHING =
            new Expected(
                    Optional::of,
                    UnaryOperator.identity(),
                    UnaryOperator.identity(),
                    IntUnaryOperator.identity(),
                    UnaryOperator.identity());

    Expected withResource(Function<Resource, Optional<Resource>> other) {
        return new Expected(other, consumer, thread, site, provenance);
    }

    Expected withConsumer(UnaryOperator<Consumer> other) {
        return new Expected(resource, other, thread, site, provenance);
    }

    Expected withThread(UnaryOperator<Consumer> other) {
        return new Expected(resource, consumer, other, site, provenance);
    }

    Expected withSite(IntUnaryOperator other) {
        return new Expected(resource, consumer, thread, other, provenance);
    }

    Expected withProvenance(UnaryOperator<Provenance> other) {
        return new Expected(resource, consumer, thread, site, other);
    }

    /** What is kept of this Profile. */
    Profile of(Profile profile) {
        ProfileBuilder builder = new ProfileBuilder().consumerLabel(profile.consumerLabel());
        int[] newNode = new int[profile.nodeCount()];
        Arrays.fill(newNode, Profile.NO_NODE);
        newNode[Profile.ROOT] = Profile.ROOT;
        for (Column column : profile.columns()) {
            resource.apply(column.resource())
                    .ifPresent(kept -> add(profile, column, kept, builder, newNode));
        }
        return builder.build(provenance.apply(profile.provenance()));
    }

    private void add(
            Profile profile, Column column, Resource kept, ProfileBuilder builder, int[] newNode) {
        for (int row = 0; row < column.rows(); row++) {
            int id = column.thread(row);
            builder.column(kept)
                    .add(
                            node(profile, column.node(row), builder, newNode),
                            id == Column.NO_THREAD
                                    ? id
                                    : builder.consumer(thread.apply(profile.consumerAt(id))),
                            column.value(row));
        }
    }

    private int node(Profile profile, int node, ProfileBuilder builder, int[] newNode) {
        ArrayDeque<Integer> missing = new ArrayDeque<>();
        int at = node;
        while (newNode[at] == Profile.NO_NODE) {
            missing.push(at);
            at = profile.parent(at);
        }
        for (int next : missing) {
            newNode[next] =
                    builder.child(
                            newNode[profile.parent(next)],
                            builder.consumer(consumer.apply(profile.consumerOf(next))),
                            site.applyAsInt(profile.site(next)));
        }
        return newNode[node];
    }

    /** The total of a resource on each thread, by name; no thread is the empty name's null. */
    static Map<String, Long> totalsByThread(Profile profile, String resource) {
        Map<String, Long> totals = new TreeMap<>();
        profile.column(resource)
                .ifPresent(
                        column -> {
                            for (int row = 0; row < column.rows(); row++) {
                                int id = column.thread(row);
                                String thread =
                                        id == Column.NO_THREAD
                                                ? "no thread"
                                                : "thread " + profile.consumerAt(id).name();
                                totals.merge(thread, column.value(row), Long::sum);
                            }
                        });
        return totals;
    }
}
