package dev.heatline.server;

import dev.heatline.store.Store;
import dev.heatline.store.StoreException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Once a minute, lets the store roll up and delete, and forgets executions that are gone. */
final class Maintenance implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Maintenance.class.getName());
    private static final Duration PAUSE = Duration.ofMinutes(1);

    private final Store store;
    private final KnownExecutions known;
    private final Metrics metrics;
    private final Duration pause;
    private final SteadyTime time = new SteadyTime(InstantSource.system(), System::nanoTime);
    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread thread;

    Maintenance(Store store, KnownExecutions known, Metrics metrics) {
        this(store, known, metrics, PAUSE);
    }

    Maintenance(Store store, KnownExecutions known, Metrics metrics, Duration pause) {
        this.store = store;
        this.known = known;
        this.metrics = metrics;
        this.pause = pause;
        this.thread = Thread.ofPlatform().daemon().name("maintenance").start(this::run);
    }

    private void run() {
        try {
            do {
                maintain();
            } while (!end.await(pause.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whatever goes wrong, even too little memory, may go well the next time. */
    private void maintain() {
        String outcome = "done";
        try {
            store.maintain(time.forAges());
            known.refresh(store);
        } catch (StoreException e) {
            if (end.getCount() == 0) {
                return;
            }
            outcome = "failed";
            LOG.log(System.Logger.Level.WARNING, "the store was not tidied: " + e.getMessage());
        } catch (Throwable e) {
            outcome = "failed";
            LOG.log(System.Logger.Level.ERROR, "the store was not tidied", e);
        }
        metrics.add(Metrics.Family.MAINTENANCE, Metrics.label("outcome", outcome), 1);
    }

    /** Begins no other round. */
    void end() {
        end.countDown();
    }

    /** Waits for a round that is under way; one ends early when the store is closed. */
    @Override
    public void close() {
        end();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
