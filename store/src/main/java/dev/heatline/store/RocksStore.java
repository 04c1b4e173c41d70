package dev.heatline.store;

import dev.heatline.model.Execution;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.TaskDefinition;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** The store that is built in: a directory of RocksDB files. See docs/store.md for the layout. */
public final class RocksStore implements Store {
    static final String CLOSED = "the store is closed";

    private static final int LOCKS = 256;

    private static final Comparator<Seen> BY_FIELDS =
            Comparator.comparing(
                    Seen::execution,
                    Comparator.comparing(Execution::application)
                            .thenComparing(Execution::version)
                            .thenComparing(Execution::instance)
                            .thenComparing(execution -> execution.labels().toString()));

    private final Engine engine;
    private final Dictionaries dictionaries;
    private final Writer writer;
    private final Upkeep upkeep;
    private final Object[] uploadLocks = new Object[LOCKS];
    private final Object upkeepLock = new Object();

    /** Using RocksDB after it was closed would end the process, so closing waits for all others. */
    private final ReadWriteLock open = new ReentrantReadWriteLock();

    private boolean closed;

    /** Held for reading by whoever needs that dictionaries stay. */
    private final ReadWriteLock readers = new ReentrantReadWriteLock();

    private RocksStore(Engine engine, StoreOptions options) {
        this.engine = engine;
        dictionaries = new Dictionaries(engine, options.dictionaryBytesInMemory());
        writer = new Writer(engine, dictionaries, options);
        upkeep = new Upkeep(engine, writer, dictionaries, options, readers.writeLock());
        Arrays.setAll(uploadLocks, _ -> new Object());
    }

    /**
     * Opens the store in a directory; makes it if there is none.
     *
     * @throws StoreException if it is in use, damaged, of another version or not accessible
     */
    public static RocksStore open(Path directory, StoreOptions options) {
        Engine engine = Engine.open(directory, options);
        try {
            return new RocksStore(engine, options);
        } catch (RuntimeException e) {
            engine.close();
            throw e;
        }
    }

    /** Only who writes needs a store that takes writes again; reading goes on with what is open. */
    private <T> T writing(Supplier<T> work) {
        if (engine.canRecover()) {
            recover();
        }
        return whileOpen(work);
    }

    private <T> T whileOpen(Supplier<T> work) {
        open.readLock().lock();
        try {
            if (closed) {
                throw new StoreException(CLOSED);
            }
            return work.get();
        } finally {
            open.readLock().unlock();
        }
    }

    /** After the disk failed or was full; until then what is stored can be read. */
    private void recover() {
        open.writeLock().lock();
        try {
            if (!closed && engine.canRecover()) {
                engine.recover();
                writer.recover();
            }
        } finally {
            open.writeLock().unlock();
        }
    }

    private <T> T reading(Function<Reading, T> work) {
        return whileOpen(
                () -> {
                    readers.readLock().lock();
                    try (Reading reading = engine.read()) {
                        return work.apply(reading);
                    } finally {
                        readers.readLock().unlock();
                    }
                });
    }

    @Override
    public boolean add(Upload upload) {
        return writing(
                () -> {
                    boolean isNew = addIfNew(upload);
                    // A repeat must not hear that all is well before that is true of the first.
                    engine.sync();
                    return isNew;
                });
    }

    private boolean addIfNew(Upload upload) {
        byte[] key = Keys.upload(upload.id());
        synchronized (uploadLocks[Math.floorMod(Arrays.hashCode(key), LOCKS)]) {
            if (engine.get(key) != null) {
                return false;
            }
            try (Batch batch = new Batch()) {
                batch.put(key, new Output().number(Instant.now().getEpochSecond()).toBytes());
                writer.add(batch, upload);
            }
            return true;
        }
    }

    @Override
    public List<Seen> executions() {
        return reading(RocksStore::executionRecords).stream()
                .map(ExecutionRecord::seen)
                .sorted(BY_FIELDS)
                .toList();
    }

    private static List<ExecutionRecord> executionRecords(Reading reading) {
        List<ExecutionRecord> all = new ArrayList<>();
        byte[] start = {Keys.EXECUTION};
        try (Scan scan = reading.scan(start, Keys.after(start))) {
            for (; scan.isValid(); scan.next()) {
                all.add(ExecutionRecord.read(scan.value()));
            }
        }
        return all;
    }

