package dev.heatline.store;

import dev.heatline.model.Execution;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;

/** Rolls up, and deletes what is too old, too much or not wanted any more. */
final class Upkeep {
    private static final int DELETES_PER_BATCH = 10_000;

    private final Engine engine;
    private final Writer writer;
    private final StoreOptions options;
    private final RollUp rollUp;
    private final Unused unused;

    /** Names of applications that may have something left that is of no use any more. */
    private final Set<String> changed = ConcurrentHashMap.newKeySet();

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
        rollUp = new RollUp(engine, writer, dictionaries, options);
        unused = new Unused(engine, writer, noReaders);
    }

    /** Does all of it, one application after the other. Not for several threads at once. */
    void maintain(Instant now) {
        Map<Long, Application> applications = applications();
        for (ExecutionRecord execution : due(now)) {
            Application application = applications.get(execution.application());
            if (application != null) {
                maintain(application, execution, now);
            }
        }
        Map<Application, Long> cuts =
                new SizeLimit(engine, options.maxBytes()).cuts(applications.values());
        cuts.forEach(this::deleteBefore);
        changed.removeIf(unused::delete);
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
                                        || (one.firstNanos() < hours && one.hours().profiles() > 0)
                                        || (one.firstNanos() < minutes
                                                && one.minutes().profiles() > 0))
                .toList();
    }

    private void maintain(Application application, ExecutionRecord known, Instant now) {
        Execution execution = known.execution();
        long days = Keys.nanos(now.minus(options.days()));
        if (known.firstNanos() < days) {
            delete(application, execution, Long.MIN_VALUE, days);
        }
        rollUp(application, execution, Level.MINUTE, Level.HOUR, now.minus(options.minutes()));
        rollUp(application, execution, Level.HOUR, Level.DAY, now.minus(options.hours()));
    }

    private void rollUp(
            Application application, Execution execution, Level from, Level to, Instant before) {
        if (rollUp.rollUp(application, execution, from, to, Keys.nanos(before))) {
            changed.add(application.name());
        }
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
        executions(Keys.of(Keys.EXECUTION, application.number())).stream()
                .filter(one -> one.firstNanos() < nanos)
                .forEach(one -> delete(application, one.execution(), Long.MIN_VALUE, nanos));
    }

    /**
     * Deletes what is selected.
     *
     * @return how many uploads that was
     */
    long delete(Selection selection) {
        byte[] known = engine.get(Keys.application(selection.application()));
        if (known == null) {
            return 0;
        }
        Application application = Application.read(known);
        long after = Keys.nanos(selection.from());
        long before = Keys.nanosUntil(selection.until());
        long deleted = 0;
        for (ExecutionRecord execution :
                executions(Keys.of(Keys.EXECUTION, application.number()))) {
            if (selection.includes(execution.execution())) {
                deleted += delete(application, execution.execution(), after, before);
            }
        }
        return deleted;
    }

    /** Deletes the profiles of an execution that end after a time and begin before another. */
    private long delete(
            Application application, Execution execution, long endingAfter, long beginningBefore) {
        synchronized (writer.lock(application.name())) {
            try (Reading reading = engine.read();
                    Batch batch = new Batch()) {
                byte[] known = reading.get(Keys.execution(application.number(), execution));
                if (known == null) {
                    return 0;
                }
                ExecutionRecord now = ExecutionRecord.read(known);
                long deleted =
                        new Removal(now, endingAfter, beginningBefore).remove(reading, batch);
                if (deleted > 0) {
                    engine.write(batch);
                    changed.add(application.name());
                }
                return deleted;
            }
        }
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
