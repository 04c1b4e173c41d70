package dev.heatline.collector.calls;

import dev.heatline.wire.CallSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToDoubleFunction;

/**
 * A root while it was measured beside the same root alone. What the hooks took is as much as makes
 * the corrected time of an outermost call the same as alone, where both are known well and the
 * hooks took a notable part; otherwise calibration is the better guess. Compared is the time for
 * which threads were running, and apart from it that for which they were not: a program that runs
 * for longer loses its CPU to others more often.
 *
 * @param method the root's number
 * @param root its name
 * @param alone what it takes by itself
 * @param factor how many times the calibrated costs are subtracted; where times were sampled, that
 *     of counting a call
 * @param sampled whether they were
 * @param idlePart how much of the time for which threads did not run they would not have run alone
 * @param obstacle why that is not found out from both; empty if it is
 */
record RootComparison(
        int method,
        String root,
        CallSnapshot.Alone alone,
        double factor,
        boolean sampled,
        double idlePart,
        String obstacle) {
    /** Fewer calls are not enough, neither measured nor alone. */
    private static final long ENOUGH_CALLS = 20;

    /** The standard error of both means together, as a part of them. */
    private static final double MOST_ERROR = 0.05;

    private static final double ALL = 1;

    /** Of a smaller part, calibration knows enough. */
    private static final double NOTABLE_PART = 0.2;

    /** All that were timed alone. */
    static List<RootComparison> of(CallSnapshot snapshot, Optional<CallSnapshot> settled) {
        List<RootComparison> all = new ArrayList<>();
        for (CallSnapshot.Alone alone : snapshot.alone()) {
            CallSnapshot.Method method = snapshot.methods().get(alone.method());
            String name = method.className() + '.' + method.name();
            all.add(
                    settled.map(look -> compared(snapshot, new TreesSince(look), alone, name))
                            .orElseGet(
                                    () ->
                                            unused(
                                                    alone,
                                                    name,
                                                    "measured code was not compiled yet")));
        }
        return all;
    }

    /** The factors by the numbers of roots. */
    static IntToDoubleFunction factors(List<RootComparison> comparisons) {
        return method ->
                of(comparisons, method).map(RootComparison::factor).orElse(NetTimes.CALIBRATED);
    }

    /** How much of the time for which threads did not run counts, by the numbers of roots. */
    static IntToDoubleFunction idleParts(List<RootComparison> comparisons) {
        return method -> of(comparisons, method).map(RootComparison::idlePart).orElse(ALL);
    }

    private static Optional<RootComparison> of(List<RootComparison> comparisons, int method) {
        return comparisons.stream().filter(each -> each.method == method).findFirst();
    }

    /** Whether it is known what that root takes alone. */
    boolean isUsedFor(int other) {
        return obstacle.isEmpty() && method == other;
    }

    private static RootComparison unused(CallSnapshot.Alone alone, String name, String obstacle) {
        return new RootComparison(
                alone.method(), name, alone, NetTimes.CALIBRATED, false, ALL, obstacle);
    }

    private static RootComparison compared(
            CallSnapshot snapshot, TreesSince since, CallSnapshot.Alone alone, String name) {
        List<CallSnapshot.Tree> trees = snapshot.trees().stream().map(since::of).toList();
        CallsOfRoot calls = new CallsOfRoot(alone.method(), trees, snapshot.costs());
        if (Math.min(calls.outermost(), alone.calls()) < ENOUGH_CALLS) {
            return unused(alone, name, "too few calls");
        }
        if (error(alone, calls.outermost()) > MOST_ERROR) {
            return unused(alone, name, "its times are too different from each other");
        }
        double raw = calls.runningNanos(0);
        if (raw - calls.runningNanos(NetTimes.CALIBRATED) < NOTABLE_PART * raw) {
            return unused(alone, name, "the hooks took a small part only");
        }
        OptionalDouble found =
                HookFactor.of(calls::runningNanos, alone.meanNanos() * calls.outermost());
        return found.isPresent()
                ? new RootComparison(
                        alone.method(),
                        name,
                        alone,
                        found.getAsDouble(),
                        trees.stream().anyMatch(CallSnapshot.Tree::isSampled),
                        idlePart(alone, calls.idleNanos(found.getAsDouble()) / calls.outermost()),
                        "")
                : unused(alone, name, "it does something else alone than while it was measured");
    }

    /**
     * Of the difference, as a part of the mean: what is measured is taken to vary as it does alone.
     */
    private static double error(CallSnapshot.Alone alone, long measured) {
        return Math.hypot(alone.errorNanos(), alone.spreadNanos() / Math.sqrt((double) measured))
                / Math.max(1, alone.meanNanos());
    }

    /** All of it where that is not known well: threads may have waited for something. */
    private static double idlePart(CallSnapshot.Alone alone, double measuredNanos) {
        double elapsed = alone.meanNanos() + alone.idleNanos();
        return alone.idleErrorNanos() <= MOST_ERROR * elapsed && measuredNanos > alone.idleNanos()
                ? alone.idleNanos() / measuredNanos
                : ALL;
    }

    /** For people, one line. */
    String text() {
        return String.format(
                Locale.ROOT,
                "%s runs for %s alone (%,d calls, ±%.1f %%); %s",
                root,
                time(alone.meanNanos()),
                alone.calls(),
                100 * alone.errorNanos() / Math.max(1, alone.meanNanos()),
                obstacle.isEmpty()
                        ? String.format(
                                Locale.ROOT,
                                "so %.2f times what %s costs is subtracted below it",
                                factor,
                                sampled ? "counting a call" : "a call")
                        : "not used: " + obstacle);
    }

    private static String time(double nanos) {
        if (nanos < TimeUnit.MILLISECONDS.toNanos(1)) {
            return String.format(Locale.ROOT, "%.2f µs", nanos / 1e3);
        }
        return String.format(Locale.ROOT, "%.2f ms", nanos / 1e6);
    }
}
