package dev.heatline.server.query;

import dev.heatline.formats.FormatException;
import dev.heatline.model.ModelException;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerResponse;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Sends answers. Clients read at their own pace, if it is not too slow, so what is under way to all
 * of them together is bounded.
 */
final class Sending {
    private static final int FILES_AT_ONCE = 2;

    /** What is wrong with so much of a file can still be told in its place. */
    private static final int BUFFER_BYTES = 1 << 16;

    private static final int PART_OF_MEMORY = 8;

    private final Threads threads;
    private final long mostBytes = Runtime.getRuntime().maxMemory() / PART_OF_MEMORY;
    private final AtomicLong bytes = new AtomicLong();
    private final Semaphore files = new Semaphore(FILES_AT_ONCE);

    /**
     * @param threads who writes files
     */
    Sending(Threads threads) {
        this.threads = threads;
    }

    /**
     * Sends an answer; waits until the client has it.
     *
     * @throws QueryException if too much is under way already; nothing is sent then
     */
    void send(ServerResponse response, Answer answer) {
        if (answer.file().isPresent()) {
            sendFile(response, answer.file().get());
        } else {
            sendText(response, answer);
        }
    }

    /** Sends a short text, however much is under way. */
    static void sendNow(ServerResponse response, Answer text) {
        head(response, text.status());
        response.header(HeaderNames.CONTENT_TYPE, "application/json");
        response.send(text.body());
    }

    private static void head(ServerResponse response, int status) {
        response.status(status);
        response.header(HeaderNames.CACHE_CONTROL, "no-store");
        response.header(HeaderNames.create("X-Content-Type-Options"), "nosniff");
    }

    private void sendText(ServerResponse response, Answer answer) {
        int length = answer.body().length;
        long before = bytes.getAndAdd(length);
        try {
            if (before > 0 && before + length > mostBytes) {
                throw QueryException.busy(
                        "too many answers are still being read by others; ask again later");
            }
            sendNow(response, answer);
        } finally {
            bytes.addAndGet(-length);
        }
    }

    private void sendFile(ServerResponse response, Answer.File file) {
        if (!files.tryAcquire()) {
            throw QueryException.busy(
                    FILES_AT_ONCE + " exports are under way already; ask again later");
        }
        try {
            FutureTask<Void> task =
                    new FutureTask<>(
                            () -> {
                                write(response, file);
                                return null;
                            });
            Threads.finished(task, threads.computing());
        } finally {
            files.release();
        }
    }

    /** What fails before the first bytes are sent is an answer like any other. */
    private static void write(ServerResponse response, Answer.File file) {
        Begun out = new Begun(response, file.name());
        try {
            OutputStream buffered = new BufferedOutputStream(out, BUFFER_BYTES);
            file.content().writeTo(buffered);
            buffered.flush();
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (FormatException | ModelException e) {
            if (out.opened != null) {
                throw new IllegalStateException("an export ends in the middle", e);
            }
            throw e;
        }
    }

    /** Sends the head of an answer with the first bytes of it. */
    private static final class Begun extends OutputStream {
        private final ServerResponse response;
        private final String name;
        private @Nullable OutputStream opened;

        private Begun(ServerResponse response, String name) {
            this.response = response;
            this.name = name;
        }

        private OutputStream out() {
            if (opened == null) {
                head(response, 200);
                response.header(HeaderNames.CONTENT_TYPE, "application/octet-stream");
                response.header(
                        HeaderNames.CONTENT_DISPOSITION, "attachment; filename=\"" + name + "\"");
                opened = response.outputStream();
            }
            return opened;
        }

        @Override
        public void write(int b) throws IOException {
            out().write(b);
        }

        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
            out().write(from, offset, length);
        }

        @Override
        public void flush() {
            // The web server decides when to send.
        }

        @Override
        public void close() throws IOException {
            out().close();
        }
    }
}
