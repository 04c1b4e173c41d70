package dev.heatline.store;

import dev.heatline.model.Column;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.TaskDefinition;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The store that is built in: a directory of RocksDB files. See docs/store.md for the layout. */
public final class RocksStore implements Store {
    private static final int LOCKS = 256;

    private static final Comparator<Seen> BY_FIELDS =
            Comparator.comparing(
                    Seen::execution,
                    Comparator.comparing(Execution::application)
                            .thenComparing(Execution::version)
                            .thenComparing(Execution::instance)
                            .thenComparing(execution -> execution.labels().toString()));

    private final StoreOptions options;
    private final Engine engine;
    private final Numbers numbers;
    private final Dictionaries dictionaries;
    private final Object[] uploadLocks = locks();
    private final Object[] applicationLocks = locks();

    private RocksStore(Engine engine, StoreOptions options) {
        this.options = options;
        this.engine = engine;
        numbers = new Numbers(engine);
        dictionaries = new Dictionaries(engine, options.contextsInMemory());
    }

    /**
     * Opens the store in a directory; makes it if there is none.
     *
     * @throws StoreException if it is in use, damaged, of another version or not accessible
     */
    public static RocksStore open(Path directory, StoreOptions options) {
        return new RocksStore(Engine.open(directory, options), options);
    }

    private static Object[] locks() {
        Object[] locks = new Object[LOCKS];
        Arrays.setAll(locks, _ -> new Object());
        return locks;
    }

    private static Object lock(Object[] locks, byte[] key) {
        return locks[Math.floorMod(Arrays.hashCode(key), LOCKS)];
    }

    @Override
    public boolean add(Upload upload) {
        byte[] idKey = Keys.upload(upload.id());
        boolean isNew;
        synchronized (lock(uploadLocks, idKey)) {
            isNew = engine.get(idKey) == null;
            if (isNew) {
                store(upload, idKey);
            }
        }
        // A repeat must not be told that all is well before that is true of the first.
        engine.sync();
        return isNew;
    }

    private void store(Upload upload, byte[] idKey) {
        byte[] applicationKey = Keys.application(upload.execution().application());
        synchronized (lock(applicationLocks, applicationKey)) {
            try (Batch batch = new Batch()) {
                batch.put(idKey, new Output().number(Instant.now().getEpochSecond()).toBytes());
                Application application = application(upload, applicationKey);
                try (Dictionaries.Use use = dictionaries.use(application.dictionary())) {
                    if (use.dictionary().weight() < options.contextsPerDictionary()) {
                        put(batch, application, use, upload);
                        return;
                    }
                }
                Application renewed =
                        new Application(application.number(), numbers.next(), application.name());
                try (Dictionaries.Use use = dictionaries.use(renewed.dictionary())) {
                    put(batch, renewed, use, upload);
                }
            }
        }
    }

    private Application application(Upload upload, byte[] key) {
        byte[] known = engine.get(key);
        return known == null
                ? new Application(numbers.next(), numbers.next(), upload.execution().application())
                : Application.read(known);
    }

    private void put(Batch batch, Application application, Dictionaries.Use use, Upload upload) {
        long number = numbers.next();
        long from = Keys.nanos(upload.from());
        long until = Math.max(from, Keys.nanos(upload.until()));
        Profile profile = upload.profile();
        byte[] executionKey = Keys.execution(application.number(), upload.execution());
        byte[] known = engine.get(executionKey);
        ExecutionRecord execution =
                known == null
                        ? ExecutionRecord.of(numbers.next(), upload.execution())
                        : ExecutionRecord.read(known);
        try {
            Dictionary.Ids ids = use.dictionary().intern(profile);
            byte[] body = Body.of(profile, ids);
            Head head = head(profile, use.dictionary().number(), ids.shape, until, number, body);
            byte[] headKey =
                    Keys.head(application.number(), execution.number(), Level.MINUTE, from, number);
            use.dictionary().appendTo(batch);
            batch.put(headKey, head.toBytes());
            batch.put(Keys.bodyOf(headKey), body);
            batch.put(Keys.byUpload(application.number(), number), headKey);
            batch.put(executionKey, execution.plus(Level.MINUTE, from, head).toBytes());
            batch.put(Keys.application(application.name()), application.toBytes());
            engine.write(batch);
            use.dictionary().saved();
        } catch (RuntimeException e) {
            use.forget();
            throw e;
        }
    }

    private static Head head(
            Profile profile, long dictionary, int shape, long until, long number, byte[] body) {
        Provenance provenance = profile.provenance();
        return new Head(
                until,
                dictionary,
                shape,
                number,
                number,
                1,
                samples(profile),
                profile.nodeCount(),
                body.length,
                provenance.fromNanos(),
                provenance.untilNanos(),
                profile.columns().stream().map(Column::total).toList(),
                List.copyOf(provenance.counts().values()));
    }

