package dev.heatline.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What tracing locks costs the JVM whose locks are traced, beside async-profiler's lock mode and
 * JFR's events of waiting without a threshold. Before anything else was switched on in the JVM:
 * what is left of it when it is off again, beside how much the same blocks differ by themselves
 * from one series to the next, and beside what is left in another JVM that has only taken all
 * classes of the application anew, which are more than those that are traced.
 *
 * <p>Ordinary programs run twice, side by side, each on a CPU of its own. Programs that do little
 * else than contend need all CPUs for themselves, so their blocks take turns in one JVM.
 *
 * <p>{@code java -jar bench/target/heatline-bench.jar locks} with the options of a {@link
 * BlockPlan}
 */
final class LockCost {
    private static final List<String> CONTENDED =
            List.of("shop-crowd", "xslt-crowd", "contended", "storm");

    private final BlockPlan plan;

    /** The library of async-profiler. */
    private final Path library;

    /** The agent that takes classes anew. */
    private final Path unchanged;

    private LockCost(BlockPlan plan, Path library, Path unchanged) {
        this.plan = plan;
        this.library = library;
        this.unchanged = unchanged;
    }

    static void run(String[] args) throws IOException {
        List<String> all = new ArrayList<>(Workloads.NAMES);
        all.addAll(CONTENDED);
        BlockPlan plan = BlockPlan.of(args, 30, all);
        System.out.printf("%s; nothing on = 1%n%n", plan);
        System.out.println(
                "| JDK | workload | waits/s | bytes each | time | Heatline | async-profiler, lock"
                        + " | JFR, no threshold | nothing (null) | off again | never on (null)"
                        + " | all classes taken anew |");
        System.out.println(
                "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
        Path library = LockTools.asyncProfiler();
        Path unchanged = Workloads.agent("Unchanged");
        try {
            LockCost cost = new LockCost(plan, library, unchanged);
            for (Path jdk : plan.jdks()) {
                for (String workload : plan.workloads()) {
                    if (CONTENDED.contains(workload)) {
                        cost.measureAlone(jdk, workload);
                    } else {
                        cost.measureSideBySide(jdk, workload);
                    }
                }
            }
        } finally {
            Files.delete(library);
            Files.delete(unchanged);
        }
    }

    /**
     * Switching makes a JVM compile much of its code anew. So what is switched on stays on for a
     * series of blocks, which begins when that is over.
     */
    private void measureSideBySide(Path jdk, String workload) throws IOException {
        try (Twins twins = Twins.start(plan, jdk, workload);
                LockTools.Heatline one = new LockTools.Heatline(twins.one().jvm());
                LockTools.Heatline other = new LockTools.Heatline(twins.other().jvm())) {
            twins.warmUp();
            twins.warmUp();
            double[] first = twins.series();
            double[] before = twins.series();
            double[] with = twins.series(one);
            double[] after = twins.series();
            // The other way round: it is the first that is less a multiple of the other then.
            double[] withOther = twins.series(other);
            double[] afterBoth = twins.series();
            double[] async = twins.series(new LockTools.AsyncProfiler(twins.one().jvm(), library));
            double[] jfr = twins.series(new LockTools.JfrLocks(twins.one().target()));
            double[] afterAll = twins.series();
            new LockTools.Anew(twins.one().jvm(), unchanged).on();
            double[] anew = twins.series();
            print(
                    twins.one().feature(),
                    workload,
                    one,
                    "CPU",
                    List.of(
                            Ratio.of(with, before).and(Ratio.of(after, withOther)).toString(),
                            Ratio.of(async, afterBoth).toString(),
                            Ratio.of(jfr, afterBoth).toString(),
                            Ratio.of(afterAll, afterBoth).toString(),
                            Ratio.of(after, before, afterBoth).toString(),
                            Ratio.of(before, first).toString(),
                            Ratio.of(anew, afterAll).toString()));
        }
    }

    private void measureAlone(Path jdk, String workload) throws IOException {
        Leftover anew = anew(jdk, workload);
        try (Blocks blocks = Blocks.start(plan, jdk, workload);
                LockTools.Heatline heatline = new LockTools.Heatline(blocks.jvm())) {
            blocks.warmUp();
            Blocks.Series before = blocks.measure(Blocks.NOTHING).getFirst();
            Leftover left = Leftover.of(heatline, blocks);
            Leftover never = new Leftover(before, left.before);
            List<Blocks.Series> all =
                    blocks.measure(
                            Blocks.NOTHING,
                            heatline,
                            new LockTools.AsyncProfiler(blocks.jvm(), library),
                            new LockTools.JfrLocks(blocks.target()),
                            Blocks.NOTHING);
            List<String> cpu = new ArrayList<>();
            List<String> elapsed = new ArrayList<>();
            for (Blocks.Series series : all.subList(1, all.size())) {
                cpu.add(series.cpuOver(all.getFirst()));
                elapsed.add(series.elapsedOver(all.getFirst()));
            }
            for (Leftover each : List.of(left, never, anew)) {
                cpu.add(each.after.cpuOver(each.before));
                elapsed.add(each.after.elapsedOver(each.before));
            }
            print(blocks.feature(), workload, heatline, "CPU", cpu);
            print(blocks.feature(), workload, heatline, "elapsed", elapsed);
        }
    }

    /** What was measured before something was switched on for the first time, and after that. */
    private record Leftover(Blocks.Series before, Blocks.Series after) {
        static Leftover of(Blocks.Switch what, Blocks blocks) throws IOException {
            Blocks.Series before = blocks.measure(Blocks.NOTHING).getFirst();
            what.on();
            blocks.goOn(Blocks.WARMUP);
            what.off();
            blocks.goOn(Blocks.WARMUP);
            return new Leftover(before, blocks.measure(Blocks.NOTHING).getFirst());
        }
    }

    private Leftover anew(Path jdk, String workload) throws IOException {
        try (Blocks blocks = Blocks.start(plan, jdk, workload)) {
            blocks.warmUp();
            return Leftover.of(new LockTools.Anew(blocks.jvm(), unchanged), blocks);
        }
    }

    private static void print(
            int feature,
            String workload,
            LockTools.Heatline heatline,
            String time,
            List<String> columns) {
        System.out.printf(
                Locale.ROOT,
                "| %d | %s | %,.0f | %s | %s | %s |%n",
                feature,
                workload,
                heatline.waitsPerSecond(),
                heatline.bytesPerWait(),
                time,
                String.join(" | ", columns));
    }
}
