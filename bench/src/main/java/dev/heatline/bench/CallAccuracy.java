package dev.heatline.bench;

import dev.heatline.collector.calls.CallProfile;
import dev.heatline.collector.calls.CallWatch;
import dev.heatline.model.Profile;
import dev.heatline.model.Resource;
import dev.heatline.wire.CallRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How exact exact calls are: a root that makes a thousand calls of a method which takes a known
 * time, before, while and after its calls are measured. What it takes alone is the truth, but for
 * what the compilers do differently.
 *
 * <p>{@code java -jar bench/target/heatline-bench.jar calls} with the options of a {@link
 * BlockPlan}, of which pairs are not needed
 */
final class CallAccuracy {
    private static final List<String> WORKLOADS = List.of("step-1", "step-10", "step-500");
    private static final String ROOT = "dev.heatline.bench.workload.Steps::root";
    private static final String STEP = "dev.heatline.bench.workload.Steps::step";
    private static final int CALLS = 1000;
    private static final int FIRST_WITH_METHOD_TIMING = 25;

    private CallAccuracy() {}

    static void run(String[] args) throws IOException {
        BlockPlan plan = BlockPlan.of(args, 1, WORKLOADS);
        System.out.println("ns per call of the method, and of the root for each of its calls\n");
        System.out.println(
                "| JDK | workload | timing | alone | while measured | measured | corrected"
                        + " | corrected, root | root, of alone | off again, of alone |");
        System.out.println("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
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
                try (Blocks blocks = Blocks.start(plan, jdk, workload)) {
                    if (blocks.feature() >= FIRST_WITH_METHOD_TIMING) {
                        blocks.warmUp();
                        measureByJdk(blocks, workload);
                    }
                }
                try (Blocks blocks = Blocks.start(plan, jdk, workload)) {
                    blocks.warmUp();
                    measureByAsyncProfiler(blocks, workload, library);
                }
            }
        }
    }

    private static void measure(Blocks blocks, String workload, boolean sampled)
            throws IOException {
        double alone = nanosPerCall(blocks);
        Path agent = Workloads.project().resolve("agent/target/heatline-agent.jar");
        CallRequest request = CallRequest.builder().roots(List.of(ROOT)).sampled(sampled).build();
        double meanwhile;
        Profile profile;
        try (CallWatch calls = CallWatch.start(blocks.jvm(), agent, request)) {
            // A block takes longer than the agent waits for a sign of life.
            ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor();
            Future<?> looking = looks.scheduleAtFixedRate(calls::look, 0, 1, TimeUnit.SECONDS);
            Profile before;
            try {
                // Compiled anew first; what was measured until then is subtracted.
                blocks.goOn(Blocks.WARMUP.dividedBy(4));
                before = CallProfile.of(calls.seen());
                meanwhile = nanosPerCall(blocks);
            } finally {
                looking.cancel(false);
                looks.close();
            }
            calls.stop();
            profile = CallProfile.of(calls.seen());
            System.out.printf(
                    Locale.ROOT,
                    "| %d | %s | %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.3f ",
                    blocks.feature(),
                    workload,
                    sampled ? "sampled" : "exact",
                    alone,
                    meanwhile,
                    perCall(profile, before, CallProfile.MEASURED, "step"),
                    perCall(profile, before, CallProfile.ELAPSED, "step"),
                    perCall(profile, before, CallProfile.ELAPSED, "root") / CALLS,
                    (perCall(profile, before, CallProfile.ELAPSED, "step")
                                    + perCall(profile, before, CallProfile.ELAPSED, "root") / CALLS)
                            / alone);
        }
        blocks.goOn(Blocks.WARMUP.dividedBy(4));
        System.out.printf(Locale.ROOT, "| %.3f |%n", nanosPerCall(blocks) / alone);
    }

    /** The JDK's own way, which knows no contexts and corrects nothing. */
    private static void measureByJdk(Blocks blocks, String workload) throws IOException {
        ChildJvm target = blocks.target();
        double alone = nanosPerCall(blocks);
        target.jcmd("JFR.start", "name=timing", "method-timing=" + STEP);
        blocks.goOn(Blocks.WARMUP.dividedBy(4));
        double meanwhile = nanosPerCall(blocks);
        Matcher row =
                Pattern.compile("step\\(.*").matcher(target.jcmd("JFR.view", "method-timing"));
        String seen = row.find() ? row.group().replaceAll("\\s+", " ") : "not seen";
        target.jcmd("JFR.stop", "name=timing");
        print(blocks, workload, "MethodTiming", alone, meanwhile, seen);
    }

    /**
     * Likewise async-profiler's, in its cheapest form: it keeps calls of more than a second, which
     * there are none of.
     */
    private static void measureByAsyncProfiler(Blocks blocks, String workload, Path library)
            throws IOException {
        Path file = Files.createTempFile("heatline-bench", ".jfr");
        try {
            String options = "trace=" + STEP.replace("::", ".") + ":1s,jfr,file=" + file;
            Blocks.Switch tracing = new LockTools.AsyncProfiler(blocks.jvm(), library, options);
            double alone = nanosPerCall(blocks);
            tracing.on();
            blocks.goOn(Blocks.WARMUP.dividedBy(4));
            double meanwhile = nanosPerCall(blocks);
            tracing.off();
            print(blocks, workload, "async-profiler, trace", alone, meanwhile, "–");
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
                "| %d | %s | %s | %.2f | %.2f | %s | – | – | – | %.3f |%n",
                blocks.feature(),
                workload,
                tool,
                alone,
                meanwhile,
                seen,
                nanosPerCall(blocks) / alone);
    }

    /** What a call takes, the root's own part included, by the clock outside. */
    private static double nanosPerCall(Blocks blocks) throws IOException {
        int times = 5;
        double[] nanos = new double[times];
        for (int i = 0; i < times; i++) {
            nanos[i] = (double) blocks.blockNanos() / blocks.units() / CALLS;
        }
        return Trimmed.mean(nanos);
    }

    /** What a call of a method took by itself since an earlier look. */
    private static double perCall(Profile now, Profile before, Resource what, String method) {
        return (double) (self(now, what, method) - self(before, what, method))
                / (self(now, Resource.CALLS, method) - self(before, Resource.CALLS, method));
    }

    private static long self(Profile profile, Resource what, String method) {
        return profile.column(what.name()).stream()
                .mapToLong(
                        column -> {
                            long sum = 0;
                            for (int row = 0; row < column.rows(); row++) {
                                int consumer = profile.consumer(column.node(row));
                                if (profile.consumerAt(consumer).name().equals(method)) {
                                    sum += column.value(row);
                                }
                            }
                            return sum;
                        })
                .sum();
    }
}
