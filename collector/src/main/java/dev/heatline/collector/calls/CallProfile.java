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
import java.util.List;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;

/**
 * What was measured as a Profile: calls, and elapsed time net of what measuring took, as {@link
 * NetTimes} tells, and {@link RootComparison} where it knows more.
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
        return of(snapshot, settled, RootComparison.of(snapshot, settled));
    }

    /**
     * The same.
     *
     * @param comparisons of both, made already
     */
    static Profile of(
            CallSnapshot snapshot,
            Optional<CallSnapshot> settled,
            List<RootComparison> comparisons) {
        ProfileBuilder builder = new ProfileBuilder();
        int[] consumers = new int[snapshot.methods().size()];
        for (int i = 0; i < consumers.length; i++) {
            CallSnapshot.Method method = snapshot.methods().get(i);
            consumers[i] =
                    builder.consumer(
                            Consumer.method(
                                    method.className(), method.name(), method.descriptor()));
        }
        Optional<TreesSince> earlier = settled.map(TreesSince::new);
        IntToDoubleFunction factors = RootComparison.factors(comparisons);
        IntToDoubleFunction idleParts = RootComparison.idleParts(comparisons);
        for (CallSnapshot.Tree tree : snapshot.trees()) {
            double[] net = NetTimes.of(tree, snapshot.costs(), factors);
            double[] idle = idleNanos(tree, net);
            leaveOutIdle(tree, net, idle, idleParts);
            long[] counted = countedOnly(tree);
            if (earlier.isPresent() && earlier.get().knows(tree)) {
                CallSnapshot.Tree since = earlier.get().of(tree);
                double[] late = NetTimes.of(since, snapshot.costs(), factors);
                boolean[] sure = below(tree, comparisons);
                double[] lateIdle = idleNanos(since, late);
                leaveOutIdle(since, late, lateIdle, idleParts);
                settle(tree, net, since, late, sure);
                settle(tree, idle, since, lateIdle, sure);
                settle(tree, counted, since);
            }
            add(builder, consumers, tree, net, idle, counted);
        }
        Provenance provenance = Provenance.NONE;
        for (var count : snapshot.counts().entrySet()) {
            provenance = provenance.withCount(count.getKey(), count.getValue());
        }
        for (RootComparison comparison : comparisons) {
            provenance = provenance.withFact(Provenance.ROOTS_ALONE, comparison.text());
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
    static double[] idleNanos(CallSnapshot.Tree tree, double[] netNanos) {
        double[] idle = new double[tree.size()];
        for (int node = 1; node < idle.length; node++) {
            long seen = Math.max(0, tree.idleNanos(node));
            double part = (double) seen / Math.max(1, tree.selfNanos(node));
            idle[node] = tree.isSampled() ? netNanos[node] * part : seen;
        }
        return idle;
    }

    /** Takes away the time for which threads would have run without the hooks. */
    private static void leaveOutIdle(
            CallSnapshot.Tree tree,
            double[] netNanos,
            double[] idleNanos,
            IntToDoubleFunction partByRoot) {
        double[] part = new double[tree.size()];
        for (int node = 1; node < part.length; node++) {
            int parent = tree.parent(node);
            part[node] = parent == 0 ? partByRoot.applyAsDouble(tree.method(node)) : part[parent];
            double less = (1 - part[node]) * idleNanos[node];
            idleNanos[node] -= less;
            netNanos[node] = Math.max(0, netNanos[node] - less);
        }
    }

    /** Which contexts are below a root of which it is known what it takes alone. */
    private static boolean[] below(CallSnapshot.Tree tree, List<RootComparison> comparisons) {
        boolean[] below = new boolean[tree.size()];
        for (int node = 1; node < below.length; node++) {
            int method = tree.method(node);
            below[node] =
                    tree.parent(node) == 0
                            ? comparisons.stream().anyMatch(each -> each.isUsedFor(method))
                            : below[tree.parent(node)];
        }
        return below;
    }

    /**
     * Replaces values of all calls of each context by what as many calls would have of those since
     * an earlier look, where those are enough to tell. Compiled code takes no longer than it did
     * before: what seems to was met by something rare, unless it is sure.
     */
    private static void settle(
            CallSnapshot.Tree tree,
            double[] values,
            CallSnapshot.Tree since,
            double[] late,
            boolean[] sure) {
        for (int node = 1; node < tree.size(); node++) {
            if (isTold(tree, since, node)) {
                double all = late[node] / since.calls(node) * tree.calls(node);
                values[node] = sure[node] ? all : Math.min(values[node], all);
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
}
