package dev.heatline.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets Ctrl-C, or SIGTERM, end what a command waits for, and not the command: it still says what it
 * has. The shell sees the exit code of an interrupted command. A second one changes nothing: what
 * the command has switched on elsewhere is to be switched off first.
 */
final class Interruption implements AutoCloseable {
    /** For what is left to do; then it ends all the same. */
    private static final long PATIENCE_SECONDS = 10;

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch finished = new CountDownLatch(1);
    private final Thread hook = new Thread(this::interrupted, "interrupted");
    private final boolean isSecondHalting;

    Interruption() {
        this(false);
    }

    private Interruption(boolean isSecondHalting) {
        this.isSecondHalting = isSecondHalting;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Of a command that leaves nothing behind without its doing: a second Ctrl-C halts it. */
    static Interruption haltingAtTheSecond() {
        return new Interruption(true);
    }

    private void interrupted() {
        asked.countDown();
        if (isSecondHalting) {
            SecondInterrupt.halts();
        }
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
