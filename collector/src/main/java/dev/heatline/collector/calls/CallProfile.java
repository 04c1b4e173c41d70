package dev.heatline.collector.calls;

import dev.heatline.model.Consumer;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import dev.heatline.wire.CallSnapshot;

/**
 * What was measured as a Profile: calls, and elapsed time net of what measuring took. For a context
 * that made <i>m</i> calls, t<sub>exact</sub> = t<sub>meas</sub> − t<sub>I</sub> − m t<sub>O</sub>
 * (002 §5.3).
 *
 * <p>Where times were sampled, the agent has estimated what the calls of a context took with all
 * that they called, and the context itself has what is left when what it called is subtracted.
 */
public final class CallProfile {
    /** Elapsed time, corrected. */
    public static final Resource ELAPSED = Resource.seconds("elapsed", Resource.CALLS.name());

    /** Elapsed time with what the hooks took. */
    public static final Resource MEASURED = Resource.seconds("measured", Resource.CALLS.name());

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
            add(builder, consumers, tree, netNanos(tree, snapshot));
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
            int consumer = consumers[tree.method(node)];
            int place = builder.child(places[tree.parent(node)], consumer, Site.NONE);
            places[node] = place;
            long calls = tree.calls(node);
            builder.column(Resource.CALLS).add(place, thread, calls);
            builder.column(ELAPSED).add(place, thread, Math.max(0, Math.round(netNanos[node])));
            builder.column(MEASURED).add(place, thread, Math.max(0, tree.selfNanos(node)));
        }
    }

    /** What the calls of each context took by themselves; less than nothing where costs do more. */
    static double[] netNanos(CallSnapshot.Tree tree, CallSnapshot costs) {
        double[] net = new double[tree.size()];
        for (int node = 1; node < net.length; node++) {
            int parent = tree.parent(node);
            long estimated = tree.estimatedNanos(node);
            if (estimated == CallSnapshot.Tree.EVERY_CALL) {
                net[node] += tree.selfNanos(node) - tree.calls(node) * costs.innerNanos();
                net[parent] -= tree.calls(node) * costs.outerNanos();
            } else {
                net[node] += estimated;
                net[parent] -= estimated;
            }
        }
        net[0] = 0;
        return net;
    }
}
