package dev.heatline.store;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Lock;

/** Rolls up, and deletes what is too old, too much or of no use any more. */
final class Upkeep {
    private static final int DELETES_PER_BATCH = 10_000;

    private final Engine engine;
    private final Writer writer;
    private final StoreOptions options;
    private final RollUp rollUp;

    /** Held while nobody reads what has no profiles any more. */
    private final Lock noReaders;

    /** Those that may have something left that is of no use any more. */
    private final Set<Application> changed = new HashSet<>();

    private Instant lastLookAtUploadIds = Instant.MIN;

    Upkeep(
            Engine engine,
            Writer writer,
            Dictionaries dictionaries,
            StoreOptions options,
            Lock noReaders) {
        this.engine = engine;
        this.writer = writer;
        this.options = options;
        this.noReaders = noReaders;
        rollUp = new RollUp(engine, writer, dictionaries, options);
    }

    /** Does all of it, one application after the other. Not for several threads at once. */
    void maintain(Instant now) {
        Map<Long, Application> applications = applications();
        for (ExecutionRecord execution : due(now)) {
            Application application = applications.get(execution.application());
            if (application != null) {
                maintain(application, execution, now);
                changed.add(application);
            }
        }
        Map<Application, Long> cuts =
                new SizeLimit(engine, options.maxBytes()).cuts(applications.values());
        cuts.forEach(this::deleteBefore);
        changed.addAll(cuts.keySet());
        changed.removeIf(this::deleteUnused);
        deleteUploadIds(now);
        engine.sync();
        if (!cuts.isEmpty()) {
            engine.compact();
        }
    }

    private Map<Long, Application> applications() {
        Map<Long, Application> all = new HashMap<>();
        byte[] start = {Keys.APPLICATION};
        try (Reading reading = engine.read();
                Scan scan = reading.scan(start, Keys.after(start))) {
            for (; scan.isValid(); scan.next()) {
                Application application = Application.read(scan.value());
                all.put(application.number(), application);
            }
        }
        return all;
    }

    /** Those with something old enough, which are few of many. */
    private List<ExecutionRecord> due(Instant now) {
        long minutes = Keys.nanos(now.minus(options.minutes()));
        long hours = Keys.nanos(now.minus(options.hours()));
        long days = Keys.nanos(now.minus(options.days()));
        return executions(new byte[] {Keys.EXECUTION}).stream()
                .filter(
                        one ->
                                one.firstNanos() < days
                                        || (one.firstNanos() < hours && one.hours() > 0)
                                        || (one.firstNanos() < minutes && one.minutes() > 0))
                .toList();
    }

    private void maintain(Application application, ExecutionRecord execution, Instant now) {
        deleteBefore(application, execution, Keys.nanos(now.minus(options.days())));
        long minutes = Keys.nanos(now.minus(options.minutes()));
        rollUp.rollUp(application, execution.execution(), Level.MINUTE, Level.HOUR, minutes);
        long hours = Keys.nanos(now.minus(options.hours()));
        rollUp.rollUp(application, execution.execution(), Level.HOUR, Level.DAY, hours);
    }

    private List<ExecutionRecord> executions(byte[] start) {
        List<ExecutionRecord> all = new ArrayList<>();
        try (Reading reading = engine.read();
                Scan scan = reading.scan(start, Keys.after(start))) {
            for (; scan.isValid(); scan.next()) {
                all.add(ExecutionRecord.read(scan.value()));
            }
        }
        return all;
    }

    private void deleteBefore(Application application, long nanos) {
        executions(Keys.of(Keys.EXECUTION, application.number()))
                .forEach(execution -> deleteBefore(application, execution, nanos));
    }

    /** Deletes all profiles of an execution that begin before a time. */
    private void deleteBefore(Application application, ExecutionRecord execution, long nanos) {
        if (execution.firstNanos() >= nanos) {
            return;
        }
        byte[] key = Keys.execution(application.number(), execution.execution());
        synchronized (writer.lock(application.name())) {
            byte[] known = engine.get(key);
            if (known == null) {
                return;
            }
            try (Reading reading = engine.read();
                    Batch batch = new Batch()) {
                ExecutionRecord rest = ExecutionRecord.read(known).since(nanos);
                for (Level level : Level.ALL) {
                    rest = deleteBefore(application, rest, level, nanos, reading, batch);
                }
                if (rest.isEmpty()) {
                    batch.delete(key);
                } else {
                    batch.put(key, rest.toBytes());
                }
                engine.write(batch);
            }
        }
    }

