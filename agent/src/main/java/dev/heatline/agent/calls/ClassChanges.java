package dev.heatline.agent.calls;

import dev.heatline.agent.LoadedClasses;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Classes that are to be changed, in the order in which they were asked for. One thread changes
 * them, many at once; those that are about to call them wait.
 */
final class ClassChanges {
    /**
     * How long a method waits for those that it calls to be changed. It may hold a lock that is
     * needed for that, so not for ever; then some calls are missing, and that is counted.
     */
    private static final long PATIENCE_NANOS = 2_000_000_000L;

    /** By then a class is defined that will be. */
    private static final int MISSING_LOOKS = 20;

    /** Classes to be changed, by their internal names, and who waits for it. */
    record Change(Set<String> classes, CountDownLatch done) {}

    private final LoadedClasses loaded;
    private final Consumer<Class<?>> skip;
    private final BlockingQueue<Change> asked = new LinkedBlockingQueue<>();

    /** All that were asked for before are done before it. */
    private Change last = new Change(Set.of(), new CountDownLatch(0));

    /** Classes that were not there when they were to be changed, and how often. */
    private final Map<String, Integer> missing = new HashMap<>();

    private boolean ended;
    private long late;
    private long nanos;

    /**
     * @param skip told of those that cannot be changed
     */
    ClassChanges(LoadedClasses loaded, Consumer<Class<?>> skip) {
        this.loaded = loaded;
        this.skip = skip;
    }

    /** How often somebody did not wait any longer. */
    synchronized long late() {
        return late;
    }

    /** How long changing took so far. */
    synchronized long nanos() {
        return nanos;
    }

    /** Asks for classes to be changed; returns what to wait for. */
    synchronized Change ask(Set<String> classes) {
        if (!classes.isEmpty() && !ended) {
            last = new Change(classes, new CountDownLatch(1));
            asked.add(last);
        }
        // What is called next may be what another thread waits for.
        return last;
    }

    /** In the thread that is about to call what was asked for. */
    void await(Change change) {
        if (!isDone(change.done())) {
            synchronized (this) {
                late++;
            }
        }
    }

    /** Whether it was done in time; a thread that is interrupted meanwhile stays so. */
    private static boolean isDone(CountDownLatch done) {
        boolean interrupted = false;
        long end = System.nanoTime() + PATIENCE_NANOS;
        try {
            while (true) {
                try {
                    return done.await(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Changes what was asked for, if there is anything before that time has passed. */
    void changeReached(long patienceMillis) throws InterruptedException {
        Change first = asked.poll(patienceMillis, TimeUnit.MILLISECONDS);
        if (first != null) {
            List<Change> all = new ArrayList<>(List.of(first));
            asked.drainTo(all);
            Set<String> names = new HashSet<>();
            all.forEach(each -> names.addAll(each.classes()));
            try {
                change(names);
            } finally {
                all.forEach(each -> each.done().countDown());
            }
        }
        changeMissing();
    }

    /** Those that were being defined when they were to be changed. */
    private void changeMissing() {
        Set<String> names;
        synchronized (this) {
            missing.values().removeIf(looks -> looks > MISSING_LOOKS);
            names = Set.copyOf(missing.keySet());
        }
        change(names);
    }

    /** Changes them now. */
    void change(Set<String> names) {
        if (!names.isEmpty()) {
            long start = System.nanoTime();
            List<Class<?>> found =
                    loaded.all(type -> names.contains(LoadedClasses.internalName(type)));
            loaded.change(found, skip);
            synchronized (this) {
                nanos += System.nanoTime() - start;
                names.forEach(name -> missing.merge(name, 1, Integer::sum));
                found.forEach(type -> missing.remove(LoadedClasses.internalName(type)));
            }
        }
    }

    /** Nothing is changed any more, and nobody waits for it. */
    void end() {
        synchronized (this) {
            ended = true;
        }
        asked.forEach(each -> each.done().countDown());
    }
}
