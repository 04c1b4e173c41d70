package dev.heatline.collector.calls;

import dev.heatline.model.Consumer;
import dev.heatline.model.ConsumerType;
import dev.heatline.model.FrameKind;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import dev.heatline.model.Survival;
import dev.heatline.wire.CallSnapshot;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

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
    public static final Resource ELAPSED = Resource.ELAPSED;

    /** Elapsed time with what the hooks took, where every call was timed. */
    public static final Resource MEASURED = Resource.seconds("measured", Resource.CALLS.name());

    /** The part of the corrected time in which the thread was running, where that is known. */
    public static final Resource RUNNING = Resource.seconds("running", Resource.CALLS.name());

    /** Objects that were made. */
    public static final Resource ALLOCATIONS = Resource.count("allocations");

    /** Their bytes. */
    public static final Resource ALLOCATED = Resource.bytes("allocated", ALLOCATIONS.name());

    /** Of the objects that are tracked: all that are still there, estimated. */
    public static final Resource LIVE = Survival.LIVE;

    /** Their bytes. */
    public static final Resource LIVE_BYTES = Survival.LIVE_BYTES;

    /** Fewer calls do not tell what others took. */
    private static final int ENOUGH_CALLS = 10;

    private static final double ENOUGH_OF_ALL = 0.1;

    /** Of so many calls, those that have not ended are a small part. */
    private static final long OFTEN = 100;

    /** Who takes that many times what is hidden hides all of it. */
    private static final double HIDING = 1.5;

    private CallProfile() {}

    /** Of all that was measured. */
    public static Profile of(CallSnapshot snapshot) {
        return of(snapshot, Optional.empty());
    }

    /**
     * Of all calls, with the times of those after an earlier look: calls before it are taken for
     * such where there are enough.
     *
     * @param settled that look, at which changed code had been compiled again; empty if all times
     *     count
     */
    static Profile of(CallSnapshot snapshot, Optional<CallSnapshot> settled) {
        ProfileBuilder builder = new ProfileBuilder();
        int[] consumers = new int[snapshot.methods().size()];
        for (int i = 0; i < consumers.length; i++) {
            CallSnapshot.Method method = snapshot.methods().get(i);
            consumers[i] =
                    builder.consumer(
                            Consumer.method(
                                    method.className(), method.name(), method.descriptor()));
        }
        Map<Integer, CallSnapshot.Tree> earlier = new HashMap<>();
        settled.ifPresent(look -> look.trees().forEach(tree -> earlier.put(tree.number(), tree)));
        for (CallSnapshot.Tree tree : snapshot.trees()) {
            double[] net = netNanos(tree, snapshot.costs());
            double[] idle = idleNanos(tree, net);
            long[] counted = countedOnly(tree);
            CallSnapshot.Tree before = earlier.get(tree.number());
            if (before != null) {
                CallSnapshot.Tree since = since(tree, before, places(tree, before));
                double[] late = netNanos(since, snapshot.costs());
                settle(tree, net, since, late);
                settle(tree, idle, since, idleNanos(since, late));
                settle(tree, counted, since);
            }
            add(builder, consumers, tree, net, idle, counted);
        }
        Provenance provenance = Provenance.NONE;
        for (var count : snapshot.counts().entrySet()) {
            provenance = provenance.withCount(count.getKey(), count.getValue());
        }
        return builder.build(provenance);
    }

    private static void add(
            ProfileBuilder builder,
            int[] consumers,
            CallSnapshot.Tree tree,
            double[] netNanos,
            double[] idleNanos,
            long[] countedOnly) {
        int thread = builder.consumer(Consumer.thread("", tree.thread()));
        int[] places = new int[tree.size()];
        places[0] = Profile.ROOT;
        for (int node = 1; node < tree.size(); node++) {
            int place =
                    builder.child(
                            places[tree.parent(node)], consumers[tree.method(node)], Site.NONE);
            places[node] = place;
            builder.column(Resource.CALLS).add(place, thread, tree.calls(node));
            builder.column(Resource.COUNTED_ONLY).add(place, thread, countedOnly[node]);
            builder.column(ELAPSED).add(place, thread, Math.round(netNanos[node]));
            if (tree.idleNanos(node) != CallSnapshot.Tree.UNKNOWN) {
                long running = Math.round(netNanos[node] - idleNanos[node]);
                builder.column(RUNNING).add(place, thread, Math.max(0, running));
            }
            if (!tree.isSampled()) {
                builder.column(MEASURED).add(place, thread, Math.max(0, tree.selfNanos(node)));
            }
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
            addSurvival(builder, place, thread, made.survival());
        }
    }

    private static void addSurvival(
            ProfileBuilder builder, int made, int thread, CallSnapshot.Survival survival) {
        builder.column(Survival.TRACKED).add(made, thread, survival.tracked());
        for (CallSnapshot.Aged aged : survival.alive()) {
            if (aged.collections() == 0) {
                builder.column(Survival.UNDECIDED).add(made, thread, aged.objects());
            } else {
                Consumer age = Survival.of(aged.collections());
                int place = builder.child(made, builder.consumer(age), Site.NONE);
                builder.column(LIVE).add(place, thread, aged.objects());
                builder.column(LIVE_BYTES).add(place, thread, aged.bytes());
            }
        }
    }

    /** Where times were sampled, those of calls that were not timed are estimated. */
    private static long[] countedOnly(CallSnapshot.Tree tree) {
        long[] counted = new long[tree.size()];
        for (int node = 1; node < counted.length; node++) {
            counted[node] = tree.isSampled() ? 0 : tree.untimed(node);
        }
        return counted;
    }

    /**
     * For how much of what they took the threads were not running; 0 where that is not known. Where
     * times were sampled, others were as idle as those that were timed.
     */
    private static double[] idleNanos(CallSnapshot.Tree tree, double[] netNanos) {
        double[] idle = new double[tree.size()];
        for (int node = 1; node < idle.length; node++) {
            long seen = Math.max(0, tree.idleNanos(node));
            double part = (double) seen / Math.max(1, tree.selfNanos(node));
            idle[node] = tree.isSampled() ? netNanos[node] * part : seen;
        }
        return idle;
    }

    /**
     * What was added to the tree of a thread since an earlier look.
     *
     * @param then where each context was at that look; 0 if it was not there
     */
    private static CallSnapshot.Tree since(
            CallSnapshot.Tree tree, CallSnapshot.Tree before, int[] then) {
        CallSnapshot.Tree added = new CallSnapshot.Tree(tree.number(), tree.thread(), tree.size());
        for (int node = 1; node < tree.size(); node++) {
            int was = then[node];
            added.set(
                    node,
                    tree.method(node),
                    tree.parent(node),
                    tree.calls(node) - before.calls(was),
                    tree.selfNanos(node) - before.selfNanos(was),
                    tree.isSampled()
                            ? Math.max(0, tree.estimatedNanos(node) - before.estimatedNanos(was))
                            : CallSnapshot.Tree.EVERY_CALL);
            added.setUntimed(node, tree.untimed(node) - before.untimed(was));
            added.setIdle(node, tree.idleNanos(node) - Math.max(0, before.idleNanos(was)));
        }
        return added;
    }

    /**
     * Replaces values of all calls of each context by what as many calls would have of those since
     * an earlier look, where those are enough to tell. Compiled code takes no longer than it did
     * before: what seems to was met by something rare.
     */
    private static void settle(
            CallSnapshot.Tree tree, double[] values, CallSnapshot.Tree since, double[] late) {
        for (int node = 1; node < tree.size(); node++) {
            if (isTold(tree, since, node)) {
                double each = late[node] / since.calls(node);
                values[node] = Math.min(values[node], each * tree.calls(node));
            }
        }
    }

    /**
     * The same for calls that were counted only. What is timed no more since that look is known of
     * no call, as earlier ones took what their callers are said to.
     */
    private static void settle(
            CallSnapshot.Tree tree, long[] countedOnly, CallSnapshot.Tree since) {
        long[] late = countedOnly(since);
        for (int node = 1; node < tree.size(); node++) {
            if (isTold(tree, since, node)) {
                double part = (double) late[node] / since.calls(node);
                long all = Math.round(part * tree.calls(node));
                countedOnly[node] = Math.max(countedOnly[node], all);
            }
        }
    }

    /** Whether the calls since an earlier look tell what those before it would have taken. */
    private static boolean isTold(CallSnapshot.Tree tree, CallSnapshot.Tree since, int node) {
        long calls = tree.calls(node);
        long after = since.calls(node);
        return after >= ENOUGH_CALLS && after >= ENOUGH_OF_ALL * calls && after < calls;
    }

    /** The numbers that contexts have in an earlier tree of the same thread. */
    private static int[] places(CallSnapshot.Tree tree, CallSnapshot.Tree before) {
        Map<Long, Integer> known = new HashMap<>();
        for (int node = 1; node < before.size(); node++) {
            known.put(key(before.parent(node), before.method(node)), node);
        }
        int[] then = new int[tree.size()];
        for (int node = 1; node < tree.size(); node++) {
            int parent = tree.parent(node);
            if (parent == 0 || then[parent] != 0) {
                then[node] = known.getOrDefault(key(then[parent], tree.method(node)), 0);
            }
        }
        return then;
    }

    private static long key(int parent, int method) {
        return (long) parent << 32 | method;
    }

    /** What the calls of each context took by themselves. */
    static double[] netNanos(CallSnapshot.Tree tree, CallSnapshot.Costs costs) {
        return tree.isSampled() ? netOfEstimated(tree, costs) : netOfMeasured(tree, costs);
    }

    private static double[] netOfMeasured(CallSnapshot.Tree tree, CallSnapshot.Costs costs) {
        double[] net = new double[tree.size()];
        double[] hidden = new double[tree.size()];
        for (int node = 1; node < net.length; node++) {
            int parent = tree.parent(node);
            long untimed = tree.untimed(node);
            long timed = tree.calls(node) - untimed;
            net[node] += tree.selfNanos(node) - timed * costs.inner();
            hidden[node] += timed * costs.hiddenInner();
            net[parent] -= timed * costs.outer() + untimed * costs.untimed();
            hidden[parent] += timed * costs.hiddenOuter() + untimed * costs.hiddenUntimed();
        }
        for (int node = 1; node < net.length; node++) {
            net[node] = withoutHidden(net[node], hidden[node]);
        }
        net[0] = 0;
        return net;
    }

    /**
     * Estimates are net already, but for what is hidden where there is something to do. Most of
     * what a context calls was only counted then: between two looks at the clock there is all that
     * it did with what it called.
     */
    private static double[] netOfEstimated(CallSnapshot.Tree tree, CallSnapshot.Costs costs) {
        double[] all = new double[tree.size()];
        double[] hidden = new double[tree.size()];
        double[] hiddenBelow = new double[tree.size()];
        for (int node = all.length - 1; node > 0; node--) {
            int parent = tree.parent(node);
            hidden[node] = hiddenBelow[node] + tree.calls(node) * costs.hiddenInner();
            all[node] = withoutHidden((double) tree.estimatedNanos(node), hidden[node]);
            hiddenBelow[parent] += hiddenBelow[node] + tree.calls(node) * costs.hiddenUntimed();
        }
        fitIntoCallers(tree, costs, all, hidden);
        double[] net = new double[tree.size()];
        double[] below = new double[tree.size()];
        for (int node = net.length - 1; node > 0; node--) {
            net[node] = Math.max(0, all[node] - below[node]);
            below[tree.parent(node)] += net[node] + below[node];
        }
        return net;
    }

    /**
     * What many short calls took is better known by who made them: in that, the clock was read for
     * few of them. So if they seem to have taken more than their caller, each takes its part of
     * that less, as far as the hooks can be the reason. Calls of the caller that have not ended may
     * be another one, where it was not called often.
     *
     * @param all what each context took with all that it called
     * @param hidden what the hooks may hide in that
     */
    private static void fitIntoCallers(
            CallSnapshot.Tree tree, CallSnapshot.Costs costs, double[] all, double[] hidden) {
        double[] called = new double[all.length];
        double[] room = new double[all.length];
        double[] roomOfCalled = new double[all.length];
        for (int node = 1; node < all.length; node++) {
            int caller = tree.parent(node);
            boolean isOften = tree.calls(caller) >= OFTEN;
            double hooks = isOften ? tree.calls(node) * costs.pair() : hidden[node];
            room[node] = Math.min(all[node], hooks);
            called[caller] += all[node];
            roomOfCalled[caller] += room[node];
        }
        for (int node = 1; node < all.length; node++) {
            int caller = tree.parent(node);
            double excess = called[caller] - all[caller];
            if (all[caller] > 0 && excess > 0 && excess <= roomOfCalled[caller]) {
                all[node] -= excess * room[node] / roomOfCalled[caller];
            }
        }
    }

    /**
     * What is left where a context does so little that the hooks' work is not hidden by it: nothing
     * of what the hooks take alone, all of one and a half times that or more, and what lies between
     * in between. Methods of known lengths show that: what the CPU can do of the hooks' work
     * meanwhile grows with their length, until that is about one and a half times the work.
     */
    private static double withoutHidden(double net, double hidden) {
        return net >= HIDING * hidden ? net : Math.max(0, HIDING / (HIDING - 1) * (net - hidden));
    }
}