    private static ExecutionRecord deleteBefore(
            Application application,
            ExecutionRecord execution,
            Level level,
            long nanos,
            Reading reading,
            Batch batch) {
        ExecutionRecord rest = execution;
        byte[] start = Keys.head(application.number(), execution.number(), level, Long.MIN_VALUE);
        byte[] end = Keys.head(application.number(), execution.number(), level, nanos);
        try (Scan scan = reading.scan(start, end)) {
            for (; scan.isValid(); scan.next()) {
                Head head = Head.read(scan.value());
                batch.delete(Keys.byUpload(application.number(), head.lastUpload()));
                rest = rest.minus(level, head);
            }
        }
        batch.deleteRange(start, end);
        batch.deleteRange(Keys.bodyOf(start), Keys.bodyOf(end));
        return rest;
    }

    /**
     * Deletes dictionaries that no profile was written with, and applications without any.
     *
     * @return false if somebody reads just now: it has to be tried again
     */
    private boolean deleteUnused(Application seen) {
        synchronized (writer.lock(seen.name())) {
            byte[] known = engine.get(Keys.application(seen.name()));
            if (known == null) {
                return true;
            }
            if (!noReaders.tryLock()) {
                return false;
            }
            try (Reading reading = engine.read();
                    Batch batch = new Batch()) {
                Application application = Application.read(known);
                List<Long> dictionaries = dictionaries(reading, application.number());
                if (isEmpty(reading, application.number())) {
                    batch.delete(Keys.application(application.name()));
                } else if (dictionaries.size() > 1) {
                    dictionaries.removeAll(used(reading, application));
                } else {
                    return true;
                }
                for (long dictionary : dictionaries) {
                    byte[] start = Keys.dictionary(application.number(), dictionary);
                    batch.deleteRange(start, Keys.after(start));
                }
                engine.write(batch);
                return true;
            } finally {
                noReaders.unlock();
            }
        }
    }

    private static boolean isEmpty(Reading reading, long application) {
        byte[] start = Keys.of(Keys.EXECUTION, application);
        try (Scan scan = reading.scan(start, Keys.after(start))) {
            return !scan.isValid();
        }
    }

    private static List<Long> dictionaries(Reading reading, long application) {
        List<Long> numbers = new ArrayList<>();
        byte[] start = Keys.of(Keys.DICTIONARY, application);
        try (Scan scan = reading.scan(start, Keys.after(start))) {
            while (scan.isValid()) {
                long number = Keys.secondNumber(scan.key());
                numbers.add(number);
                scan.seek(Keys.after(Keys.dictionary(application, number)));
            }
        }
        return numbers;
    }

    private static Set<Long> used(Reading reading, Application application) {
        Set<Long> numbers = new HashSet<>();
        numbers.add(application.dictionary());
        byte[] start = Keys.of(Keys.HEAD, application.number());
        try (Scan scan = reading.scan(start, Keys.after(start))) {
            for (; scan.isValid(); scan.next()) {
                numbers.add(Head.read(scan.value()).dictionary());
            }
        }
        return numbers;
    }

    /** Looks through all of them, so once a day must do. */
    private void deleteUploadIds(Instant now) {
        if (now.isBefore(lastLookAtUploadIds.plus(Duration.ofDays(1)))) {
            return;
        }
        lastLookAtUploadIds = now;
        long tooOld = now.minus(options.uploadIds()).getEpochSecond();
        byte[] start = {Keys.UPLOAD};
        try (Reading reading = engine.read();
                Scan scan = reading.scan(start, Keys.after(start))) {
            while (scan.isValid()) {
                deleteUploadIds(scan, tooOld);
            }
        }
    }

    private void deleteUploadIds(Scan scan, long tooOld) {
        try (Batch batch = new Batch()) {
            for (int i = 0; i < DELETES_PER_BATCH && scan.isValid(); i++) {
                if (new Input(scan.value()).number() < tooOld) {
                    batch.delete(scan.key());
                }
                scan.next();
            }
            engine.write(batch);
        }
    }
}
