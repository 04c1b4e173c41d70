package dev.heatline.agent.calls;

import dev.heatline.agent.LoadedClasses;
import dev.heatline.agent.boot.RootHooks;
import dev.heatline.agent.boot.RootTimes;
import dev.heatline.agent.calls.CallInsertion.Chosen;
import dev.heatline.agent.calls.CallInsertion.Kind;
import dev.heatline.agent.calls.CallInsertion.Numbers;
import dev.heatline.agent.calls.ClassShape.Signature;
import dev.heatline.wire.CallSnapshot;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A control sample after the end: what roots take when nothing but a clock is around their
 * outermost calls. Hooks in everything that they call keep compilers from inlining and the CPU from
 * guessing, and no calibration knows how much that matters to a program; this does.
 */
final class RootsAlone implements ClassFileTransformer {
    /** Where the next call does not begin by then, there would be too few. */
    private static final long FIRST_CALL_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

    /** Code that was given back is compiled anew first, for so long at most. */
    private static final long SETTLING_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

    private static final long ALL_NANOS = TimeUnit.MILLISECONDS.toNanos(4_000);
    private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(400);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Compilers that take more of the time are not done. */
    private static final double USUAL_PART = 0.1;

    private static final int QUIET_LOOKS = 3;

    /** A standard error of the mean that is small enough. */
    private static final double KNOWN = 0.02;

    private static final int ENOUGH_CALLS = 20;

    /** By how much more earlier calls take that are still to be compiled. */
    private static final double SHORTER = 0.05;

    private static final int READINGS = 200;
    private static final int BATCHES = 200;

    private final Instrumentation instrumentation;
    private final LoadedClasses loaded;
    private final Map<String, Map<Signature, Chosen>> roots = new HashMap<>();
    private final int[] methods;
    private final RootTimes times;

    private volatile boolean isAnyChanged;

    /** What was timed up to each look since the code was compiled. */
    private final List<Look> looks = new ArrayList<>();

    /** By roots. */
    private record Look(List<TimedCalls> running, List<TimedCalls> idle) {}

    /**
     * @param chosen by class, all methods that were measured
     */
    RootsAlone(
            Instrumentation instrumentation,
            LoadedClasses loaded,
            Map<String, Map<Signature, Chosen>> chosen) {
        this.instrumentation = instrumentation;
        this.loaded = loaded;
        Set<String> names = new HashSet<>();
        List<Integer> numbers = new ArrayList<>();
        chosen.forEach(
                (type, methodsOf) ->
                        methodsOf.forEach(
                                (method, how) -> {
                                    if (how.kind() == Kind.ROOT) {
                                        roots.computeIfAbsent(type, any -> new HashMap<>())
                                                .put(method, new Chosen(how.id(), Kind.ALONE));
                                        names.add(
                                                type.replace('/', '.')
                                                        + method.name()
                                                        + method.descriptor());
                                        numbers.add(how.id());
                                    }
                                }));
        this.methods = numbers.stream().mapToInt(Integer::intValue).toArray();
        this.times = new RootTimes(methods, names);
    }

    /** Those that are changed once {@link #begin} has been called. */
    Set<String> classes() {
        return Set.copyOf(roots.keySet());
    }

    /** From now on classes that are changed again get their own code, but for the roots. */
    void begin() {
        instrumentation.addTransformer(this, true);
    }

    /** Whether there is a root that can be timed. */
    boolean isAnyChanged() {
        return isAnyChanged;
    }

