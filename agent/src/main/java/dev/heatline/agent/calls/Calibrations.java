package dev.heatline.agent.calls;

import dev.heatline.agent.boot.Calibration;
import dev.heatline.agent.boot.CallCosts;
import dev.heatline.agent.boot.CallHooks;
import dev.heatline.wire.CallSnapshot;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What calls cost, found out again and again while they are measured. Each time it is looked until
 * the compilers have done with the hooks what they will do: a class that is changed may throw their
 * code away, on JDK 17 all of it. How long it took to find out tells how far they are. Of the last
 * times, the one that took neither long nor short counts, since what else the machine does is in
 * some of them.
 */
final class Calibrations {
    /** The compilers need about so long between two looks. */
    static final long PAUSE_MILLIS = 20;

    private static final int LEAST = 3;
    private static final int MOST = 10;
    private static final double SETTLED = 0.98;
    private static final int KEPT = 5;

    private record Found(CallCosts costs, long tookNanos) {}

    private final Deque<Found> last = new ArrayDeque<>();

    /** Of the looks so far of this time, the quickest; null before the first. */
    private @Nullable Found best;

    private int looks;
    private volatile CallSnapshot.Costs costs = CallSnapshot.Costs.NONE;

    /** As far as they are known. */
    CallSnapshot.Costs costs() {
        return costs;
    }

    /** Finds them out at once; to be called by a thread whose calls are nobody's. */
    void calibrate() {
        while (!lookOnce()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
        }
    }

    /**
     * Looks once, which takes some milliseconds; likewise.
     *
     * @return whether that is enough; otherwise it is to be called again, after a pause
     */
    synchronized boolean lookOnce() {
        Found next = once();
        Found before = best == null ? next : best;
        looks++;
        best = next.tookNanos < before.tookNanos ? next : before;
        boolean asUsual = !last.isEmpty() && SETTLED * next.tookNanos <= usual().tookNanos;
        boolean noQuicker = looks >= LEAST && next.tookNanos > SETTLED * before.tookNanos;
        if (!asUsual && !noQuicker && looks < MOST) {
            return false;
        }
        keep(best);
        best = null;
        looks = 0;
        return true;
    }

    private void keep(Found found) {
        last.addLast(found);
        if (last.size() > KEPT) {
            last.removeFirst();
        }
        CallCosts usual = usual().costs;
        CallHooks.costs(usual);
        costs =
                new CallSnapshot.Costs(
                        usual.inner(),
                        usual.outer(),
                        usual.hiddenInner(),
                        usual.hiddenOuter(),
                        usual.untimed(),
                        usual.hiddenUntimed());
    }

    /** Of those that are kept. */
    private Found usual() {
        List<Found> sorted =
                last.stream().sorted(Comparator.comparingLong(Found::tookNanos)).toList();
        return sorted.get((sorted.size() - 1) / 2);
    }

    private static Found once() {
        long start = System.nanoTime();
        CallCosts found = Calibration.run();
        return new Found(found, System.nanoTime() - start);
    }
}
