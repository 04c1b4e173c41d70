package dev.heatline.server;

import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Takes in what clients send: not too much, not for too long, and all of it together in no more
 * than a part of the memory.
 */
final class Bodies {
    private static final int UNIT_BYTES = 1 << 16;
    private static final int FIRST_BYTES = 1 << 16;
    private static final Set<String> ENCODINGS = Set.of("", "identity", "gzip", "zstd");
    private static final int WAIT_SECONDS = 5;

    private final Limits limits;
    private final Semaphore memory;

    Bodies(Limits limits) {
        this.limits = limits;
        long bytes = Math.max(2 * limits.bodyBytes(), Runtime.getRuntime().maxMemory() / 4);
        this.memory = new Semaphore((int) Math.min(Integer.MAX_VALUE, bytes / UNIT_BYTES));
    }

    /** What came in; holds its part of the memory until it is closed. */
    final class Body implements AutoCloseable {
        private byte[] bytes = new byte[0];
        private int units;

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
     * @throws Refusal if it is too large, too slow, cut off, or packed in an unknown way
     */
    Body read(ServerRequest request) {
        String encoding =
                request.headers()
                        .first(io.helidon.http.HeaderNames.CONTENT_ENCODING)
                        .orElse("")
                        .toLowerCase(Locale.ROOT);
        if (!ENCODINGS.contains(encoding)) {
            throw new Refusal(415, "Content-Encoding may be gzip or zstd");
        }
        long announced = request.headers().contentLength().orElse(-1);
        if (announced > limits.bodyBytes()) {
            throw tooLarge();
        }
        if (!request.content().hasEntity()) {
            throw new Refusal(400, "the request has no content; send a profile");
        }
        Body body = new Body();
        try {
            fill(body, request.content().inputStream(), announced);
            return body;
        } catch (SocketTimeoutException e) {
            body.close();
            throw tooSlow();
        } catch (IOException | UncheckedIOException e) {
            body.close();
            throw cutOff(e);
        } catch (RuntimeException | Error e) {
            body.close();
            throw e;
        }
    }

    private void fill(Body body, InputStream in, long announced) throws IOException {
        long end = System.nanoTime() + limits.bodyTime().toNanos();
        body.grow(Math.clamp(announced, 1, FIRST_BYTES));
        int size = 0;
        int read;
        while ((read = in.read(body.bytes, size, body.bytes.length - size)) >= 0) {
            size += read;
            if (size > limits.bodyBytes()) {
                throw tooLarge();
            }
            if (System.nanoTime() > end) {
                throw tooSlow();
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

    private static Refusal cutOff(Exception e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SocketTimeoutException) {
                return tooSlow();
            }
        }
        return new Refusal(400, "the upload is cut off: " + e.getMessage());
    }
}
