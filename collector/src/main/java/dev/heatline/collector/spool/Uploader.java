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
import java.util.function.Consumer;

/**
 * Empties a spool to a server, as a rule the oldest profile first, one at a time. A profile leaves
 * the spool only when the server has it or will never take it; an upload whose answer got lost is
 * repeated with the same id, which changes nothing. The caller owns the thread.
 */
public final class Uploader implements AutoCloseable {

    /** How often an empty spool is looked at. */
    private static final Duration IDLE = Duration.ofMillis(500);

    /**
     * Between a profile that the server does not take yet and the next one: such a server may as
     * well have had too many requests.
     */
    private static final Duration PAUSE = Duration.ofMillis(50);

    /** A profile that the server failed at so often waits until all others have been tried. */
    private static final int MAX_FAILURES = 3;

    private final Spool spool;
    private final Ingest ingest;
    private final Backoff backoff;
    private final Once remarks;
    private final Once postponements;
    private final CountDownLatch ending = new CountDownLatch(1);
    private volatile boolean closed;

    /** The profile that the server failed at last, and how often in a row. */
    private long failedNumber;

    private int failures;

    /** Until then those are left alone that the server did not take yet. */
    private long restUntilNanos = System.nanoTime();

    /**
     * @param ingest closed with the uploader
     * @param say told what people should know about the server
     */
    public Uploader(Spool spool, Ingest ingest, Backoff backoff, Consumer<String> say) {
        this.spool = spool;
        this.ingest = ingest;
        this.backoff = backoff;
        this.remarks = new Once(say);
        this.postponements = new Once(say);
    }

    /** Uploads until it is told to finish or closed, or its thread is interrupted. */
    public void run() {
        try {
            boolean last = false;
            while (!closed) {
                Duration wait = uploadOne();
                if (last && wait.compareTo(PAUSE) > 0) {
                    return;
                }
                last = ending.await(wait.toMillis(), TimeUnit.MILLISECONDS);
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
            return oldest.filter(file -> !isResting(file)).isEmpty() ? IDLE : upload(oldest.get());
        } catch (SpoolException e) {
            return troubled(String.valueOf(e.getMessage()));
        }
    }

    private Duration upload(SpoolFile file) throws InterruptedException {
        Answer answer = ingest.send(file.entry(), body(file));
        if (closed) {
            // Whatever failed did so because of that.
            return Duration.ZERO;
        }
        switch (answer.outcome()) {
            case TAKEN -> taken(file);
            case REFUSED -> spool.setAside(file, "refused", "is lost, because " + answer.why());
            case NOT_YET -> {
                postpone(file, answer);
                return PAUSE;
            }
            case FAILED, FORBIDDEN, LATER -> {
                if (answer.outcome() == Answer.Outcome.FAILED) {
                    countFailure(file);
                }
                Duration wait = troubled(answer.why() + "; profiles are kept meanwhile");
                return longer(wait, answer.retryAfter());
            }
        }
        backoff.succeeded();
        remarks.over(ingest.server() + " takes profiles again");
        return Duration.ZERO;
    }

    private void taken(SpoolFile file) {
        spool.remove(file);
        if (spool.postponed() == 0) {
            postponements.over("no profile is postponed any more");
        }
    }

    private boolean isResting(SpoolFile file) {
        return spool.isPostponed(file) && System.nanoTime() - restUntilNanos < 0;
    }

    /**
     * Goes on with others: whether they wait for the same is seen when they are tried. Those that
     * come meanwhile do not make the rest longer, or there would be no end of it.
     */
    private void postpone(SpoolFile file, Answer answer) {
        if (spool.postponed() == 0) {
            postponements.say(
                    file.entry().about()
                            + " is postponed, because "
                            + answer.why()
                            + "; others are sent meanwhile");
        }
        spool.postpone(file);
        Duration rest = longer(backoff.failed(), answer.retryAfter());
        if (System.nanoTime() - restUntilNanos >= 0) {
            restUntilNanos = System.nanoTime() + rest.toNanos();
        }
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    /** One profile that a server cannot digest must not keep all others from it. */
    private void countFailure(SpoolFile file) {
        failures = file.number() == failedNumber ? failures + 1 : 1;
        failedNumber = file.number();
        if (failures >= MAX_FAILURES) {
            failures = 0;
            spool.postpone(file);
        }
    }

    private Duration troubled(String why) {
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

    /** Ends {@link #run} when the spool is empty, or as soon as the server is in trouble. */
    public void finish() {
        ending.countDown();
    }

    /** Ends {@link #run} soon; what is not uploaded stays in the spool. */
    @Override
    public void close() {
        closed = true;
        ending.countDown();
        ingest.close();
    }
}
