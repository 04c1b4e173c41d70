package dev.heatline.cli;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Says on a terminal what a command is doing once it takes longer than a second. In a pipe or a log
 * it says nothing at all.
 */
final class Progress implements AutoCloseable {
    private static final long PATIENCE_MILLIS = 1000;
    private static final long REFRESH_MILLIS = 200;
    private static final String CLEAR_LINE = "\r\033[K";

    private final Shell shell;
    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread display =
            Thread.ofPlatform().daemon().name("progress").unstarted(this::show);
    private final long startNanos = System.nanoTime();
    private volatile Step step = new Step("starting", 0);
    private volatile long reached;

    /**
     * @param of how much there is to do, 0 if that is unknown
     */
    private record Step(String name, long of) {}

    private Progress(Shell shell) {
        this.shell = shell;
    }

    static Progress start(Shell shell) {
        Progress progress = new Progress(shell);
        if (shell.messagesSeen()) {
            progress.display.start();
        }
        return progress;
    }

    /** What is being done now, such as {@code reading app.jfr}, with no known end. */
    void step(String name) {
        step(name, 0);
    }

    /** As above, until {@link #reach} gets to {@code of}. */
    void step(String name, long of) {
        reached = 0;
        step = new Step(name, of);
    }

    /** The last step. Where the answer may appear on the same terminal, nothing else does. */
    void writing(Optional<Path> file) {
        if (file.isPresent()) {
            step("writing " + file.get());
        } else {
            close();
        }
    }

    /** May be called from any thread, as often as one likes. */
    void reach(long amount) {
        reached = amount;
    }

    /** Something the user should know whatever comes out; not progress, so it is always said. */
    void tell(String remark) {
        String clear = shell.messagesSeen() ? CLEAR_LINE : "";
        shell.err().println(clear + "heatline: " + remark);
    }

    private void show() {
        try {
            if (done.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                return;
            }
            do {
                shell.err().print(CLEAR_LINE + line());
                shell.err().flush();
            } while (!done.await(REFRESH_MILLIS, TimeUnit.MILLISECONDS));
            shell.err().print(CLEAR_LINE);
            shell.err().flush();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String line() {
        Step now = step;
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos);
        if (now.of == 0) {
            return String.format(Locale.ROOT, "%s (%d s)", now.name, seconds);
        }
        double percent = Math.min(100, 100.0 * reached / now.of);
        return String.format(Locale.ROOT, "%s %.0f %% (%d s)", now.name, percent, seconds);
    }

    /** Returns when its line is gone, so that what is said next stands alone. */
    @Override
    public void close() {
        done.countDown();
        try {
            display.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
