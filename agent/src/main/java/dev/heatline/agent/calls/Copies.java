package dev.heatline.agent.calls;

import dev.heatline.agent.boot.CallTree;
import dev.heatline.agent.boot.RegionTimes;
import dev.heatline.agent.boot.SampledTime;
import dev.heatline.agent.calls.Reached.Target;
import dev.heatline.agent.calls.Subgraph.Place;
import dev.heatline.wire.CallSnapshot.Made;
import dev.heatline.wire.CallSnapshot.Method;
import dev.heatline.wire.CallSnapshot.Tree;
import dev.heatline.wire.RegionSnapshot.Bucket;
import dev.heatline.wire.RegionSnapshot.Call;
import dev.heatline.wire.RegionSnapshot.Region;
import dev.heatline.wire.RegionSnapshot.SlowCall;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.objectweb.asm.Type;

/** What was measured, as it is told to the tool. */
final class Copies {
    private static final int LAST = 100;

    private Copies() {}

    /** The times of a single method. */
    static Region of(Method method, RegionTimes times, long startNanos) {
        List<Call> last = new ArrayList<>();
        times.readLast((start, took) -> last.add(new Call(start - startNanos, took)));
        last.sort(Comparator.comparingLong(Call::startNanos));
        return new Region(
                method,
                times.calls(),
                times.totalNanos(),
                buckets(times),
                List.copyOf(last.subList(Math.max(0, last.size() - LAST), last.size())),
                slowest(method, times));
    }

    private static List<Bucket> buckets(RegionTimes times) {
        List<Bucket> buckets = new ArrayList<>();
        for (int i = 0; i < RegionTimes.BUCKETS; i++) {
            long calls = times.inBucket(i);
            if (calls > 0) {
                buckets.add(
                        new Bucket(RegionTimes.fromNanos(i), RegionTimes.fromNanos(i + 1), calls));
            }
        }
        return buckets;
    }

    private static List<SlowCall> slowest(Method method, RegionTimes times) {
        int objects = 0;
        for (Type type : Type.getArgumentTypes(method.descriptor())) {
            objects += type.getSort() >= Type.ARRAY ? 1 : 0;
        }
        List<SlowCall> calls = new ArrayList<>();
        for (RegionTimes.Slow slow : times.slowest()) {
            List<String> types = slow.arguments();
            calls.add(
                    new SlowCall(
                            slow.tookNanos(),
                            slow.endMillis(),
                            slow.thread(),
                            List.copyOf(types.subList(0, Math.min(objects, types.size()))),
                            slow.stack()));
        }
        return calls;
    }

    /** A method by the names that people know. */
    static Method named(Target target) {
        return new Method(
                target.className().replace('/', '.'),
                target.signature().name(),
                target.signature().descriptor());
    }

    /** The contexts of a thread. What was made is apart there: it is no context. */
    static Tree of(CallTree tree, Subgraph subgraph, ObjectSizes sizes, Survivors survivors) {
        long readAt = tree.readAt();
        int underWay = tree.underWay();
        long[] places = tree.places();
        int[] order = CallTree.parentsFirst(places);
        int[] numbers = new int[places.length];
        int contexts = 1;
        for (int i : order) {
            if (method(places[i]) >= 0) {
                numbers[i] = contexts++;
            }
        }
        long[] nodes = tree.nodes();
        Tree copy = new Tree(tree.number(), tree.name(), contexts);
        for (int i : order) {
            int method = method(places[i]);
            int above = (int) places[i];
            int parent = above < numbers.length ? numbers[above] : 0;
            long calls = nodes[i * CallTree.STRIDE + CallTree.CALLS];
            long self = nodes[i * CallTree.STRIDE + CallTree.SELF];
            if (method >= 0) {
                SampledTime sampled = tree.sampled(i, calls);
                copy.set(
                        numbers[i],
                        method - subgraph.firstId(),
                        parent < numbers[i] ? parent : 0,
                        calls,
                        self,
                        tree.isSampled() ? Math.round(sampled.nanos()) : Tree.EVERY_CALL);
                copy.setInside(
                        numbers[i], Math.round(sampled.timed()), Math.round(sampled.untimed()));
                copy.setUntimed(numbers[i], tree.untimed(i));
                copy.setIdle(numbers[i], tree.knowsIdle() ? tree.idleNanos(i) : Tree.UNKNOWN);
            } else {
                Place place = subgraph.place(method);
                if (place != null && parent != 0) {
                    // Of what is no array, the bytes are known by its class.
                    long size = self > 0 ? 0 : sizes.of(place.type());
                    copy.add(
                            new Made(
                                    parent,
                                    place.type().replace('/', '.'),
                                    place.line(),
                                    calls,
                                    self > 0 ? self : calls * size,
                                    survivors.madeBy(tree, i, size)));
                }
            }
        }
        // Otherwise the thread has gone on meanwhile, and the clock was read just now.
        if (underWay < numbers.length
                && numbers[underWay] > 0
                && tree.underWay() == underWay
                && tree.readAt() == readAt) {
            addUnderWay(tree, copy, numbers[underWay], readAt);
        }
        return copy;
    }

    /** What has passed since the clock was read: who is blocked does not read it for long. */
    private static void addUnderWay(CallTree tree, Tree copy, int node, long readAt) {
        long now = System.nanoTime();
        long took = now - readAt;
        copy.set(
                node,
                copy.method(node),
                copy.parent(node),
                copy.calls(node),
                copy.selfNanos(node) + took,
                copy.estimatedNanos(node));
        if (tree.knowsIdle()) {
            long idle = Math.min(took, tree.idleUnderWay(now));
            copy.setIdle(node, copy.idleNanos(node) + idle);
        }
        for (int each = node; tree.isSampled() && each != 0; each = copy.parent(each)) {
            copy.set(
                    each,
                    copy.method(each),
                    copy.parent(each),
                    copy.calls(each),
                    copy.selfNanos(each),
                    copy.estimatedNanos(each) + took);
        }
    }

    private static int method(long place) {
        return (int) (place >>> 32);
    }
}
