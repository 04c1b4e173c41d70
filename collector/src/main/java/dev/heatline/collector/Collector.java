package dev.heatline.collector;

import dev.heatline.collector.calls.CallOrders;
import dev.heatline.collector.calls.OrderedCalls;
import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.Jvms;
import dev.heatline.collector.spool.Backoff;
import dev.heatline.collector.spool.Entry;
import dev.heatline.collector.spool.Ingest;
import dev.heatline.collector.spool.Once;
import dev.heatline.collector.spool.Spool;
import dev.heatline.collector.spool.Uploader;
import dev.heatline.formats.jfr.LiveRecording.Position;
import dev.heatline.model.GeneratedNames;
import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import dev.heatline.wire.ProcessKey;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Finds JVMs, follows each in a thread of its own, and empties the spool to the server in another.
 * One collector per spool.
 */
public final class Collector implements AutoCloseable {
    private static final long LOOK_MILLIS = 2_000;

    /** For JVMs to be left alone. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    /** What the server does not take within this time is sent by the next collector. */
    private static final Duration LAST_UPLOADS = Duration.ofSeconds(5);

    /** For an upload to be broken off. */
    private static final Duration FAREWELL = Duration.ofSeconds(5);

    /** How long {@link #close} may take; who ends the process before leaves JVMs recording. */
    public static final Duration LONGEST_END = PATIENCE.plus(LAST_UPLOADS).plus(FAREWELL);

    private final CollectorOptions options;
    private final Consumer<String> say;
    private final Spool spool;
    private final Duration period;
    private final Uploader uploader;
    private final Memory memory = new Memory(Memory.DEFAULT_LIMIT);
    private final CountDownLatch stop = new CountDownLatch(1);
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private final Thread uploading;
    private final Thread looking;
    private final Optional<Thread> measuring;

    /** Also looked at by whoever ends the collector, while others may still be added. */
    private final Map<ProcessKey, Follower> followers = new ConcurrentHashMap<>();

    private Set<ProcessKey> seenBefore = new HashSet<>();

    private final CallTimes callTimes = new CallTimes();

    /** Those that are followed; written by the thread that looks. */
    private volatile List<Jvm> followedNow = List.of();

    /**
     * Starts to collect; returns at once.
     *
     * @param say takes remarks for people, one line each
     * @throws dev.heatline.collector.spool.SpoolException if the spool, the server's address or the
     *     token's file cannot be used; says why
     */
    public static Collector start(CollectorOptions options, Consumer<String> say) {
        return start(options, Budget.PERIOD, say);
    }

    /**
     * With a budget that is kept over other times, which settles sooner where they are short.
     *
     * @param period how long is judged at once
     */
    public static Collector start(CollectorOptions options, Duration period, Consumer<String> say) {
        Collector collector = new Collector(options, period, say);
        collector.uploading.start();
        collector.looking.start();
        collector.measuring.ifPresent(Thread::start);
        return collector;
    }

    private Collector(CollectorOptions options, Duration period, Consumer<String> say) {
        this.options = options;
        this.period = period;
        this.say = say;
        Ingest ingest = new Ingest(options.server(), options.tokenFile(), options.certificates());
        ingest.requireToken();
        this.spool = Spool.open(options.spool(), options.spoolBytes(), say);
        this.uploader = new Uploader(spool, ingest, new Backoff(RandomGenerator.getDefault()), say);
        this.uploading = thread("uploader", uploader::run);
        this.looking = thread("looking for JVMs", this::look);
        this.measuring =
                options.callAgent()
                        .map(
                                agent ->
                                        new CallOrders(
                                                ingest,
                                                agent,
                                                () -> followedNow,
                                                new Host(),
                                                stop,
                                                new Once(say)))
                        .map(orders -> thread("measuring calls", orders));
    }

    /** One that does not end unnoticed. */
    private Thread thread(String name, Runnable work) {
        return Thread.ofPlatform()
                .name(name)
                .uncaughtExceptionHandler((_, e) -> failure.complete(e))
                .unstarted(work);
    }

