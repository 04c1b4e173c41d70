package dev.heatline.store;

import dev.heatline.model.Execution;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Merges what is old enough: the parts go and the whole comes in one batch, so every upload is in
 * exactly one profile at any moment. An hour or day becomes several wholes if one would be too
 * large, or if its parts cannot be put together.
 */
final class RollUp {
    private final Engine engine;
    private final Writer writer;
    private final Dictionaries dictionaries;
    private final int maxNodes;

    private static final class Part {
        private final byte[] key;
        private final Head head;

        private Part(byte[] key, Head head) {
            this.key = key;
            this.head = head;
        }

        long dictionary() {
            return head.dictionary();
        }
    }

    RollUp(Engine engine, Writer writer, Dictionaries dictionaries, StoreOptions options) {
        this.engine = engine;
        this.writer = writer;
        this.dictionaries = dictionaries;
        maxNodes = options.nodesPerRollUp();
    }

    /**
     * Merges all profiles of an execution at a level that begin before a time, by the hours or days
     * of the next level. Only hours and days that are wholly before it count.
     *
     * @return whether there was something to merge
     */
    boolean rollUp(
            Application application, Execution execution, Level from, Level to, long before) {
        boolean changed = false;
        long bucket = Long.MIN_VALUE;
        while (true) {
            try (Reading reading = engine.read()) {
                byte[] known = reading.get(Keys.execution(application.number(), execution));
                if (known == null) {
                    return changed;
                }
                ExecutionRecord latest = ExecutionRecord.read(known);
                long start = nextBucket(reading, latest, from, to, bucket);
                if (start >= to.start(before)) {
                    return changed;
                }
                merge(reading, application, latest, from, to, start);
                changed = true;
                bucket = start + to.nanos();
            }
        }
    }

    /** The beginning of the first hour or day from a time on that has something to merge. */
    private static long nextBucket(
            Reading reading, ExecutionRecord execution, Level from, Level to, long earliest) {
        byte[] start = Keys.head(execution.application(), execution.number(), from, earliest);
        byte[] end = Keys.head(execution.application(), execution.number(), from, Long.MAX_VALUE);
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
        List<Part> parts = parts(reading, execution, from, start, end);
        // What was rolled up before a late upload came has to be taken apart for it.
        parts.addAll(parts(reading, execution, to, start, end));
        parts.sort(Comparator.comparingLong(Part::dictionary));
        while (!parts.isEmpty()) {
            parts = mergeSome(reading, application, execution, parts, to, start);
        }
    }

    /** Makes one whole of as many parts as possible; returns the others. */
    private List<Part> mergeSome(
            Reading reading,
            Application application,
            ExecutionRecord execution,
            List<Part> parts,
            Level to,
            long start) {
        List<Part> merged = new ArrayList<>();
        List<Part> rest = new ArrayList<>();
        Profile whole = whole(reading, application, parts, merged, rest);
        if (merged.size() > 1 || Keys.level(merged.getFirst().key) != to) {
            replace(application, execution, merged, whole, to, start);
        }
        return rest;
    }

    /** Says which parts are in it. What it takes to make it is not held while it is written. */
    private Profile whole(
            Reading reading,
            Application application,
            List<Part> parts,
            List<Part> merged,
            List<Part> rest) {
        ProfileBuilder builder = new ProfileBuilder();
        Merge merge = new Merge(reading, dictionaries, application.number(), builder);
        for (Part part : parts) {
            boolean isAdded =
                    builder.nodeCount() < maxNodes && merge.add(part.key, part.head, TimePart.ALL);
            (isAdded ? merged : rest).add(part);
        }
        return builder.build(merge.provenance());
    }

    /** Merging needs no lock; that nothing was deleted meanwhile is seen under it. */
    private void replace(
            Application seen,
            ExecutionRecord execution,
            List<Part> parts,
            Profile whole,
            Level to,
            long start) {
        synchronized (writer.lock(seen.name())) {
            byte[] owner = engine.get(Keys.application(seen.name()));
            byte[] known = engine.get(Keys.execution(seen.number(), execution.execution()));
            if (owner == null || known == null || !areAllThere(parts)) {
                return;
            }
            Application application = Application.read(owner);
            try (Batch batch = new Batch()) {
                ExecutionRecord rest = ExecutionRecord.read(known);
                for (Part part : parts) {
                    Writer.delete(batch, application.number(), part.key, part.head);
                    rest = rest.minus(Keys.level(part.key), part.head);
                }
                Stored stored = stored(to, start, parts, whole);
                writer.put(batch, application, rest, stored);
            }
        }
    }

    private boolean areAllThere(List<Part> parts) {
        return parts.stream().allMatch(part -> engine.get(part.key) != null);
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
            Reading reading, ExecutionRecord execution, Level level, long from, long until) {
        List<Part> parts = new ArrayList<>();
        byte[] start = Keys.head(execution.application(), execution.number(), level, from);
        byte[] end = Keys.head(execution.application(), execution.number(), level, until);
        try (Scan scan = reading.scan(start, end)) {
            for (; scan.isValid(); scan.next()) {
                parts.add(new Part(scan.key(), Head.read(scan.value())));
            }
        }
        return parts;
    }
}
