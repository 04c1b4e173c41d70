package dev.heatline.collector.calls;

import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.JvmException;
import dev.heatline.collector.spool.Answer;
import dev.heatline.collector.spool.Ingest;
import dev.heatline.collector.spool.SpoolException;
import dev.heatline.formats.HeatFormat;
import dev.heatline.formats.WriteOptions;
import dev.heatline.model.Profile;
import dev.heatline.wire.CallOrder;
import dev.heatline.wire.CallReport;
import dev.heatline.wire.CallReport.State;
import dev.heatline.wire.CallSnapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One measurement that a server wants, in a thread of its own. Every second the server is told what
 * was measured so far, and says whether that is to go on; what was measured in all is kept like
 * every profile, unless it is none.
 */
public final class OrderedCalls {

    /** What a collector offers to measurements. */
    public interface Host {

        /** Takes account of calls of a JVM that are measured from now on. */
        void begins(Jvm jvm);

        /** They are not any more. */
        void ended(Jvm jvm);

        /** Takes what was measured. */
        void keep(Jvm jvm, String id, Instant from, Instant until, Profile measured);

        /** Takes account of so many more calling contexts, names and values in memory. */
        void hold(long more);

        /** Takes a remark for people, one line. */
        void say(String remark);
    }

    static final String PATH = "/api/v1/collectors/measurements";

    /** What a collector has memory for, along with all else that it does. */
    private static final int MOST_CONTEXTS = 20_000;

    /** A context is held three times as it was told, and once in each of five columns. */
    private static final int HELD_PER_CONTEXT = 20;

    private static final long LOOK_MILLIS = 1_000;

    /** A server that says nothing for so long takes this for failed. */
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Ingest server;
    private final Path agent;
    private final Jvm jvm;
    private final CallOrder order;
    private final Host host;
    private final CountDownLatch end = new CountDownLatch(1);
    private final Instant from = Instant.now();
    private final Thread thread;
    private long lastAnswerNanos = System.nanoTime();
    private boolean isSeen = true;
    private long held;

    private OrderedCalls(Ingest server, Path agent, Jvm jvm, CallOrder order, Host host) {
        this.server = server;
        this.agent = agent;
        this.jvm = jvm;
        this.order = order;
        this.host = host;
        this.thread = Thread.ofPlatform().name("measuring " + jvm).unstarted(this::run);
    }

    static OrderedCalls start(Ingest server, Path agent, Jvm jvm, CallOrder order, Host host) {
        OrderedCalls calls = new OrderedCalls(server, agent, jvm, order, host);
        calls.thread.start();
        return calls;
    }

    /** Tells the server that one is not carried out. */
    static void refuse(Ingest server, CallOrder order, String why) throws InterruptedException {
        long now = System.currentTimeMillis();
        CallReport report = new CallReport(order.id(), State.FAILED, why, List.of(), now, now);
        server.tell(PATH, BodyPublishers.ofByteArray(report.written(new byte[0])));
    }

    Jvm jvm() {
        return jvm;
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
        host.say(
                jvm
                        + (order.request().isOfRegions() ? ": calls of " : ": calls below ")
                        + order.request().subject()
                        + " are measured, as the server wants it");
        String ended = "";
        // Two readings of the clock make no difference to what is sampled.
        if (!order.request().isOfRegions()) {
            host.begins(jvm);
        }
        try {
            ended = measured();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            // What goes wrong in one JVM must not end the profiling of all others.
            ended = e.toString();
            fail(ended);
        } finally {
            host.hold(-held);
            host.ended(jvm);
            host.say(jvm + ": its calls are not measured any more" + because(ended));
        }
    }

    private static String because(String why) {
        return why.isEmpty() ? "" : ": " + why;
    }

    /** Measures; what went wrong, or nothing. */
    private String measured() throws InterruptedException {
        try (CallWatch watch = CallWatch.start(jvm, agent, order.request().within(MOST_CONTEXTS))) {
            String failure = "";
            try {
                follow(watch);
                watch.stop();
            } catch (JvmException e) {
                failure = String.valueOf(e.getMessage());
            }
            // What was seen until then is worth as much.
            byte[] measured = kept(watch);
            String how = jvm.process().isAlive() ? failure : "the JVM has ended";
            tell(failure.isEmpty() ? State.ENDED : State.FAILED, how, watch.remarks(), measured);
            return failure;
        } catch (JvmException | SpoolException e) {
            fail(String.valueOf(e.getMessage()));
            return String.valueOf(e.getMessage());
        }
    }

    /** All that was measured. Times of regions are no profile: only who ordered them sees them. */
    private byte[] kept(CallWatch watch) {
        if (!order.request().isOfRegions()) {
            host.keep(jvm, order.id(), from, Instant.now(), watch.take());
        }
        return seen(watch);
    }

    private byte[] seen(CallWatch watch) {
        try {
            return order.request().isOfRegions() ? watch.regions().written() : packed(watch.take());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void follow(CallWatch watch) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(order.seconds());
        while (isWanted(watch)
                && !end.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)
                && System.nanoTime() - until < 0
                && jvm.process().isAlive()
                && !watch.isOver()) {
            watch.look();
        }
    }

    /** Whether it is to go on, after the server was told. */
    private boolean isWanted(CallWatch watch) throws InterruptedException {
        long size = (long) HELD_PER_CONTEXT * contexts(watch.seen());
        host.hold(size - held);
        held = size;
        byte[] measured = isSeen ? seen(watch) : new byte[0];
        Answer answer = tell(State.RUNNING, "", watch.remarks(), measured);
        if (!answer.isTaken()) {
            return System.nanoTime() - lastAnswerNanos < SILENCE_NANOS;
        }
        lastAnswerNanos = System.nanoTime();
        isSeen = answer.said().equals(CallReport.GO_ON);
        return !answer.said().equals(CallReport.END);
    }

    private static int contexts(CallSnapshot seen) {
        return seen.trees().stream().mapToInt(CallSnapshot.Tree::size).sum();
    }

    private Answer tell(State state, String message, List<String> remarks, byte[] measured)
            throws InterruptedException {
        CallReport report =
                new CallReport(
                        order.id(),
                        state,
                        message,
                        remarks,
                        from.toEpochMilli(),
                        System.currentTimeMillis());
        return server.tell(PATH, BodyPublishers.ofByteArray(report.written(measured)));
    }

    private void fail(String why) {
        try {
            tell(State.FAILED, why, List.of(), new byte[0]);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static byte[] packed(Profile profile) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new HeatFormat().write(profile, bytes, WriteOptions.DEFAULT);
        return bytes.toByteArray();
    }
}
