package dev.heatline.store;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Snapshot;

/** Everything as it was at one moment, whatever is written meanwhile. */
final class Reading implements AutoCloseable {
    private final RocksDB database;
    private final AtomicBoolean ended;
    private final Snapshot snapshot;
    private final ReadOptions options;

    /**
     * @param ended set when reading has to end: whatever is read after that throws
     */
    Reading(RocksDB database, AtomicBoolean ended) {
        this.database = database;
        this.ended = ended;
        snapshot = database.getSnapshot();
        options = new ReadOptions().setSnapshot(snapshot);
    }

    byte @Nullable [] get(byte[] key) {
        check(ended);
        try {
            return database.get(options, key);
        } catch (RocksDBException e) {
            throw Failures.of(e);
        }
    }

    /** What must be there. */
    byte[] require(byte[] key) {
        byte[] value = get(key);
        if (value == null) {
            throw Input.damaged();
        }
        return value;
    }

    /** All keys from the first on and before the second. */
    Scan scan(byte[] from, byte[] until) {
        return new Scan(database, snapshot, ended, from, until);
    }

    static void check(AtomicBoolean ended) {
        if (ended.get()) {
            throw new StoreException(RocksStore.CLOSED);
        }
    }

    @Override
    public void close() {
        options.close();
        database.releaseSnapshot(snapshot);
        snapshot.close();
    }
}
