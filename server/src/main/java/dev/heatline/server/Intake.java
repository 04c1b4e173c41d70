package dev.heatline.server;

import dev.heatline.formats.FormatException;
import dev.heatline.formats.ReadOptions;
import dev.heatline.model.Execution;
import dev.heatline.model.GeneratedNames;
import dev.heatline.model.ModelException;
import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import dev.heatline.store.Store;
import dev.heatline.store.StoreException;
import dev.heatline.store.Upload;
import java.time.Instant;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads and stores uploads, whichever way they came. Works in a few threads of its own: reading
 * keeps a processor busy, and the virtual threads of the web server would all wait behind it. No
 * more are read at a time than there are processors, which bounds the memory; storing waits for the
 * disk, so more may do that.
 */
final class Intake implements AutoCloseable {
    private static final int THREADS_PER_CORE = 4;

    /** Decoded uploads of all readers together may use a quarter of the memory. */
    private static final int PART_OF_MEMORY = 4;

    private final Store store;
    private final KnownExecutions known;
    private final Metrics metrics;
    private final ReadOptions options;
    private final Semaphore readers;
    private final ThreadPoolExecutor threads;

    /** Makes the profile of an upload from its bytes. */
    interface Reader {
        Profile read(ReadOptions options);
    }

    /**
     * What became of an upload.
     *
     * @param isNew false if it had been stored before
     */
    record Stored(String id, boolean isNew, Execution execution, long samples, int nodes) {}

    Intake(Store store, KnownExecutions known, Metrics metrics, Limits limits) {
        this.store = store;
        this.known = known;
        this.metrics = metrics;
        int cores = Runtime.getRuntime().availableProcessors();
        long fair = Runtime.getRuntime().maxMemory() / (PART_OF_MEMORY * (long) cores);
        this.options =
                ReadOptions.DEFAULT
                        .withSeconds()
                        .withMaxUnpackedBytes(Math.min(limits.unpackedBytes(), fair));
        this.readers = new Semaphore(cores);
        ThreadFactory named = Thread.ofPlatform().daemon().name("intake-", 1).factory();
        int size = THREADS_PER_CORE * cores;
        this.threads =
                new ThreadPoolExecutor(
                        size,
                        size,
                        0,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(limits.waitingUploads()),
                        named);
    }

    /**
     * Reads an upload and stores it; waits until that is done.
     *
     * @param format what to count it as
     * @throws Refusal if that cannot be done
     */
    Stored take(String id, Claim claim, String format, long bytes, Reader reader) {
        return counted(format, bytes, () -> await(() -> store(id, claim, inTurn(reader::read))));
    }

    /** How many uploads wait for a thread. */
    int waiting() {
        return threads.getQueue().size();
    }

    /**
     * Takes an upload that holds several apart, reads and stores them one after the other; waits
     * until that is done.
     *
     * @throws Refusal if that cannot be done
     */
    <T> T takeParts(Function<Parts, T> work) {
        return await(() -> inTurn(options -> work.apply(new Parts(options))));
    }

    /** The turn of an upload that holds several. */
    final class Parts {
        private final ReadOptions options;

        private Parts(ReadOptions options) {
            this.options = options;
        }

        ReadOptions options() {
            return options;
        }

        /** As {@link Intake#take}, of one of them. */
        Stored take(String id, Claim claim, String format, long bytes, Reader reader) {
            return counted(
                    format,
                    bytes,
                    () -> {
                        try {
                            return store(id, claim, reader.read(options));
                        } catch (FormatException | ModelException e) {
                            throw unreadable(e);
                        }
                    });
        }
    }

    private Stored counted(String format, long bytes, Supplier<Stored> taking) {
        String outcome = "refused";
        try {
            Stored stored = taking.get();
            outcome = stored.isNew ? "stored" : "repeat";
            return stored;
        } catch (StoreException e) {
            outcome = "failed";
            throw e;
        } finally {
            String labels =
                    Metrics.label("outcome", outcome) + "," + Metrics.label("format", format);
            metrics.add(Metrics.Family.UPLOADS, labels, 1);
            metrics.add(Metrics.Family.UPLOAD_BYTES, Metrics.label("format", format), bytes);
        }
    }

    private <T> T await(Supplier<T> work) {
        Future<T> future;
        try {
            future = threads.submit(work::get);
        } catch (RejectedExecutionException e) {
            throw new Refusal(503, "too many uploads at once; send it again", 2);
        }
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw cause(e);
        } catch (InterruptedException e) {
            future.cancel(true);
            Thread.currentThread().interrupt();
            throw new Refusal(503, "the server is shutting down", 5);
        }
    }

    private static RuntimeException cause(ExecutionException e) {
        return switch (e.getCause()) {
            case FormatException wrong -> unreadable(wrong);
            case ModelException wrong -> unreadable(wrong);
            // It may be others that took the memory, so whoever sent it keeps it.
            case OutOfMemoryError _ ->
                    new Refusal(503, "the server has too little memory; send it again", 30);
            case RuntimeException other -> other;
            case null, default -> new IllegalStateException(e);
        };
    }

    private static Refusal unreadable(RuntimeException wrong) {
        return new Refusal(422, String.valueOf(wrong.getMessage()));
    }

    private Stored store(String id, Claim claim, Profile sent) {
        ProfileCheck.check(sent);
        // What is called otherwise in every run would never be one method of an application.
        Profile profile = Operations.mapConsumers(sent, GeneratedNames::normalise);
        Upload upload = claim.upload(id, profile, Instant.now());
        known.admit(upload.execution());
        long started = System.nanoTime();
        boolean isNew = store.add(upload);
        metrics.observe(Metrics.Family.STORE, "", System.nanoTime() - started);
        long samples = profile.samples();
        if (isNew) {
            metrics.add(Metrics.Family.SAMPLES, "", samples);
            metrics.addProvenance(profile.provenance());
        }
        return new Stored(id, isNew, upload.execution(), samples, profile.nodeCount());
    }

    private <T> T inTurn(Function<ReadOptions, T> reader) {
        readers.acquireUninterruptibly();
        long started = System.nanoTime();
        try {
            return reader.apply(options);
        } finally {
            readers.release();
            metrics.observe(Metrics.Family.DECODE, "", System.nanoTime() - started);
        }
    }

    @Override
    public void close() {
        threads.close();
    }
}
