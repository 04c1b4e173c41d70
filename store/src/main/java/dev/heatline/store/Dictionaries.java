package dev.heatline.store;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The dictionaries in memory. Those used longest ago are given up when there are too many; one that
 * somebody uses never is, so that there are no two of the same number that could grow apart.
 */
final class Dictionaries {
    private final Engine engine;
    private final long maxWeight;
    private final Map<Long, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long weight;

    private static final class Entry {
        private @Nullable Dictionary dictionary;
        private int users;
        private int weight;
    }

    /** A dictionary that stays in memory until this is closed. */
    final class Use implements AutoCloseable {
        private final long number;
        private final Entry entry;
        private final Dictionary dictionary;

        private Use(long number, Entry entry, Dictionary dictionary) {
            this.number = number;
            this.entry = entry;
            this.dictionary = dictionary;
        }

        Dictionary dictionary() {
            return dictionary;
        }

        /** Has it read again by whoever comes next: what was added to it was not written. */
        void forget() {
            synchronized (Dictionaries.this) {
                if (entries.remove(number, entry)) {
                    weight -= entry.weight;
                }
            }
        }

        @Override
        public void close() {
            release(number, entry, dictionary.weight());
        }
    }

    Dictionaries(Engine engine, long maxWeight) {
        this.engine = engine;
        this.maxWeight = maxWeight;
    }

    /** Has all of them read again. Nobody may use one meanwhile. */
    synchronized void clear() {
        entries.clear();
        weight = 0;
    }

    Use use(long application, long number) {
        Entry entry = acquire(number);
        try {
            return new Use(number, entry, loaded(application, number, entry));
        } catch (RuntimeException e) {
            release(number, entry, 0);
            throw e;
        }
    }

    private synchronized Entry acquire(long number) {
        Entry entry = entries.computeIfAbsent(number, _ -> new Entry());
        entry.users++;
        return entry;
    }

    /** Others may go on with other dictionaries while a large one is read. */
    private Dictionary loaded(long application, long number, Entry entry) {
        synchronized (entry) {
            Dictionary dictionary = entry.dictionary;
            if (dictionary == null) {
                try (Reading reading = engine.read()) {
                    dictionary = Dictionary.load(application, number, reading);
                }
                entry.dictionary = dictionary;
            }
            return dictionary;
        }
    }

    private synchronized void release(long number, Entry entry, int newWeight) {
        entry.users--;
        if (entries.get(number) != entry) {
            return;
        }
        weight += newWeight - entry.weight;
        entry.weight = newWeight;
        Iterator<Entry> oldest = entries.values().iterator();
        while (weight > maxWeight && oldest.hasNext()) {
            Entry candidate = oldest.next();
            if (candidate.users == 0) {
                weight -= candidate.weight;
                oldest.remove();
            }
        }
    }
}
