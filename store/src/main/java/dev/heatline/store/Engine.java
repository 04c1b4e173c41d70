package dev.heatline.store;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.Range;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;
import org.rocksdb.WriteOptions;

/** RocksDB as the store uses it: one key space, written through a log, everything compressed. */
final class Engine implements AutoCloseable {

    /** The layout that docs/store.md describes. */
    private static final int VERSION = 2;

    private static final SizeApproximationFlag FILES = SizeApproximationFlag.INCLUDE_FILES;

    /** What opening takes besides writing the log to tables. */
    private static final long ROOM = 1 << 20;

    /** Opening takes all others' time, and mostly fails again while the disk does. */
    private static final Duration RECOVERY_PAUSE = Duration.ofSeconds(10);

    private final Settings settings;
    private final WriteOptions written;
    private final CompactRangeOptions compaction;
    private final Path directory;
    private @Nullable RocksDB database;

    /** Whether a write failed: RocksDB takes no more of them until it is opened again. */
    private volatile boolean broken;

    /** Why it is open for reading only; null if it is not. */
    private @Nullable StoreException unwritable;

    /** When to open it again at the earliest, in {@link System#nanoTime}. */
    private volatile long nextRecovery = System.nanoTime();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition syncEnded = lock.newCondition();

    /** Set before it is closed, so that whoever reads for long does not hold that up. */
    private final AtomicBoolean ended = new AtomicBoolean();

    /** How many writes there were, and how many of them are known to be on disk. */
    private long writes;

    private long synced;
    private boolean syncing;

    private Engine(Path directory, StoreOptions wanted) throws RocksDBException {
        this.directory = directory;
        settings = new Settings(wanted);
        written = new WriteOptions();
        compaction = new CompactRangeOptions();
        try {
            database = RocksDB.open(settings.options, directory.toString());
        } catch (RocksDBException e) {
            closeSettings();
            throw e;
        }
    }

    private RocksDB database() {
        RocksDB opened = database;
        if (opened == null) {
            throw new StoreException(
                    "the store in " + directory + " could not be opened again after it failed");
        }
        return opened;
    }

    private RocksDB writable() {
        StoreException failure = unwritable;
        if (failure != null) {
            throw new StoreException(String.valueOf(failure.getMessage()), failure);
        }
        return database();
    }

