package dev.heatline.collector.calls;

import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.JvmException;
import dev.heatline.collector.spool.Ingest;
import dev.heatline.collector.spool.SpoolException;
import dev.heatline.formats.HeatFormat;
import dev.heatline.formats.WriteOptions;
import dev.heatline.model.Profile;
import dev.heatline.wire.CallOrder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One measurement that a server wants, in a thread of its own. Every second the server is told what
 * was measured so far, and says whether that is to go on; what was measured in all is kept like
 * every profile.
 */
public final class OrderedCalls {

    /** Takes what was measured. */
    public interface Keeper {
        void keep(Jvm jvm, String id, Instant from, Instant until, Profile measured);
    }

    /** What a collector has memory for, along with all else that it does. */
    private static final int MOST_CONTEXTS = 100_000;

    private static final long LOOK_MILLIS = 1_000;

    /** A server that says nothing for so long takes this for failed. */
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Ingest server;
    private final Path agent;
    private final Jvm jvm;
    private final CallOrder order;
    private final Keeper keeper;
    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread thread;
    private long lastAnswerNanos = System.nanoTime();

    private OrderedCalls(Ingest server, Path agent, Jvm jvm, CallOrder order, Keeper keeper) {
        this.server = server;
        this.agent = agent;
        this.jvm = jvm;
        this.order = order;
        this.keeper = keeper;
        this.thread = Thread.ofPlatform().name("measuring " + jvm).unstarted(this::run);
    }

    static OrderedCalls start(Ingest server, Path agent, Jvm jvm, CallOrder order, Keeper keeper) {
        OrderedCalls calls = new OrderedCalls(server, agent, jvm, order, keeper);
        calls.thread.start();
        return calls;
    }

    /** Ends it soon; what was measured until then counts. */
    void end() {
        end.countDown();
    }

    boolean isOver() {
        return !thread.isAlive();
    }

    void awaitEnd() throws InterruptedException {
        thread.join();
    }

    private void run() {
        try {
            measure();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void measure() throws InterruptedException {
        Instant from = Instant.now();
        try (CallWatch watch = CallWatch.start(jvm, agent, order.request().within(MOST_CONTEXTS))) {
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(order.seconds());
            boolean wanted = isWanted("running", "", watch);
            while (wanted
                    && !end.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)
                    && System.nanoTime() - until < 0
                    && jvm.process().isAlive()
                    && !watch.isOver()) {
                watch.look();
                wanted = isWanted("running", "", watch);
            }
            watch.stop();
            keeper.keep(jvm, order.id(), from, Instant.now(), watch.take());
            isWanted("ended", jvm.process().isAlive() ? "" : "the JVM has ended", watch);
        } catch (JvmException | SpoolException e) {
            tell("failed", String.valueOf(e.getMessage()), List.of(), new byte[0]);
        }
    }

    /** Whether it is to go on, after the server was told. */
    private boolean isWanted(String state, String message, CallWatch watch)
            throws InterruptedException {
        Optional<String> answer = tell(state, message, watch.remarks(), packed(watch.take()));
        if (answer.isPresent()) {
            lastAnswerNanos = System.nanoTime();
        }
        return answer.map("go on"::equals)
                .orElse(System.nanoTime() - lastAnswerNanos < SILENCE_NANOS);
    }

    private Optional<String> tell(String state, String message, List<String> said, byte[] profile)
            throws InterruptedException {
        StringBuilder path = new StringBuilder("/api/v1/collectors/measurements?id=");
        path.append(Ingest.encoded(order.id())).append("&state=").append(state);
        path.append("&message=").append(Ingest.encoded(message));
        for (String line : said) {
            path.append("&said=").append(Ingest.encoded(line));
        }
        return server.tell(path.toString(), BodyPublishers.ofByteArray(profile));
    }

    private static byte[] packed(Profile profile) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            new HeatFormat().write(profile, bytes, WriteOptions.DEFAULT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
