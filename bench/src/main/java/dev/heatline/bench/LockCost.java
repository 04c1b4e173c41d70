package dev.heatline.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What tracing locks costs the JVM whose locks are traced, beside async-profiler's lock mode and
 * JFR's events of waiting without a threshold; what is left of it when it is off again, beside how
 * much the same blocks differ by themselves from one series to the next; and what is left where all
 * classes of the application were only taken anew, which is done before.
 *
 * <p>Ordinary programs run twice, side by side ({@link TracedTwins}). Programs that do little else
 * than contend need all CPUs for themselves, so their blocks take turns in one JVM.
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

    private void measureSideBySide(Path jdk, String workload) throws IOException {
        try (TracedTwins twins = TracedTwins.start(plan, jdk, workload)) {
            List<String> ratios =
                    twins.measure(library, unchanged).stream().map(Ratio::toString).toList();
            print(twins.traced(), workload, "CPU", ratios);
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
                            new LockTools.AsyncProfiler(
                                    blocks.jvm(), library, LockTools.AsyncProfiler.LOCKS),
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
            print(heatline.traced(blocks.feature()), workload, "CPU", cpu);
            print(heatline.traced(blocks.feature()), workload, "elapsed", elapsed);
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
            LockTools.Traced traced, String workload, String time, List<String> columns) {
        System.out.printf(
                Locale.ROOT,
                "| %d | %s | %,.0f | %s | %s | %s |%n",
                traced.feature(),
                workload,
                traced.waitsPerSecond(),
                traced.bytesPerWait(),
                time,
                String.join(" | ", columns));
    }
}
