package dev.heatline.store;

import dev.heatline.model.Execution;
import dev.heatline.model.ModelException;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import java.util.ArrayList;
import java.util.List;

/**
 * Merges what is old enough: the parts go and the whole comes in one batch, so every upload is in
 * exactly one profile at any moment.
 */
final class RollUp {
    private final Engine engine;
    private final Writer writer;
    private final Dictionaries dictionaries;

    private static final class Part {
        private final byte[] key;
        private final Head head;

        private Part(byte[] key, Head head) {
            this.key = key;
            this.head = head;
        }
    }

    RollUp(Engine engine, Writer writer, Dictionaries dictionaries) {
        this.engine = engine;
        this.writer = writer;
        this.dictionaries = dictionaries;
    }

    /**
     * Merges all profiles of an execution at a level that begin before a time, by the hours or days
     * of the next level. Only hours and days that are wholly before it count.
     */
    void rollUp(Application application, Execution execution, Level from, Level to, long before) {
        long bucket = Long.MIN_VALUE;
        while (true) {
            synchronized (writer.lock(application.name())) {
                try (Reading reading = engine.read()) {
                    byte[] known = reading.get(Keys.execution(application.number(), execution));
                    byte[] owner = reading.get(Keys.application(application.name()));
                    if (known == null || owner == null) {
                        return;
                    }
                    ExecutionRecord latest = ExecutionRecord.read(known);
                    long start = nextBucket(reading, application, latest, from, to, bucket);
                    if (start >= to.start(before)) {
                        return;
                    }
                    merge(reading, Application.read(owner), latest, from, to, start);
                    bucket = start + to.nanos();
                }
            }
        }
    }

    /** The beginning of the first hour or day from a time on that has something to merge. */
    private static long nextBucket(
            Reading reading,
            Application application,
            ExecutionRecord execution,
            Level from,
            Level to,
            long earliest) {
        byte[] start = Keys.head(application.number(), execution.number(), from, earliest);
        byte[] end = Keys.head(application.number(), execution.number(), from, Long.MAX_VALUE);
        try (Scan scan = reading.scan(start, end)) {
            return scan.isValid() ? to.start(Keys.fromNanos(scan.key())) : Long.MAX_VALUE;
        }
    }

    private void merge(
            Reading reading,
            Application application,
            ExecutionRecord execution,
            Level from,
            Level to,
            long start) {
        long end = start + to.nanos();
        List<Part> parts = parts(reading, application, execution, from, start, end);
        // What was rolled up before a late upload came has to be taken apart for it.
        parts.addAll(parts(reading, application, execution, to, start, end));
        ProfileBuilder builder = new ProfileBuilder();
        Merge merge = new Merge(dictionaries, application.number(), builder);
        Profile whole;
        try {
            for (Part part : parts) {
                merge.add(part.head, reading.require(Keys.bodyOf(part.key)));
            }
            whole = builder.build(merge.provenance());
        } catch (ModelException e) {
            // Such as a resource of one name in two units: they stay as they are until deleted.
            return;
        }
        try (Batch batch = new Batch()) {
            ExecutionRecord rest = execution;
            for (Part part : parts) {
                batch.delete(part.key);
                batch.delete(Keys.bodyOf(part.key));
                batch.delete(Keys.byUpload(application.number(), part.head.lastUpload()));
                rest = rest.minus(Keys.level(part.key), part.head);
            }
            Stored stored = stored(to, start, parts, whole);
            writer.put(batch, application, rest.withLength(stored.untilNanos() - start), stored);
        }
    }

    private static Stored stored(Level level, long start, List<Part> parts, Profile whole) {
        long until = start + level.nanos();
        long first = Long.MAX_VALUE;
        long last = 0;
        long uploads = 0;
        long samples = 0;
        for (Part part : parts) {
            until = Math.max(until, part.head.untilNanos());
            first = Math.min(first, part.head.firstUpload());
            last = Math.max(last, part.head.lastUpload());
            uploads += part.head.uploads();
            samples += part.head.samples();
        }
        return new Stored(level, start, until, first, last, uploads, samples, whole);
    }

    private static List<Part> parts(
            Reading reading,
            Application application,
            ExecutionRecord execution,
            Level level,
            long from,
            long until) {
        List<Part> parts = new ArrayList<>();
        byte[] start = Keys.head(application.number(), execution.number(), level, from);
        byte[] end = Keys.head(application.number(), execution.number(), level, until);
        try (Scan scan = reading.scan(start, end)) {
            for (; scan.isValid(); scan.next()) {
                parts.add(new Part(scan.key(), Head.read(scan.value())));
            }
        }
        return parts;
    }
}
