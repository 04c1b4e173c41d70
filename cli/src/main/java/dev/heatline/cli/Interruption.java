package dev.heatline.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets Ctrl-C, or SIGTERM, end what a command waits for, and not the command: it still says what it
 * has. The shell sees the exit code of an interrupted command. A second one ends the command at
 * once.
 */
final class Interruption implements AutoCloseable {
    /** For what is left to do; then it ends all the same. */
    private static final long PATIENCE_SECONDS = 10;

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch finished = new CountDownLatch(1);
    private final Thread hook = new Thread(this::interrupted, "interrupted");

    Interruption() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void interrupted() {
        asked.countDown();
        SecondSignal.INTERRUPT.endAtOnce();
        try {
            finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits so long at most; whether to end before that. */
    boolean isAsked(long nanos) {
        try {
            return asked.await(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    @Override
    public void close() {
        finished.countDown();
        if (asked.getCount() > 0) {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }
}
