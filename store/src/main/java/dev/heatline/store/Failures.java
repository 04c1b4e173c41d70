package dev.heatline.store;

import java.nio.file.Path;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** What RocksDB reports, in words that say what to do. */
final class Failures {

    private Failures() {}

    static StoreException opening(Path directory, RocksDBException e) {
        String message = String.valueOf(e.getMessage());
        String store = "the store in " + directory;
        if (isCode(e, Status.Code.Corruption)) {
            return new StoreException(
                    store
                            + " is damaged; restore it from a copy or use another directory: "
                            + message,
                    e);
        }
        if (isLocked(message)) {
            return new StoreException(
                    store
                            + " is in use: only one process can have it open at a time;"
                            + " choose another with --data DIR",
                    e);
        }
        return new StoreException("cannot open " + store + ": " + message, e);
    }

    /** By another process, or by this one: RocksDB has no code for either. */
    private static boolean isLocked(String message) {
        return message.startsWith("While lock file: ")
                || message.startsWith("lock hold by current process");
    }

    static StoreException of(RocksDBException e) {
        if (isNoSpace(e)) {
            return new StoreException(
                    "the disk of the store is full: free some space; nothing that was stored is"
                            + " lost",
                    e);
        }
        if (isCode(e, Status.Code.Corruption)) {
            return new StoreException(
                    "the store is damaged; restore it from a copy: " + e.getMessage(), e);
        }
        return new StoreException("the store failed: " + e.getMessage(), e);
    }

    static boolean isNoSpace(RocksDBException e) {
        Status status = e.getStatus();
        return status != null
                && (status.getSubCode() == Status.SubCode.NoSpace
                        || String.valueOf(e.getMessage()).contains("No space left"));
    }

    private static boolean isCode(RocksDBException e, Status.Code code) {
        Status status = e.getStatus();
        return status != null && status.getCode() == code;
    }
}
