package dev.heatline.bench;

import dev.heatline.collector.calls.CallProfile;
import dev.heatline.collector.calls.CallWatch;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.wire.CallRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How exact exact calls are: a root that makes many calls, of one method which takes a known time
 * or of several, before, while and after its calls are measured. What it takes alone is the truth,
 * but for what the compilers do differently.
 *
 * <p>{@code java -jar bench/target/heatline-bench.jar calls} with the options of a {@link
 * BlockPlan}, of which pairs are not needed
 */
final class CallAccuracy {
    private static final String PACKAGE = "dev.heatline.bench.workload.";
    private static final String STEP = PACKAGE + "Steps::step";

    /** The roots of programs that do not make a thousand calls of one method. */
    private static final Map<String, String> ROOTS =
            Map.of(
                    "recursion", PACKAGE + "SmallCalls::recursion",
                    "lookups", PACKAGE + "SmallCalls::lookups",
                    "shapes", PACKAGE + "SmallCalls::shapes");

    private static final List<String> WORKLOADS =
            List.of("step-1", "step-10", "step-500", "recursion", "lookups", "shapes");
    private static final int STEPS = 1000;

    /** No step takes as long. */
    private static final String KEEPING_NONE = ":1s";

    private static final String KEEPING_ALL = "";
    private static final int FIRST_WITH_METHOD_TIMING = 25;

    private CallAccuracy() {}

