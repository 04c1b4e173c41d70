package dev.heatline.store;

import java.util.concurrent.atomic.AtomicBoolean;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;

/** Goes through the keys of a range in order. */
final class Scan implements AutoCloseable {
    private final AtomicBoolean ended;
    private final Slice end;
    private final ReadOptions options;
    private final RocksIterator iterator;

    Scan(RocksDB database, Snapshot snapshot, AtomicBoolean ended, byte[] from, byte[] until) {
        this.ended = ended;
        end = new Slice(until);
        options = new ReadOptions().setSnapshot(snapshot).setIterateUpperBound(end);
        iterator = database.newIterator(options);
        iterator.seek(from);
    }

    /** Whether there is an entry here; if not, the range is at its end. */
    boolean isValid() {
        if (iterator.isValid()) {
            return true;
        }
        try {
            iterator.status();
        } catch (RocksDBException e) {
            throw Failures.of(e);
        }
        return false;
    }

    byte[] key() {
        return iterator.key();
    }

    byte[] value() {
        return iterator.value();
    }

    void next() {
        Reading.check(ended);
        iterator.next();
    }

    /** Goes to this key, or to the first after it. */
    void seek(byte[] key) {
        iterator.seek(key);
    }

    @Override
    public void close() {
        iterator.close();
        options.close();
        end.close();
    }
}
