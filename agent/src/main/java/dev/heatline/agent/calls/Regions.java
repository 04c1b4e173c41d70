package dev.heatline.agent.calls;

import dev.heatline.agent.boot.RegionTimes;
import dev.heatline.wire.CallSnapshot.Method;
import dev.heatline.wire.RegionSnapshot.Bucket;
import dev.heatline.wire.RegionSnapshot.Call;
import dev.heatline.wire.RegionSnapshot.Region;
import dev.heatline.wire.RegionSnapshot.SlowCall;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.objectweb.asm.Type;

/** The times of single methods, as they are told to the tool. */
final class Regions {
    private static final int LAST = 100;

    private Regions() {}

    static Region copy(Method method, RegionTimes times, long startNanos) {
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
}