    /** All classes that are changed again get their own code. */
    void end() {
        RootHooks.into(null);
        instrumentation.removeTransformer(this);
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String name,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] bytes) {
        Map<Signature, Chosen> chosen = name == null ? null : roots.get(name);
        // The hooks call the JDK, so a root of the JDK would call itself.
        if (chosen == null || redefined == null || loader == null || !loaded.seesHooks(loader)) {
            return null;
        }
        try {
            byte[] inserted = CallInsertion.insert(bytes, chosen, Numbers.OF_NOTHING);
            if (!Verification.isSound(bytes, inserted, chosen.keySet())) {
                return null;
            }
            isAnyChanged = true;
            return inserted;
        } catch (RuntimeException | LinkageError e) {
            // It was measured, so another agent has spoiled it since: it is not timed.
            return null;
        }
    }

    /**
     * Times them until their means are known well enough, or it takes too long.
     *
     * @param firstId the lowest number of a method
     * @return those that were called
     */
    List<CallSnapshot.Alone> time(int firstId) {
        long start = System.nanoTime();
        RootHooks.into(times);
        while (!times.any()) {
            if (System.nanoTime() - start >= FIRST_CALL_NANOS) {
                return List.of();
            }
            LockSupport.parkNanos(LOOK_NANOS / 20);
        }
        awaitCompilers(start + SETTLING_NANOS);
        look();
        while (!isKnown() && System.nanoTime() - start < ALL_NANOS) {
            LockSupport.parkNanos(LOOK_NANOS);
            look();
            forgetUncompiled();
        }
        RootHooks.into(null);
        return found(firstId);
    }

    private static void awaitCompilers(long end) {
        long last = System.nanoTime();
        long compiled = Compilers.millis();
        int quiet = 0;
        while (quiet < QUIET_LOOKS && last < end) {
            LockSupport.parkNanos(LOOK_NANOS);
            long now = System.nanoTime();
            long more = Compilers.millis();
            long compiling = TimeUnit.MILLISECONDS.toNanos(more - compiled);
            quiet = compiling <= USUAL_PART * (now - last) ? quiet + 1 : 0;
            last = now;
            compiled = more;
        }
    }

    private void look() {
        List<TimedCalls> running = new ArrayList<>();
        List<TimedCalls> idle = new ArrayList<>();
        for (int root = 0; root < methods.length; root++) {
            running.add(TimedCalls.running(times, root));
            idle.add(TimedCalls.idle(times, root));
        }
        looks.add(new Look(running, idle));
    }

    /** What takes longer than what comes later was not compiled yet. */
    private void forgetUncompiled() {
        for (int root = 0; root < methods.length; root++) {
            if (looks.size() * LOOK_NANOS > LEAST_NANOS
                    && all(root).becomesShorter(firstHalf(root), SHORTER)) {
                looks.subList(0, looks.size() / 2).clear();
            }
        }
    }

    private boolean isKnown() {
        if (looks.size() * LOOK_NANOS <= LEAST_NANOS) {
            return false;
        }
        boolean known = true;
        for (int root = 0; root < methods.length; root++) {
            TimedCalls all = all(root);
            boolean isOften = all.calls() >= ENOUGH_CALLS;
            boolean isExact = all.error(firstHalf(root)) <= KNOWN * all.mean();
            known &= all.calls() == 0 || (isOften && isExact);
        }
        return known;
    }

    private TimedCalls all(int root) {
        return looks.get(looks.size() - 1)
                .running()
                .get(root)
                .since(looks.get(0).running().get(root));
    }

    private TimedCalls firstHalf(int root) {
        return looks.get(looks.size() / 2)
                .running()
                .get(root)
                .since(looks.get(0).running().get(root));
    }

    private TimedCalls idle(int root) {
        return looks.get(looks.size() - 1).idle().get(root).since(looks.get(0).idle().get(root));
    }

    private List<CallSnapshot.Alone> found(int firstId) {
        double clock = clockNanos();
        List<CallSnapshot.Alone> found = new ArrayList<>();
        for (int root = 0; root < methods.length; root++) {
            TimedCalls all = all(root);
            if (all.calls() > 0) {
                // How long a reading takes is not known better than to a half.
                found.add(
                        new CallSnapshot.Alone(
                                methods[root] - firstId,
                                all.calls(),
                                Math.max(0, all.mean() - clock),
                                all.spread(),
                                Math.hypot(all.error(firstHalf(root)), clock / 2),
                                idle(root).mean(),
                                idle(root).spread() / Math.sqrt((double) all.calls())));
            }
        }
        return found;
    }

    /** What a reading of the clock takes: one is in every time. */
    private static double clockNanos() {
        long quickest = Long.MAX_VALUE;
        for (int batch = 0; batch < BATCHES; batch++) {
            long start = System.nanoTime();
            long last = start;
            for (int i = 0; i < READINGS; i++) {
                last = System.nanoTime();
            }
            quickest = Math.min(quickest, last - start);
        }
        return (double) quickest / READINGS;
    }
}
