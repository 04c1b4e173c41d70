package dev.heatline.store;

import dev.heatline.model.Execution;
import java.util.Arrays;

/**
 * Writes profiles. What belongs to an application changes only under its lock, which is held until
 * the batch is in the log: whoever uses an id of a dictionary is written after the id itself.
 */
final class Writer {
    private static final int LOCKS = 256;

    private final Engine engine;
    private final Numbers numbers;
    private final Dictionaries dictionaries;
    private final long dictionaryBytes;
    private final Object[] locks = new Object[LOCKS];

    Writer(Engine engine, Dictionaries dictionaries, StoreOptions options) {
        this.engine = engine;
        this.dictionaries = dictionaries;
        numbers = new Numbers(engine);
        dictionaryBytes = options.dictionaryBytes();
        Arrays.setAll(locks, _ -> new Object());
    }

    /** Relies on nothing that may not have reached the disk. */
    void recover() {
        dictionaries.clear();
        numbers.reserveAgain();
    }

    /** The lock of an application, which it may share with others. */
    Object lock(String application) {
        return locks[Math.floorMod(application.hashCode(), LOCKS)];
    }

    /** Writes a batch with an upload in it. */
    void add(Batch batch, Upload upload) {
        String name = upload.execution().application();
        synchronized (lock(name)) {
            byte[] known = engine.get(Keys.application(name));
            Application application =
                    known == null
                            ? new Application(numbers.next(), numbers.next(), 0, name)
                            : Application.read(known);
            Stored stored = Stored.of(upload, numbers.next());
            put(
                    batch,
                    application,
                    execution(application, upload.execution())
                            .covering(stored.fromNanos(), stored.untilNanos()),
                    stored);
        }
    }

    private ExecutionRecord execution(Application application, Execution execution) {
        byte[] known = engine.get(Keys.execution(application.number(), execution));
        return known == null
                ? ExecutionRecord.of(application.number(), numbers.next(), execution)
                : ExecutionRecord.read(known);
    }

    /** Writes a batch with a profile of a known execution in it. The lock must be held. */
    void put(Batch batch, Application application, ExecutionRecord execution, Stored stored) {
        Application grown = application.with(Dictionary.bytesOf(stored.profile()));
        try (Dictionaries.Use use = dictionaries.use(grown.number(), grown.dictionary())) {
            if (!isFull(use.dictionary(), grown)) {
                put(batch, grown, execution, stored, use);
                return;
            }
        }
        Application renewed =
                grown.renewed(numbers.next()).with(Dictionary.bytesOf(stored.profile()));
        try (Dictionaries.Use use = dictionaries.use(renewed.number(), renewed.dictionary())) {
            put(batch, renewed, execution, stored, use);
        }
    }

    /** However large it is: while a profile needs half of it, a new one would soon be as large. */
    private boolean isFull(Dictionary dictionary, Application application) {
        return dictionary.bytes() >= Math.max(dictionaryBytes, 2 * application.largest());
    }

    private void put(
            Batch batch,
            Application application,
            ExecutionRecord execution,
            Stored stored,
            Dictionaries.Use use) {
        boolean written = false;
        try {
            Dictionary.Ids ids = use.dictionary().intern(stored.profile());
            Body body = new Body(stored.profile(), ids);
            byte[] values = body.values();
            byte[] seconds = body.seconds();
            int bytes = values.length + seconds.length;
            Head head = stored.head(application.dictionary(), ids.shape, bytes);
            byte[] key =
                    Keys.head(
                            application.number(),
                            execution.number(),
                            stored.level(),
                            stored.fromNanos(),
                            stored.lastUpload());
            use.dictionary().appendTo(batch);
            batch.put(key, head.toBytes());
            batch.put(Keys.bodyOf(key), values);
            if (seconds.length > 0) {
                batch.put(Keys.secondsOf(key), seconds);
            }
            batch.put(Keys.byUpload(application.number(), stored.lastUpload()), key);
            batch.put(
                    Keys.execution(application.number(), execution.execution()),
                    execution.plus(stored.level(), stored.fromNanos(), head).toBytes());
            batch.put(Keys.application(application.name()), application.toBytes());
            engine.write(batch);
            use.dictionary().saved();
            written = true;
        } finally {
            if (!written) {
                use.forget();
            }
        }
    }

    /**
     * Puts into a batch that a profile goes; what says how many there are is left to the caller.
     */
    static void delete(Batch batch, long application, byte[] headKey, Head head) {
        batch.delete(headKey);
        batch.delete(Keys.bodyOf(headKey));
        batch.delete(Keys.secondsOf(headKey));
        batch.delete(Keys.byUpload(application, head.lastUpload()));
    }
}
