package dev.heatline.collector;

import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.Jvms;
import dev.heatline.collector.spool.Backoff;
import dev.heatline.collector.spool.Ingest;
import dev.heatline.collector.spool.Once;
import dev.heatline.collector.spool.Spool;
import dev.heatline.collector.spool.Uploader;
import dev.heatline.wire.ProcessKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Finds JVMs, follows each in a thread of its own, and empties the spool to the server in another.
 * One collector per spool.
 */
public final class Collector implements AutoCloseable {
    private static final long LOOK_MILLIS = 2_000;
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    /** A JVM that could not be profiled is tried again after so many looks. */
    private static final int LOOKS_BEFORE_RETRY = 30;

    private final CollectorOptions options;
    private final Consumer<String> say;
    private final Spool spool;
    private final Uploader uploader;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread uploading;
    private final Thread looking;
    private final Map<ProcessKey, Thread> targets = new HashMap<>();
    private final Map<ProcessKey, Integer> looksSinceEnd = new HashMap<>();
    private Set<ProcessKey> seenBefore = new HashSet<>();

    /**
     * Starts to collect; returns at once.
     *
     * @param say takes remarks for people, one line each
     * @throws dev.heatline.collector.spool.SpoolException if the spool or the server's address
     *     cannot be used; says why
     */
    public static Collector start(CollectorOptions options, Consumer<String> say) {
        Collector collector = new Collector(options, say);
        collector.uploading.start();
        collector.looking.start();
        return collector;
    }

    private Collector(CollectorOptions options, Consumer<String> say) {
        this.options = options;
        this.say = say;
        Ingest ingest = new Ingest(options.server(), options.tokenFile(), options.certificates());
        this.spool = Spool.open(options.spool(), options.spoolBytes(), say);
        this.uploader =
                new Uploader(
                        spool, ingest, new Backoff(RandomGenerator.getDefault()), new Once(say));
        this.uploading = Thread.ofPlatform().name("uploader").unstarted(uploader::run);
        this.looking = Thread.ofPlatform().name("looking for JVMs").unstarted(this::look);
    }

    /** How much waits for the server, and what was lost. */
    public Spool.Counts spooled() {
        return spool.counts();
    }

    private void look() {
        try {
            new Orphans(spool, options.eventNames(), say).read();
            do {
                followNew(Jvms.list());
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
            if (seenBefore.contains(jvm.process()) && isWanted(jvm) && isDue(jvm.process())) {
                Target target = new Target(jvm, options, spool, stop, say);
                targets.put(
                        jvm.process(), Thread.ofPlatform().name("following " + jvm).start(target));
            }
        }
        targets.keySet().retainAll(seen);
        looksSinceEnd.keySet().retainAll(seen);
        seenBefore = seen;
    }

    private boolean isDue(ProcessKey process) {
        Thread thread = targets.get(process);
        if (thread == null) {
            return true;
        }
        if (thread.isAlive()) {
            return false;
        }
        int looks = looksSinceEnd.merge(process, 1, Integer::sum);
        if (looks < LOOKS_BEFORE_RETRY) {
            return false;
        }
        looksSinceEnd.remove(process);
        return true;
    }

    private boolean isWanted(Jvm jvm) {
        boolean possible = jvm.obstacle().isEmpty() || jvm.announcement().isPresent();
        return possible
                && !isHeatline(jvm)
                && options.jvms()
                        .map(
                                wanted ->
                                        wanted.matcher(jvm.main()).find()
                                                || wanted.matcher(jvm.execution().application())
                                                        .find())
                        .orElse(true);
    }

    private static boolean isHeatline(Jvm jvm) {
        return jvm.main().endsWith("heatline.jar") || jvm.main().equals("dev.heatline.cli.Main");
    }

    /**
     * Ends collecting: switches off what it had switched on, and makes profiles of what was
     * recorded. What the server does not take now stays in the spool.
     */
    @Override
    public void close() {
        stop.countDown();
        joined(looking);
        targets.values().forEach(this::joined);
        uploader.close();
        joined(uploading);
        spool.close();
    }

    /** Not for ever: a JVM that was stopped answers nobody. Its data is read next time. */
    private void joined(Thread thread) {
        try {
            if (!thread.join(PATIENCE)) {
                say.accept(thread.getName() + " does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
