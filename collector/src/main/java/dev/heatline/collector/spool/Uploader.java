package dev.heatline.collector.spool;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Empties a spool to a server, the oldest profile first, one at a time. A profile leaves the spool
 * only when the server has it or will never take it; an upload whose answer got lost is repeated
 * with the same id, which changes nothing. The caller owns the thread.
 */
public final class Uploader implements AutoCloseable {

    /** How often an empty spool is looked at. */
    private static final Duration IDLE = Duration.ofMillis(500);

    private final Spool spool;
    private final Ingest ingest;
    private final Backoff backoff;
    private final Once remarks;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicLong uploaded = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    /**
     * @param ingest closed with the uploader
     * @param remarks what people should know about the server
     */
    public Uploader(Spool spool, Ingest ingest, Backoff backoff, Once remarks) {
        this.spool = spool;
        this.ingest = ingest;
        this.backoff = backoff;
        this.remarks = remarks;
    }

    /** Uploads until it is closed or its thread interrupted. */
    public void run() {
        try {
            Duration wait = Duration.ZERO;
            while (!closed.await(wait.toMillis(), TimeUnit.MILLISECONDS)) {
                wait = uploadOne();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Tries to upload one profile.
     *
     * @return how long to wait before the next call
     */
    public Duration uploadOne() throws InterruptedException {
        try {
            Optional<SpoolFile> oldest = spool.oldest();
            return oldest.isEmpty() ? IDLE : upload(oldest.get());
        } catch (SpoolException e) {
            return troubled(String.valueOf(e.getMessage()));
        }
    }

    private Duration upload(SpoolFile file) throws InterruptedException {
        Answer answer = ingest.send(file.entry(), body(file));
        if (closed.getCount() == 0) {
            // Whatever failed did so because of that.
            return Duration.ZERO;
        }
        switch (answer.outcome()) {
            case TAKEN -> {
                uploaded.incrementAndGet();
                spool.remove(file);
            }
            case REFUSED -> {
                failed.incrementAndGet();
                spool.setAside(file, "refused", "is lost, because " + answer.why());
            }
            case FORBIDDEN, LATER -> {
                Duration wait = troubled(answer.why() + "; profiles are kept meanwhile");
                return wait.compareTo(answer.retryAfter()) > 0 ? wait : answer.retryAfter();
            }
        }
        backoff.succeeded();
        remarks.over(ingest.server() + " takes profiles again");
        return Duration.ZERO;
    }

    private Duration troubled(String why) {
        failed.incrementAndGet();
        remarks.say(why);
        return backoff.failed();
    }

    /** Read piece by piece while it is sent. */
    private BodyPublisher body(SpoolFile file) {
        return BodyPublishers.fromPublisher(
                BodyPublishers.ofInputStream(() -> open(file)), file.bodyBytes());
    }

    private InputStream open(SpoolFile file) {
        try {
            return spool.body(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Profiles the server has taken, since the start. */
    public long uploaded() {
        return uploaded.get();
    }

    /** Uploads that did not succeed, repeated ones each time. */
    public long failed() {
        return failed.get();
    }

    /** Ends {@link #run} soon; what is not uploaded stays in the spool. */
    @Override
    public void close() {
        closed.countDown();
        ingest.close();
    }
}
