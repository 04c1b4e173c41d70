package dev.heatline.bench;

import dev.heatline.collector.jvm.FlightRecorder;
import dev.heatline.wire.RecordingSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * What profiling costs the profiled JVM: its CPU time for equal work with Heatline's recording on,
 * with JFR's own default recording on, and with nothing on, twice. A block is as long as the pause
 * between two flushes of the recorder, so that the cost of a flush is in every one, and not only in
 * those that are trimmed away.
 *
 * <p>{@code java -jar bench/target/heatline-bench.jar overhead} with the options of a {@link
 * BlockPlan}
 */
final class Overhead {

    private Overhead() {}

    static void run(String[] args) throws IOException {
        BlockPlan plan = BlockPlan.of(args, 250, Workloads.NAMES);
        System.out.printf("%s; CPU time of a block, nothing on = 1%n%n", plan);
        System.out.println(
                "| JDK | workload | CPU ms per unit | Heatline | JFR, default.jfc | nothing"
                        + " (null) |");
        System.out.println("| --- | --- | --- | --- | --- | --- |");
        for (Path jdk : plan.jdks()) {
            for (String workload : plan.workloads()) {
                try (Blocks blocks = Blocks.start(plan, jdk, workload)) {
                    measure(blocks, workload);
                }
            }
        }
    }

    private static void measure(Blocks blocks, String workload) throws IOException {
        Heatline heatline = new Heatline(blocks);
        blocks.warmUp();
        // The first recording makes JDK 17 compile everything anew, which is to be over by then.
        heatline.on();
        heatline.off();
        blocks.warmUp();
        List<Blocks.Series> all =
                blocks.measure(
                        Blocks.NOTHING, heatline, new DefaultJfr(blocks.target()), Blocks.NOTHING);
        Blocks.Series nothing = all.getFirst();
        System.out.printf(
                Locale.ROOT,
                "| %d | %s | %.2f | %s | %s | %s |%n",
                blocks.feature(),
                workload,
                nothing.cpuNanos() / blocks.units() / 1e6,
                all.get(1).cpuOver(nothing),
                all.get(2).cpuOver(nothing),
                all.get(3).cpuOver(nothing));
    }

    /** The recording that {@code heatline collect} makes. */
    private record Heatline(Blocks blocks) implements Blocks.Switch {
        @Override
        public void on() {
            FlightRecorder.start(blocks.jvm(), RecordingSettings.DEFAULT);
        }

        @Override
        public void off() {
            FlightRecorder.stop(blocks.jvm());
        }
    }

    /** The recording that a JDK makes when nothing else is said. */
    private record DefaultJfr(ChildJvm target) implements Blocks.Switch {
        @Override
        public void on() throws IOException {
            target.jcmd("JFR.start", "name=plain", "settings=default");
        }

        @Override
        public void off() throws IOException {
            target.jcmd("JFR.stop", "name=plain");
        }
    }
}
