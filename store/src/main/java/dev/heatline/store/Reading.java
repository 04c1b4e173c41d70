package dev.heatline.store;

import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Snapshot;

/** Everything as it was at one moment, whatever is written meanwhile. */
final class Reading implements AutoCloseable {
    private final RocksDB database;
    private final Snapshot snapshot;
    private final ReadOptions options;

    Reading(RocksDB database) {
        this.database = database;
        snapshot = database.getSnapshot();
        options = new ReadOptions().setSnapshot(snapshot);
    }

    byte @Nullable [] get(byte[] key) {
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
        return new Scan(database, snapshot, from, until);
    }

    @Override
    public void close() {
        options.close();
        database.releaseSnapshot(snapshot);
        snapshot.close();
    }
}