    @Override
    public Collected collect(Selection selection, long after, ProfileBuilder into) {
        return reading(
                reading -> {
                    Selected selected = new Selected(reading, selection);
                    Merge merge = new Merge(reading, dictionaries, selected.application(), into);
                    return after == 0
                            ? collectAll(reading, selected, merge)
                            : collectAfter(reading, selected, after, merge);
                });
    }

    private static Collected collectAll(Reading reading, Selected selected, Merge merge) {
        SortedMap<Long, List<byte[]>> byDictionary = new TreeMap<>();
        selected.each((key, head) -> enter(byDictionary, key, head));
        return collected(reading, selected, byDictionary, 0, merge);
    }

    private static Collected collectAfter(
            Reading reading, Selected selected, long after, Merge merge) {
        SortedMap<Long, List<byte[]>> byDictionary = new TreeMap<>();
        boolean[] mixed = {false};
        selected.eachAfter(
                after,
                (key, head) -> {
                    enter(byDictionary, key, head);
                    mixed[0] |= head.firstUpload() <= after;
                });
        return mixed[0]
                ? Collected.START_AGAIN
                : collected(reading, selected, byDictionary, after, merge);
    }

    /** Keeps no heads: there may be very many. */
    private static void enter(Map<Long, List<byte[]>> byDictionary, byte[] key, Head head) {
        byDictionary.computeIfAbsent(head.dictionary(), _ -> new ArrayList<>()).add(key);
    }

    private static Collected collected(
            Reading reading,
            Selected selected,
            SortedMap<Long, List<byte[]>> byDictionary,
            long after,
            Merge merge) {
        long last = after;
        long leftOut = 0;
        for (List<byte[]> keys : byDictionary.values()) {
            for (byte[] key : keys) {
                Head head = Head.read(reading.require(key));
                if (!merge.add(key, head, selected.part(key, head))) {
                    leftOut += head.uploads();
                }
                last = Math.max(last, head.lastUpload());
            }
        }
        return new Collected(
                last,
                merge.profiles(),
                merge.provenance().plusCount(LEFT_OUT, leftOut),
                merge.resources());
    }

    @Override
    public List<Bucket> timeline(Selection selection, String resource, int pieces) {
        return reading(
                reading -> {
                    Selected selected = new Selected(reading, selection);
                    Timeline timeline =
                            new Timeline(
                                    dictionaries,
                                    selected.application(),
                                    selection,
                                    resource,
                                    pieces);
                    selected.each(timeline::add);
                    return timeline.buckets();
                });
    }

    @Override
    public long delete(Selection selection) {
        return writing(
                () -> {
                    long deleted = upkeep.delete(selection);
                    engine.sync();
                    return deleted;
                });
    }

    @Override
    public List<TaskDefinition> tasks(String application) {
        return reading(reading -> SavedTasks.read(reading, application));
    }

    @Override
    public void saveTask(String application, TaskDefinition task) {
        change(batch -> SavedTasks.put(batch, application, task));
    }

    @Override
    public boolean deleteTask(String application, String name) {
        byte[] key = Keys.task(application, name);
        boolean exists = reading(reading -> reading.get(key) != null);
        change(batch -> batch.delete(key));
        return exists;
    }

    private void change(Consumer<Batch> changes) {
        boolean _ =
                writing(
                        () -> {
                            try (Batch batch = new Batch()) {
                                changes.accept(batch);
                                engine.write(batch);
                            }
                            engine.sync();
                            return true;
                        });
    }

    @Override
    public void maintain(Instant now) {
        boolean _ =
                writing(
                        () -> {
                            synchronized (upkeepLock) {
                                upkeep.maintain(now);
                            }
                            return true;
                        });
    }

    @Override
    public Usage usage() {
        long nodes = 0;
        SortedMap<String, Long> profiles = new TreeMap<>();
        Level.ALL.forEach(level -> profiles.put(level.label(), 0L));
        for (ExecutionRecord execution : reading(RocksStore::executionRecords)) {
            nodes += execution.nodes();
            for (Level level : Level.ALL) {
                profiles.merge(level.label(), execution.at(level).profiles(), Long::sum);
            }
        }
        return new Usage(engine.bytesOnDisk(), nodes, profiles, dictionaries.loads());
    }

    @Override
    public void close() {
        open.readLock().lock();
        try {
            if (closed) {
                return;
            }
            engine.end();
        } finally {
            open.readLock().unlock();
        }
        open.writeLock().lock();
        try {
            if (!closed) {
                closed = true;
                engine.close();
            }
        } finally {
            open.writeLock().unlock();
        }
    }
}
