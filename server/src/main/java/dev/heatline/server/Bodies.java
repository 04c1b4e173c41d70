package dev.heatline.server;

import io.helidon.common.buffers.DataReader;
import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Takes in what clients send: not too much, and all of it together in no more than a part of the
 * memory.
 */
final class Bodies {
    private static final int UNIT_BYTES = 1 << 16;
    private static final int FIRST_BYTES = 1 << 16;
    private static final int WAIT_SECONDS = 5;

    private final Limits limits;
    private final Semaphore memory;

    Bodies(Limits limits) {
        this.limits = limits;
        // The largest fits while it is copied.
        int least = 2 * units(limits.bodyBytes());
        this.memory = new Semaphore(Math.max(least, units(limits.receivedBytes())));
    }

    private static int units(long bytes) {
        return (int) Math.min(Integer.MAX_VALUE / 2, Math.ceilDiv(bytes, UNIT_BYTES));
    }

    /** What came in; holds its part of the memory until it is closed. */
    final class Body implements AutoCloseable {
        private byte[] bytes = new byte[0];
        private int units;

        /** Everything that was sent, still packed. */
        byte[] bytes() {
            return bytes;
        }

        /** Takes memory for what there is beside what it becomes, until it is copied. */
        private void resize(int capacity) {
            int more = units(capacity);
            try {
                if (!memory.tryAcquire(more, WAIT_SECONDS, TimeUnit.SECONDS)) {
                    throw new Refusal(503, "too many uploads at once; send it again", 2);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new Refusal(503, "the server is shutting down", 5);
            }
            int less = units;
            units += more;
            bytes = Arrays.copyOf(bytes, capacity);
            units -= less;
            memory.release(less);
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
     * @throws Refusal if it is too large or cut off
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
        try {
            fill(body, request.content().inputStream(), announced);
            return body;
        } catch (IOException
                | UncheckedIOException
                | DataReader.InsufficientDataAvailableException e) {
            body.close();
            throw new Refusal(400, "the upload is cut off");
        } catch (RuntimeException e) {
            body.close();
            throw e;
        } catch (OutOfMemoryError e) {
            body.close();
            throw new Refusal(503, "the server has too little memory; send it again", 30);
        }
    }

    private void fill(Body body, InputStream in, long announced) throws IOException {
        long most = announced >= 0 ? announced : limits.bodyBytes();
        body.resize((int) Math.min(most, FIRST_BYTES));
        int size = 0;
        for (int next = in.read(); next >= 0; next = in.read()) {
            if (size >= most) {
                throw tooLarge();
            }
            if (size == body.bytes.length) {
                body.resize((int) Math.min(most, 2L * size));
            }
            body.bytes[size++] = (byte) next;
            size += in.readNBytes(body.bytes, size, body.bytes.length - size);
        }
        if (announced > size) {
            throw new Refusal(
                    400, "the upload is cut off: " + size + " of " + announced + " bytes");
        }
        if (size < body.bytes.length) {
            body.resize(size);
        }
    }

    private Refusal tooLarge() {
        return new Refusal(413, "an upload may have " + limits.bodyBytes() + " bytes");
    }
}