    private static long samples(Profile profile) {
        return profile.mainColumn()
                .flatMap(main -> profile.occurrences(main.resource()))
                .map(Column::total)
                .orElse(0L);
    }

    @Override
    public List<Seen> executions() {
        return executionRecords().stream().map(ExecutionRecord::seen).sorted(BY_FIELDS).toList();
    }

    private List<ExecutionRecord> executionRecords() {
        List<ExecutionRecord> all = new ArrayList<>();
        byte[] start = {Keys.EXECUTION};
        try (Reading reading = engine.read();
                Scan scan = reading.scan(start, Keys.after(start))) {
            for (; scan.isValid(); scan.next()) {
                all.add(ExecutionRecord.read(scan.value()));
            }
        }
        return all;
    }

    @Override
    public Collected collect(Selection selection, long after, ProfileBuilder into) {
        try (Reading reading = engine.read()) {
            Selected selected = new Selected(reading, selection);
            Merge merge = new Merge(dictionaries, into);
            return after == 0
                    ? collectAll(reading, selected, merge)
                    : collectAfter(reading, selected, after, merge);
        }
    }

    private static Collected collectAll(Reading reading, Selected selected, Merge merge) {
        long[] last = {0};
        selected.each(
                (key, head) -> {
                    merge.add(head, body(reading, key));
                    last[0] = Math.max(last[0], head.lastUpload());
                });
        return new Collected(last[0], merge.profiles(), merge.provenance());
    }

    private static Collected collectAfter(
            Reading reading, Selected selected, long after, Merge merge) {
        List<Head> heads = new ArrayList<>();
        List<byte[]> keys = new ArrayList<>();
        selected.eachAfter(
                after,
                (key, head) -> {
                    keys.add(key);
                    heads.add(head);
                });
        if (heads.stream().anyMatch(head -> head.firstUpload() <= after)) {
            return Collected.START_AGAIN;
        }
        long last = after;
        for (int i = 0; i < keys.size(); i++) {
            merge.add(heads.get(i), body(reading, keys.get(i)));
            last = Math.max(last, heads.get(i).lastUpload());
        }
        return new Collected(last, merge.profiles(), merge.provenance());
    }

    private static byte[] body(Reading reading, byte[] headKey) {
        byte[] body = reading.get(Keys.bodyOf(headKey));
        if (body == null) {
            throw Input.damaged();
        }
        return body;
    }

    @Override
    public List<Bucket> timeline(Selection selection, String resource, int pieces) {
        try (Reading reading = engine.read()) {
            Timeline timeline = new Timeline(dictionaries, selection, resource, pieces);
            new Selected(reading, selection).each(timeline::add);
            return timeline.buckets();
        }
    }

    @Override
    public List<TaskDefinition> tasks(String application) {
        List<TaskDefinition> tasks = new ArrayList<>();
        byte[] start = Keys.tasks(application);
        try (Reading reading = engine.read();
                Scan scan = reading.scan(start, Keys.after(start))) {
            for (; scan.isValid(); scan.next()) {
                Input in = new Input(scan.value());
                String name = in.text();
                boolean isRegex = in.number() != 0;
                String text = in.text();
                tasks.add(
                        isRegex
                                ? TaskDefinition.regex(name, text)
                                : TaskDefinition.prefix(name, text));
            }
        }
        tasks.sort(Comparator.comparing(TaskDefinition::name));
        return tasks;
    }

    @Override
    public void saveTask(String application, TaskDefinition task) {
        try (Batch batch = new Batch()) {
            batch.put(
                    Keys.task(application, task.name()),
                    new Output()
                            .text(task.name())
                            .number(task.isRegex() ? 1 : 0)
                            .text(task.text())
                            .toBytes());
            engine.write(batch);
        }
        engine.sync();
    }

    @Override
    public boolean deleteTask(String application, String name) {
        byte[] key = Keys.task(application, name);
        boolean exists = engine.get(key) != null;
        if (exists) {
            try (Batch batch = new Batch()) {
                batch.delete(key);
                engine.write(batch);
            }
            engine.sync();
        }
        return exists;
    }

    @Override
    public void maintain(Instant now) {
        // Everything is kept as it came, for now.
    }

    @Override
    public Usage usage() {
        long nodes = 0;
        SortedMap<String, Long> profiles = new TreeMap<>();
        for (ExecutionRecord execution : executionRecords()) {
            nodes += execution.nodes();
            for (Level level : Level.ALL) {
                profiles.merge(level.label(), execution.profiles(level), Long::sum);
            }
        }
        return new Usage(engine.bytesOnDisk(), nodes, profiles);
    }

    @Override
    public void close() {
        engine.close();
    }
}