    static void run(String[] args) throws IOException {
        BlockPlan plan = BlockPlan.of(args, 1, WORKLOADS);
        System.out.println("ns for each call that the root leads to, its own part included\n");
        System.out.println(
                "| JDK | workload | timing | alone | while measured | methods, measured"
                        + " | methods, corrected | root, corrected | all corrected, of alone | of it running, of alone"
                        + " | off again, of alone | root alone, at the end |");
        System.out.println(
                "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
        Path library = LockTools.asyncProfiler();
        try {
            run(plan, library);
        } finally {
            Files.delete(library);
        }
    }

    private static void run(BlockPlan plan, Path library) throws IOException {
        for (Path jdk : plan.jdks()) {
            for (String workload : plan.workloads()) {
                for (boolean sampled : new boolean[] {false, true}) {
                    try (Blocks blocks = Blocks.start(plan, jdk, workload)) {
                        blocks.warmUp();
                        measure(blocks, workload, sampled);
                    }
                }
                if (ROOTS.containsKey(workload)) {
                    continue;
                }
                try (Blocks blocks = Blocks.start(plan, jdk, workload)) {
                    if (blocks.feature() >= FIRST_WITH_METHOD_TIMING) {
                        blocks.warmUp();
                        measureByJdk(blocks, workload);
                    }
                }
                for (String limit : new String[] {KEEPING_NONE, KEEPING_ALL}) {
                    try (Blocks blocks = Blocks.start(plan, jdk, workload)) {
                        blocks.warmUp();
                        measureByAsyncProfiler(blocks, workload, library, limit);
                    }
                }
            }
        }
    }

    private static void measure(Blocks blocks, String workload, boolean sampled)
            throws IOException {
        String root = ROOTS.getOrDefault(workload, PACKAGE + "Steps::root");
        double alone = nanosPerUnit(blocks);
        Path agent = Workloads.project().resolve("agent/target/heatline-agent.jar");
        CallRequest request = CallRequest.builder().roots(List.of(root)).sampled(sampled).build();
        double meanwhile;
        Sums sums;
        Sums corrected;
        String alsoAlone;
        try (CallWatch calls = CallWatch.start(blocks.jvm(), agent, request)) {
            // A block takes longer than the agent waits for a sign of life.
            ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor();
            Future<?> looking = looks.scheduleAtFixedRate(calls::look, 0, 1, TimeUnit.SECONDS);
            Profile before;
            try {
                // Compiled anew first; what was measured until then is subtracted.
                blocks.goOn(Blocks.WARMUP.dividedBy(4));
                before = CallProfile.of(calls.seen());
                meanwhile = nanosPerUnit(blocks);
            } finally {
                looking.cancel(false);
                looks.close();
            }
            stop(calls, blocks);
            String method = root.substring(root.indexOf("::") + 2);
            sums = new Sums(CallProfile.of(calls.seen()), Optional.of(before), method);
            // As it is reported: with what was found out at the end.
            Profile reported = calls.take();
            corrected = new Sums(reported, Optional.empty(), method);
            alsoAlone = reported.provenance().fact(Provenance.ROOTS_ALONE);
        }
        double perUnit = sums.callsPerUnit();
        System.out.printf(
                Locale.ROOT,
                "| %d | %s | %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.3f | %.3f ",
                blocks.feature(),
                workload,
                sampled ? "sampled" : "exact",
                alone / perUnit,
                meanwhile / perUnit,
                sums.perCall(CallProfile.MEASURED, false),
                corrected.perCall(CallProfile.ELAPSED, false),
                corrected.perCall(CallProfile.ELAPSED, true),
                corrected.perCall(CallProfile.ELAPSED) / (alone / perUnit),
                corrected.perCall(CallProfile.RUNNING) / (alone / perUnit));
        blocks.goOn(Blocks.WARMUP.dividedBy(4));
        System.out.printf(Locale.ROOT, "| %.3f | %s |%n", nanosPerUnit(blocks) / alone, alsoAlone);
    }

    /** Ends it while the root is called, so that it can be timed alone. */
    private static void stop(CallWatch calls, Blocks blocks) throws IOException {
        try (ExecutorService ending = Executors.newSingleThreadExecutor()) {
            CompletableFuture<Void> ended = CompletableFuture.runAsync(calls::stop, ending);
            while (!ended.isDone()) {
                blocks.goOn(Duration.ofMillis(100));
            }
            ended.join();
        }
    }

    /** The JDK's own way, which knows no contexts and corrects nothing. */
    private static void measureByJdk(Blocks blocks, String workload) throws IOException {
        ChildJvm target = blocks.target();
        double alone = nanosPerUnit(blocks) / STEPS;
        target.jcmd("JFR.start", "name=timing", "method-timing=" + STEP);
        blocks.goOn(Blocks.WARMUP.dividedBy(4));
        double meanwhile = nanosPerUnit(blocks) / STEPS;
        Matcher row =
                Pattern.compile("step\\(.*").matcher(target.jcmd("JFR.view", "method-timing"));
        String seen = row.find() ? row.group().replaceAll("\\s+", " ") : "not seen";
        target.jcmd("JFR.stop", "name=timing");
        print(blocks, workload, "MethodTiming", alone, meanwhile, seen);
    }

    /**
     * Likewise async-profiler's.
     *
     * @param limit what is written behind the method: how long calls take at least that it keeps,
     *     with their stacks; nothing for all
     */
    private static void measureByAsyncProfiler(
            Blocks blocks, String workload, Path library, String limit) throws IOException {
        Path file = Files.createTempFile("heatline-bench", ".jfr");
        try {
            String options = "trace=" + STEP.replace("::", ".") + limit + ",jfr,file=" + file;
            Blocks.Switch tracing = new LockTools.AsyncProfiler(blocks.jvm(), library, options);
            double alone = nanosPerUnit(blocks) / STEPS;
            tracing.on();
            blocks.goOn(Blocks.WARMUP.dividedBy(4));
            double meanwhile = nanosPerUnit(blocks) / STEPS;
            tracing.off();
            print(blocks, workload, "async-profiler, trace" + limit, alone, meanwhile, "–");
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static void print(
            Blocks blocks,
            String workload,
            String tool,
            double alone,
            double meanwhile,
            String seen)
            throws IOException {
        blocks.goOn(Blocks.WARMUP.dividedBy(4));
        System.out.printf(
                Locale.ROOT,
                "| %d | %s | %s | %.2f | %.2f | %s | – | – | – | – | %.3f | – |%n",
                blocks.feature(),
                workload,
                tool,
                alone,
                meanwhile,
                seen,
                nanosPerUnit(blocks) / STEPS / alone);
    }

    /** What a call of the root takes, by the clock outside. */
    private static double nanosPerUnit(Blocks blocks) throws IOException {
        int times = 5;
        double[] nanos = new double[times];
        for (int i = 0; i < times; i++) {
            nanos[i] = (double) blocks.blockNanos() / blocks.units();
        }
        return Trimmed.mean(nanos);
    }

    /**
     * What was measured since an earlier look, or from the beginning.
     *
     * @param root the name of the method that is one unit of work
     */
    private record Sums(Profile now, Optional<Profile> before, String root) {

        /** How many calls one of the root leads to. */
        double callsPerUnit() {
            return (double) since(Resource.CALLS, false) / since(Resource.CALLS, true);
        }

        /** What the root and all that it calls took for each of those calls. */
        double perCall(Resource what) {
            return perCall(what, false) + perCall(what, true);
        }

        /** What the root, or all that it calls, took for each of those calls. */
        double perCall(Resource what, boolean ofRoot) {
            return (double) since(what, ofRoot) / since(Resource.CALLS, false);
        }

        private long since(Resource what, boolean ofRoot) {
            long earlier = before.map(it -> self(it, what, ofRoot)).orElse(0L);
            return self(now, what, ofRoot) - earlier;
        }

        private long self(Profile profile, Resource what, boolean ofRoot) {
            return profile.column(what.name()).stream()
                    .mapToLong(
                            column -> {
                                long sum = 0;
                                for (int row = 0; row < column.rows(); row++) {
                                    int consumer = profile.consumer(column.node(row));
                                    String name = profile.consumerAt(consumer).name();
                                    sum += name.equals(root) == ofRoot ? column.value(row) : 0;
                                }
                                return sum;
                            })
                    .sum();
        }
    }
}
