package dev.heatline.server;

import java.time.Duration;

/** The requests that have no answer yet, so that a shutdown can wait for them. */
final class UnderWay {
    private int requests;
    private boolean closed;

    /** Counts a request in; false if no more are taken. */
    synchronized boolean enter() {
        if (closed) {
            return false;
        }
        requests++;
        return true;
    }

    synchronized void leave() {
        requests--;
        notifyAll();
    }

    /** Takes no more, and waits for those under way; false if some are left after this time. */
    synchronized boolean close(Duration patience) throws InterruptedException {
        closed = true;
        long end = System.nanoTime() + patience.toNanos();
        while (requests > 0) {
            long millis = Duration.ofNanos(end - System.nanoTime()).toMillis();
            if (millis <= 0) {
                return false;
            }
            wait(millis);
        }
        return true;
    }
}
