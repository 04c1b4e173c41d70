package dev.heatline.store;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The dictionaries in memory. Those used longest ago are given up when they take too much; the last
 * one stays however large it is. One that somebody uses is never given up, so that there are no two
 * of the same number that could grow apart.
 */
final class Dictionaries {
    private final Engine engine;
    private final long maxBytes;
    private final Map<Long, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;
    private final LongAdder loads = new LongAdder();

    private static final class Entry {
        private @Nullable Dictionary dictionary;
        private int users;
        private long bytes;
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
                    bytes -= entry.bytes;
                }
            }
        }

        @Override
        public void close() {
            release(number, entry, dictionary.bytes());
        }
    }

    Dictionaries(Engine engine, long maxBytes) {
        this.engine = engine;
        this.maxBytes = maxBytes;
    }

    /** Has all of them read again. Nobody may use one meanwhile. */
    synchronized void clear() {
        entries.clear();
        bytes = 0;
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

    /** How many were read so far. Many more than there are: too few of them fit into memory. */
    long loads() {
        return loads.sum();
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
                loads.increment();
                entry.dictionary = dictionary;
            }
            return dictionary;
        }
    }

    private synchronized void release(long number, Entry entry, long newBytes) {
        entry.users--;
        if (entries.get(number) != entry) {
            return;
        }
        bytes += newBytes - entry.bytes;
        entry.bytes = newBytes;
        Iterator<Entry> oldest = entries.values().iterator();
        while (bytes > maxBytes && oldest.hasNext()) {
            Entry candidate = oldest.next();
            if (candidate.users == 0 && candidate != entry) {
                bytes -= candidate.bytes;
                oldest.remove();
            }
        }
    }
}
