package dev.heatline.server;

import io.helidon.common.buffers.DataReader;
import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Takes in what clients send: not too much, not for too long, and all of it together in no more
 * than a part of the memory.
 */
final class Bodies implements AutoCloseable {
    private static final int UNIT_BYTES = 1 << 16;
    private static final int FIRST_BYTES = 1 << 16;
    private static final int WAIT_SECONDS = 5;

    private final Limits limits;
    private final Metrics metrics;
    private final Semaphore memory;
    private final ScheduledThreadPoolExecutor watch;

    Bodies(Limits limits, Metrics metrics) {
        this.limits = limits;
        this.metrics = metrics;
        this.watch =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().daemon().name("slow-clients").factory());
        watch.setRemoveOnCancelPolicy(true);
        long bytes = Math.max(2 * limits.bodyBytes(), Runtime.getRuntime().maxMemory() / 4);
        this.memory = new Semaphore((int) Math.min(Integer.MAX_VALUE, bytes / UNIT_BYTES));
    }

    /** What came in; holds its part of the memory until it is closed. */
    final class Body implements AutoCloseable {
        private byte[] bytes = new byte[0];
        private int units;
        private volatile int received;

        /** Everything that was sent, still packed. */
        byte[] bytes() {
            return bytes;
        }

        private void grow(int capacity) {
            int more = Math.ceilDiv(capacity, UNIT_BYTES) - units;
            try {
                if (more > 0 && !memory.tryAcquire(more, WAIT_SECONDS, TimeUnit.SECONDS)) {
                    throw new Refusal(503, "too many uploads at once; send it again", 2);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new Refusal(503, "the server is shutting down", 5);
            }
            units += Math.max(0, more);
            bytes = Arrays.copyOf(bytes, capacity);
        }

        @Override
        public void close() {
            memory.release(units);
            units = 0;
        }
    }

    /**
     * Reads the whole content of a request.
     *
     * @throws Refusal if it is too large, too slow or cut off
     */
    Body read(ServerRequest request) {
        long announced = request.headers().contentLength().orElse(-1);
        if (announced > limits.bodyBytes()) {
            throw tooLarge();
        }
        if (!request.content().hasEntity()) {
            throw new Refusal(400, "the request has no content; send a profile");
        }
        Body body = new Body();
        Patience patience = new Patience(body);
        try {
            fill(body, request.content().inputStream(), announced);
            return body;
        } catch (IOException
                | UncheckedIOException
                | DataReader.InsufficientDataAvailableException e) {
            body.close();
            throw patience.isOver() ? tooSlow() : new Refusal(400, "the upload is cut off");
        } catch (RuntimeException e) {
            body.close();
            throw patience.isOver() ? tooSlow() : e;
        } catch (OutOfMemoryError e) {
            body.close();
            throw new Refusal(503, "the server has too little memory; send it again", 30);
        } finally {
            patience.end();
        }
    }

    /**
     * Ends the wait for a client that has stopped sending. The web server knows no timeout within a
     * request, so the reading thread is interrupted, which closes the connection.
     */
    private final class Patience {
        private final Thread reader = Thread.currentThread();
        private final Body body;
        private final long endNanos = System.nanoTime() + limits.bodyTime().toNanos();
        private final Future<?> check;
        private int seenBytes = -1;
        private boolean ended;
        private boolean over;

        private Patience(Body body) {
            this.body = body;
            long millis = limits.silence().toMillis();
            this.check =
                    watch.scheduleAtFixedRate(this::check, millis, millis, TimeUnit.MILLISECONDS);
        }

        private synchronized void check() {
            int received = body.received;
            boolean silent = received == seenBytes;
            seenBytes = received;
            if (!ended && !over && (silent || System.nanoTime() > endNanos)) {
                over = true;
                metrics.add(Metrics.Family.SLOW, "", 1);
                reader.interrupt();
            }
        }

        private synchronized boolean isOver() {
            return over;
        }

        private synchronized void end() {
            ended = true;
            check.cancel(false);
        }
    }

    private void fill(Body body, InputStream in, long announced) throws IOException {
        body.grow(Math.clamp(announced, 1, FIRST_BYTES));
        int size = 0;
        int read;
        while ((read = in.read(body.bytes, size, body.bytes.length - size)) >= 0) {
            size += read;
            body.received = size;
            if (size > limits.bodyBytes()) {
                throw tooLarge();
            }
            if (size == body.bytes.length) {
                long limit =
                        announced >= 0 ? Math.max(announced, size + 1L) : limits.bodyBytes() + 1;
                body.grow((int) Math.min(limit, size * 2L));
            }
        }
        if (announced > size) {
            throw new Refusal(
                    400, "the upload is cut off: " + size + " of " + announced + " bytes");
        }
        body.bytes = Arrays.copyOf(body.bytes, size);
    }

    private Refusal tooLarge() {
        return new Refusal(413, "an upload may have " + limits.bodyBytes() + " bytes");
    }

    private static Refusal tooSlow() {
        return new Refusal(408, "the upload took too long to arrive");
    }

    @Override
    public void close() {
        watch.close();
    }
}
