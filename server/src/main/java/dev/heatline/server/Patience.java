package dev.heatline.server;

import java.time.Duration;

/**
 * How long a client has kept the server waiting. It has to send some of its request, and to take
 * some of an answer, in any stretch of time that the server waits for it; and a whole request may
 * not take too long, however steadily it comes.
 */
final class Patience {

    /** More than everything before the content of a request may have. */
    private static final int REQUEST_BYTES = 64 << 10;

    /** Much, because answers hold memory and there are few places for exports. */
    private static final int ANSWER_BYTES = 1 << 20;

    /** What the server waits for. */
    enum For {
        HANDSHAKE,
        REQUEST,
        ANSWER
    }

    private final long someNanos;
    private final long requestNanos;
    private For what = For.HANDSHAKE;
    private boolean waits;
    private long sinceNanos;
    private long waitedNanos;
    private long waitedForSomeNanos;
    private long bytes;
    private long someBytes;

    /**
     * @param some for a part of a request or of an answer
     * @param request for a whole request
     */
    Patience(Duration some, Duration request) {
        someNanos = some.toNanos();
        requestNanos = request.toNanos();
    }

    /** The server begins to wait for the client. */
    synchronized void begin(For wanted, long nowNanos) {
        if (wanted != what) {
            what = wanted;
            waitedNanos = 0;
            waitedForSomeNanos = 0;
            bytes = 0;
            someBytes = 0;
        }
        waits = true;
        sinceNanos = nowNanos;
    }

    /** The client sent or took so much, and the server goes on. */
    synchronized void end(int moved, long nowNanos) {
        // Who has sent nothing yet wants nothing.
        long waited = isIdle() ? 0 : nowNanos - sinceNanos;
        waits = false;
        waitedNanos += waited;
        waitedForSomeNanos += waited;
        bytes += moved;
        someBytes += moved;
        if (someBytes >= (what == For.ANSWER ? ANSWER_BYTES : REQUEST_BYTES)) {
            waitedForSomeNanos = 0;
            someBytes = 0;
        }
    }

    /** Whether the server has waited for too long. */
    synchronized boolean isOver(long nowNanos) {
        long waiting = nowNanos - sinceNanos;
        return waits
                && (waitedForSomeNanos + waiting > someNanos
                        || (what == For.REQUEST && waitedNanos + waiting > requestNanos));
    }

    /** Whether the client wants nothing at the moment. */
    synchronized boolean isIdle() {
        return what == For.REQUEST && bytes == 0;
    }
}
