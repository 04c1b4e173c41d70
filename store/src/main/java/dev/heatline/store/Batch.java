package dev.heatline.store;

import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** Changes that are made all or not at all. */
final class Batch implements AutoCloseable {
    final WriteBatch changes = new WriteBatch();

    void put(byte[] key, byte[] value) {
        try {
            changes.put(key, value);
        } catch (RocksDBException e) {
            throw Failures.of(e);
        }
    }

    void delete(byte[] key) {
        try {
            changes.delete(key);
        } catch (RocksDBException e) {
            throw Failures.of(e);
        }
    }

    /** Deletes all keys from the first on and before the second. */
    void deleteRange(byte[] from, byte[] until) {
        try {
            changes.deleteRange(from, until);
        } catch (RocksDBException e) {
            throw Failures.of(e);
        }
    }

    @Override
    public void close() {
        changes.close();
    }
}
