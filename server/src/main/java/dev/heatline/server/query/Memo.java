package dev.heatline.server.query;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Function;

/**
 * Values that are computed when somebody asks first, while others who ask wait for it; the few that
 * were asked for last are kept. A value that could not be computed is tried again.
 */
final class Memo<K, V> {
    private final int most;
    private final Executor threads;
    private final Function<K, V> compute;
    private final Map<K, FutureTask<V>> values = new LinkedHashMap<>(16, 0.75f, true);
    private final Set<K> asked = new HashSet<>();

    /**
     * @param most how many values are kept
     * @param threads who computes
     */
    Memo(int most, Executor threads, Function<K, V> compute) {
        this.most = most;
        this.threads = threads;
        this.compute = compute;
    }

    V get(K key) {
        V value = value(key);
        synchronized (this) {
            if (values.containsKey(key)) {
                asked.add(key);
            }
        }
        return value;
    }

    /** As {@link #get}, but not because somebody asked for it. */
    V prepare(K key) {
        return value(key);
    }

    /** What somebody asked for, got, and is still kept. */
    synchronized List<K> asked() {
        return List.copyOf(asked);
    }

    /** Forgets all values; whoever waits for one still gets it. */
    synchronized void clear() {
        values.clear();
        asked.clear();
    }

    /** All values that are there. */
    synchronized List<V> present() {
        List<V> present = new ArrayList<>();
        for (FutureTask<V> value : values.values()) {
            if (value.state() == Future.State.SUCCESS) {
                present.add(value.resultNow());
            }
        }
        return present;
    }

    private V value(K key) {
        FutureTask<V> task = task(key);
        try {
            return Threads.finished(task, threads);
        } catch (RuntimeException e) {
            forget(key, task);
            throw e;
        }
    }

    private synchronized FutureTask<V> task(K key) {
        FutureTask<V> task =
                values.computeIfAbsent(key, it -> new FutureTask<>(() -> compute.apply(it)));
        if (values.size() > most) {
            K eldest = values.keySet().iterator().next();
            values.remove(eldest);
            asked.remove(eldest);
        }
        return task;
    }

    private synchronized void forget(K key, FutureTask<V> task) {
        if (values.remove(key, task)) {
            asked.remove(key);
        }
    }
}