    /** Waits until the collector cannot go on, for ever if all is well; answers why. */
    public Throwable awaitFailure() throws InterruptedException {
        try {
            return failure.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private void look() {
        try {
            Orphans orphans =
                    new Orphans(spool, memory, callTimes, options.recording().eventNames(), say);
            do {
                List<Jvm> jvms = Jvms.list();
                followNew(jvms);
                Set<ProcessKey> followed = followed();
                followedNow =
                        jvms.stream().filter(jvm -> followed.contains(jvm.process())).toList();
                orphans.read(followed);
            } while (!stop.await(LOOK_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A JVM is followed when it is seen a second time: most of those that are not have ended. */
    private void followNew(List<Jvm> jvms) {
        Set<ProcessKey> seen = new HashSet<>();
        for (Jvm jvm : jvms) {
            seen.add(jvm.process());
            if (seenBefore.contains(jvm.process()) && isWanted(jvm)) {
                followers
                        .computeIfAbsent(jvm.process(), _ -> new Follower(say))
                        .tryIfDue(once -> start(jvm, once));
            }
        }
        followers
                .entrySet()
                .removeIf(each -> !seen.contains(each.getKey()) && !each.getValue().isAtWork());
        seenBefore = seen;
    }

    private Set<ProcessKey> followed() {
        return followers.entrySet().stream()
                .filter(each -> each.getValue().isAtWork())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** What measurements need of this collector. */
    private final class Host implements OrderedCalls.Host {
        @Override
        public void keep(Jvm jvm, String id, Instant from, Instant until, Profile measured) {
            if (measured.columns().isEmpty()) {
                return;
            }
            String source = "measurement " + id;
            Provenance known =
                    measured.provenance()
                            .merge(IntervalWriter.known(jvm.execution()))
                            .withTime(nanos(from), nanos(until));
            Profile named = Operations.mapConsumers(measured, GeneratedNames::normalise);
            String position = new Mark(Position.START, jvm.process(), true).written();
            spool.append(
                    new Entry(id, jvm.execution(), from, until, source, position),
                    named.withProvenance(known));
            // There is nothing more to be read of it.
            spool.forget(source);
        }

        private static long nanos(Instant moment) {
            return TimeUnit.SECONDS.toNanos(moment.getEpochSecond()) + moment.getNano();
        }

        @Override
        public void begins(Jvm jvm) {
            callTimes.begin(jvm.process(), Instant.now());
        }

        @Override
        public void ended(Jvm jvm) {
            callTimes.end(jvm.process(), Instant.now());
        }

        @Override
        public void hold(long more) {
            memory.add(more);
        }

        @Override
        public void say(String remark) {
            say.accept(remark);
        }
    }

    private Follower.Try start(Jvm jvm, Once obstacles) {
        Budget budget =
                new Budget(
                        options.budget(),
                        options.recording(),
                        options.lockAgent().isPresent(),
                        period);
        Target target =
                new Target(jvm, options, budget, spool, memory, callTimes, stop, obstacles, say);
        Thread thread = thread("following " + jvm, target);
        thread.start();
        return new Follower.Try(thread, target::hasFollowed, target::isHopeless);
    }

    private boolean isWanted(Jvm jvm) {
        // What hinders us in our own JVMs is to be said; there may be many of other users.
        boolean ours = jvm.isWithinReach() || jvm.announcement().isPresent();
        return ours
                && !isHeatline(jvm)
                && options.jvms().map(wanted -> isMeant(wanted, jvm)).orElse(true);
    }

    private static boolean isMeant(Pattern wanted, Jvm jvm) {
        return wanted.matcher(jvm.main()).find()
                || wanted.matcher(jvm.execution().application()).find()
                || wanted.matcher(Long.toString(jvm.pid())).matches();
    }

    private static boolean isHeatline(Jvm jvm) {
        return jvm.main().endsWith("heatline.jar") || jvm.main().equals("dev.heatline.cli.Main");
    }

    /**
     * Ends collecting: switches off what it had switched on, makes profiles of what was recorded,
     * and sends them if the server takes them at once. What it does not stays in the spool.
     */
    @Override
    public void close() {
        stop.countDown();
        long end = System.nanoTime() + PATIENCE.toNanos();
        requireEnd(looking, end);
        measuring.ifPresent(thread -> requireEnd(thread, end));
        followers.values().forEach(each -> each.thread().ifPresent(it -> requireEnd(it, end)));
        uploader.finish();
        hasEnded(uploading, System.nanoTime() + LAST_UPLOADS.toNanos());
        uploader.close();
        requireEnd(uploading, System.nanoTime() + FAREWELL.toNanos());
        spool.close();
    }

    /** Not for ever: a JVM that was stopped answers nobody. Its data is read next time. */
    private void requireEnd(Thread thread, long nanoTime) {
        if (!hasEnded(thread, nanoTime)) {
            say.accept(thread.getName() + " does not end");
        }
    }

    private static boolean hasEnded(Thread thread, long nanoTime) {
        try {
            return thread.join(Duration.ofNanos(Math.max(1, nanoTime - System.nanoTime())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
