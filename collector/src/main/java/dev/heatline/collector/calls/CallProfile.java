package dev.heatline.collector.calls;

import dev.heatline.model.Consumer;
import dev.heatline.model.ConsumerType;
import dev.heatline.model.FrameKind;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import dev.heatline.wire.CallSnapshot;

/**
 * What was measured as a Profile: calls, and elapsed time net of what measuring took. For a context
 * that made <i>m</i> calls, t<sub>exact</sub> = t<sub>meas</sub> − t<sub>I</sub> − m t<sub>O</sub>
 * (002 §5.3). Calls that were only counted cost less, and what they took is their caller's. Where
 * there is nothing to do between two hooks, they take longer than where the CPU works on them
 * meanwhile: both are known, and what lies between them is taken for in between.
 *
 * <p>Where times were sampled, the agent has estimated what the calls of a context took with all
 * that they called, and the context itself has what is left when what it called is subtracted.
 */
public final class CallProfile {
    /** Elapsed time, corrected. */
    public static final Resource ELAPSED = Resource.seconds("elapsed", Resource.CALLS.name());

    /** Elapsed time with what the hooks took. */
    public static final Resource MEASURED = Resource.seconds("measured", Resource.CALLS.name());

    /** The part of the corrected time in which the thread was running, where that is known. */
    public static final Resource RUNNING = Resource.seconds("running", Resource.CALLS.name());

    /** Objects that were made. */
    public static final Resource ALLOCATIONS = Resource.count("allocations");

    /** Their bytes. */
    public static final Resource ALLOCATED = Resource.bytes("allocated", ALLOCATIONS.name());

    private CallProfile() {}

    public static Profile of(CallSnapshot snapshot) {
        ProfileBuilder builder = new ProfileBuilder();
        int[] consumers = new int[snapshot.methods().size()];
        for (int i = 0; i < consumers.length; i++) {
            CallSnapshot.Method method = snapshot.methods().get(i);
            consumers[i] =
                    builder.consumer(
                            Consumer.method(
                                    method.className(), method.name(), method.descriptor()));
        }
        for (CallSnapshot.Tree tree : snapshot.trees()) {
            add(builder, consumers, tree, netNanos(tree, snapshot.costs()));
        }
        Provenance provenance = Provenance.NONE;
        for (var count : snapshot.counts().entrySet()) {
            provenance = provenance.withCount(count.getKey(), count.getValue());
        }
        return builder.build(provenance);
    }

    private static void add(
            ProfileBuilder builder, int[] consumers, CallSnapshot.Tree tree, double[] netNanos) {
        int thread = builder.consumer(Consumer.thread("", tree.thread()));
        int[] places = new int[tree.size()];
        places[0] = Profile.ROOT;
        for (int node = 1; node < tree.size(); node++) {
            int place =
                    builder.child(
                            places[tree.parent(node)], consumers[tree.method(node)], Site.NONE);
            places[node] = place;
            builder.column(Resource.CALLS).add(place, thread, tree.calls(node));
            builder.column(ELAPSED).add(place, thread, Math.round(netNanos[node]));
            if (tree.idleNanos(node) != CallSnapshot.Tree.UNKNOWN) {
                double running = netNanos[node] - idleNanos(tree, node, netNanos[node]);
                builder.column(RUNNING).add(place, thread, Math.max(0, Math.round(running)));
            }
            builder.column(MEASURED).add(place, thread, Math.max(0, tree.selfNanos(node)));
        }
        for (CallSnapshot.Made made : tree.made()) {
            // The line is the maker's.
            int maker =
                    builder.child(
                            places[tree.parent(made.node())],
                            consumers[tree.method(made.node())],
                            Site.of(made.line(), FrameKind.UNKNOWN));
            Consumer type = new Consumer(ConsumerType.CLASS, "", made.className(), "");
            int place = builder.child(maker, builder.consumer(type), Site.NONE);
            builder.column(ALLOCATIONS).add(place, thread, made.objects());
            builder.column(ALLOCATED).add(place, thread, made.bytes());
        }
    }

    /** Where times were sampled, others were as idle as those that were timed. */
    private static double idleNanos(CallSnapshot.Tree tree, int node, double netNanos) {
        long idle = tree.idleNanos(node);
        boolean every = tree.estimatedNanos(node) == CallSnapshot.Tree.EVERY_CALL;
        return every ? idle : netNanos * idle / Math.max(1, tree.selfNanos(node));
    }

    /** What the calls of each context took by themselves. */
    static double[] netNanos(CallSnapshot.Tree tree, CallSnapshot.Costs costs) {
        double[] net = new double[tree.size()];
        double[] hidden = new double[tree.size()];
        for (int node = 1; node < net.length; node++) {
            int parent = tree.parent(node);
            long estimated = tree.estimatedNanos(node);
            if (estimated == CallSnapshot.Tree.EVERY_CALL) {
                long untimed = tree.untimed(node);
                long timed = tree.calls(node) - untimed;
                net[node] += tree.selfNanos(node) - timed * costs.inner();
                hidden[node] += timed * costs.hiddenInner();
                net[parent] -= timed * costs.outer() + untimed * costs.untimed();
                hidden[parent] += timed * costs.hiddenOuter();
            } else {
                net[node] += estimated;
                net[parent] -= estimated;
            }
        }
        for (int node = 1; node < net.length; node++) {
            net[node] = withoutHidden(net[node], hidden[node]);
        }
        net[0] = 0;
        return net;
    }

    /**
     * What is left where a context does so little that the hooks' work is not hidden by it: nothing
     * of what the hooks take alone, all of twice that or more, and what lies between in between.
     */
    private static double withoutHidden(double net, double hidden) {
        return net >= 2 * hidden ? net : Math.max(0, 2 * (net - hidden));
    }
}