    /**
     * Whether a write failed and {@link #recover} may help: there has to be room for the log, and
     * it was not tried a moment ago.
     */
    boolean canRecover() {
        if (!broken || System.nanoTime() - nextRecovery < 0) {
            return false;
        }
        try {
            return Files.getFileStore(directory).getUsableSpace() > ROOM + bytesOnDisk(".log");
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Opens the store again after a write failed, at least for reading. Nobody may use it
     * meanwhile.
     */
    void recover() {
        nextRecovery = System.nanoTime() + RECOVERY_PAUSE.toNanos();
        if (database != null) {
            database.close();
            database = null;
        }
        try {
            database = RocksDB.open(settings.options, directory.toString());
            unwritable = null;
            broken = false;
        } catch (RocksDBException e) {
            openForReading(e);
            StoreException failure = Failures.opening(directory, e);
            unwritable = failure;
            throw failure;
        }
    }

    private void openForReading(RocksDBException failure) {
        try {
            database = RocksDB.openReadOnly(settings.options, directory.toString());
        } catch (RocksDBException e) {
            failure.addSuppressed(e);
        }
    }

    /** Opens what is in a directory; makes it if there is nothing. */
    static Engine open(Path directory, StoreOptions wanted) {
        Engine engine;
        try {
            Files.createDirectories(directory);
            Library.load(directory);
            engine = new Engine(directory, wanted);
        } catch (IOException e) {
            throw new StoreException(
                    "cannot make the directory " + directory + " for the store: " + e, e);
        } catch (RocksDBException e) {
            throw Failures.opening(directory, e);
        }
        try {
            engine.checkVersion();
            return engine;
        } catch (RuntimeException e) {
            engine.close();
            throw e;
        }
    }

    private void checkVersion() {
        byte[] known = get(Keys.VERSION);
        if (known == null) {
            try (Batch batch = new Batch()) {
                batch.put(Keys.VERSION, new Output().number(VERSION).toBytes());
                write(batch);
            }
        } else if (new Input(known).number() != VERSION) {
            throw new StoreException(
                    "the store in "
                            + directory
                            + " has layout "
                            + new Input(known).number()
                            + ", this Heatline reads layout "
                            + VERSION
                            + ": use the Heatline that wrote it, or another directory");
        }
    }

    byte @Nullable [] get(byte[] key) {
        try {
            return database().get(key);
        } catch (RocksDBException e) {
            throw Failures.of(e);
        }
    }

    Reading read() {
        return new Reading(database(), ended);
    }

    /** Writes to the log. It is safe from a crash of the machine only after {@link #sync}. */
    void write(Batch batch) {
        try {
            writable().write(written, batch.changes);
        } catch (RocksDBException e) {
            broken = true;
            throw Failures.of(e);
        }
        lock.lock();
        try {
            writes++;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns when everything written before is on disk. One thread at a time does it for all that
     * wait, so that the disk's pace bounds how long a write takes but not how many there can be.
     */
    void sync() {
        long target;
        lock.lock();
        try {
            long mine = writes;
            while (syncing && synced < mine) {
                // A write cannot be taken back, so neither can waiting for it.
                syncEnded.awaitUninterruptibly();
            }
            if (synced >= mine) {
                return;
            }
            syncing = true;
            target = writes;
        } finally {
            lock.unlock();
        }
        boolean done = false;
        try {
            writable().syncWal();
            done = true;
        } catch (RocksDBException e) {
            broken = true;
            throw Failures.of(e);
        } finally {
            syncEnded(done ? target : 0);
        }
    }

    private void syncEnded(long upTo) {
        lock.lock();
        try {
            syncing = false;
            synced = Math.max(synced, upTo);
            syncEnded.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The size of all files of RocksDB. */
    long bytesOnDisk() {
        return bytesOnDisk("");
    }

    private long bytesOnDisk(String ending) {
        long bytes = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + ending)) {
            for (Path file : files) {
                bytes += file.endsWith(Library.NAME) ? 0 : size(file);
            }
        } catch (IOException | DirectoryIteratorException e) {
            throw new StoreException("cannot read the directory " + directory + ": " + e, e);
        }
        return bytes;
    }

    /** Files come and go in the background: one that is gone takes no space. */
    private static long size(Path file) throws IOException {
        try {
            return Files.size(file);
        } catch (NoSuchFileException e) {
            return 0;
        }
    }

    /** The size of the tables, without the log. Writes to them what is only in the log. */
    long bytesOfTables() {
        try (FlushOptions wait = new FlushOptions()) {
            database().flush(wait);
            return database().getLongProperty("rocksdb.live-sst-files-size");
        } catch (RocksDBException e) {
            throw Failures.of(e);
        }
    }

    /** How much of the tables is taken by these kinds of keys, about. */
    long bytesOf(byte... kinds) {
        long bytes = 0;
        for (byte kind : kinds) {
            byte[] start = {kind};
            try (Slice from = new Slice(start);
                    Slice until = new Slice(Keys.after(start))) {
                bytes += database().getApproximateSizes(List.of(new Range(from, until)), FILES)[0];
            }
        }
        return bytes;
    }

    /** Gives the space of what was deleted back to the disk. Rewrites everything. */
    void compact() {
        try {
            RocksDB opened = database();
            opened.compactRange(opened.getDefaultColumnFamily(), null, null, compaction);
        } catch (RocksDBException e) {
            if (!compaction.canceled()) {
                throw Failures.of(e);
            }
        }
    }

    /** Ends reading and compacting, which may take long. Nothing is lost by that. */
    void end() {
        ended.set(true);
        compaction.setCanceled(true);
    }

    @Override
    public void close() {
        if (database != null) {
            database.close();
        }
        closeSettings();
        Library.remove(directory);
    }

    private void closeSettings() {
        written.close();
        compaction.close();
        settings.close();
    }
}
