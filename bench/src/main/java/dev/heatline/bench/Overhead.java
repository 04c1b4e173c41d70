package dev.heatline.bench;

import dev.heatline.collector.Collector;
import dev.heatline.collector.CollectorOptions;
import dev.heatline.collector.jvm.FlightRecorder;
import dev.heatline.collector.jvm.FlightRecording;
import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.spool.Spool;
import dev.heatline.wire.RecordingSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What profiling costs the profiled JVM: its CPU time for equal work with Heatline's recording on,
 * against nothing and against JFR's own default recording, and with nothing on, twice. Heatline's
 * recording is the one at which a collector with the usual budget settles. A block is at least as
 * long as the pause between two flushes of the recorder, so that the cost of a flush is in every
 * one, and not only in those that are trimmed away.
 *
 * <p>{@code java -jar bench/target/heatline-bench.jar overhead [--in-turns]} with the options of a
 * {@link BlockPlan}. Two JVMs work side by side; in turns, one does, with something else switched
 * on for each block. That resolves about ten times less.
 */
final class Overhead {
    private static final String IN_TURNS = "--in-turns";

    /** Shorter than the collector's own minute: the budget is to settle, not to follow a load. */
    private static final Duration PERIOD = Duration.ofSeconds(20);

    /** The first does not count, and each of the others may take a step. */
    private static final Duration SETTLED = PERIOD.multipliedBy(4);

    private Overhead() {}

    static void run(String[] args) throws IOException {
        List<String> options = new ArrayList<>(List.of(args));
        boolean inTurns = options.remove(IN_TURNS);
        BlockPlan plan = BlockPlan.of(options.toArray(String[]::new), 250, Workloads.NAMES);
        System.out.printf("%s; CPU time of a block%n%n", plan);
        System.out.println(
                "| JDK | workload | recorded | Heatline / nothing | Heatline / default.jfc"
                        + " | nothing / nothing |");
        System.out.println("| --- | --- | --- | --- | --- | --- |");
        for (Path jdk : plan.jdks()) {
            for (String workload : plan.workloads()) {
                if (inTurns) {
                    try (Blocks blocks = Blocks.start(plan, jdk, workload)) {
                        measure(blocks, workload);
                    }
                } else {
                    try (Twins twins = Twins.start(plan, jdk, workload)) {
                        measure(twins, workload);
                    }
                }
            }
        }
    }

    private static void measure(Blocks blocks, String workload) throws IOException {
        blocks.warmUp();
        // The first recording makes JDK 17 compile everything anew, which is to be over by then.
        RecordingSettings settled = settled(blocks, blocks::goOn);
        blocks.warmUp();
        List<Blocks.Series> all =
                blocks.measure(
                        Blocks.NOTHING,
                        new Heatline(blocks, settled),
                        new DefaultJfr(blocks.target()),
                        Blocks.NOTHING);
        Blocks.Series nothing = all.getFirst();
        Blocks.Series heatline = all.get(1);
        print(
                blocks,
                workload,
                settled,
                List.of(
                        heatline.cpuOver(nothing),
                        heatline.cpuOver(all.get(2)),
                        all.getLast().cpuOver(nothing)));
    }

    private static void measure(Twins twins, String workload) throws IOException {
        twins.warmUp();
        RecordingSettings settled = settled(twins.one(), twins::goOn);
        Heatline first = new Heatline(twins.other(), settled);
        first.on();
        first.off();
        twins.warmUp();
        Twins.Kind heatline = blocks -> new Heatline(blocks, settled);
        Twins.Kind plain = blocks -> new DefaultJfr(blocks.target());
        List<String> ratios =
                twins.measure(
                        new Twins.Comparison(heatline, Twins.Kind.NOTHING),
                        new Twins.Comparison(heatline, plain),
                        new Twins.Comparison(Twins.Kind.NOTHING, Twins.Kind.NOTHING));
        print(twins.one(), workload, settled, ratios);
    }

    private static void print(
            Blocks blocks, String workload, RecordingSettings settled, List<String> ratios) {
        System.out.printf(
                "| %d | %s | %s | %s |%n",
                blocks.feature(), workload, recorded(settled), String.join(" | ", ratios));
    }

    /** Does the work for so long. */
    private interface Working {
        void goOn(Duration length) throws IOException;
    }

    /** What a collector records of it after its budget had time to settle. */
    private static RecordingSettings settled(Blocks blocks, Working working) throws IOException {
        Path spool = Files.createTempDirectory("heatline-bench");
        Jvm jvm = blocks.jvm();
        try (Collector _ = Collector.start(only(jvm, spool), PERIOD, _ -> {})) {
            working.goOn(SETTLED);
            FlightRecording now = FlightRecorder.find(jvm).orElseThrow();
            RecordingSettings settings = RecordingSettings.DEFAULT;
            settings = settings.withCpuInterval(millis(now.cpuInterval()));
            if (!now.events().contains(RecordingSettings.ALLOCATION_SAMPLE)) {
                settings = settings.withAllocationsPerSecond(0);
            }
            if (!now.events().contains(RecordingSettings.MONITOR_ENTER)) {
                settings = settings.withWaitThreshold(Optional.empty());
            }
            return settings;
        } finally {
            Folders.delete(spool);
        }
    }

    /** For no server: profiles wait in the spool, as they do while it is away. */
    private static CollectorOptions only(Jvm jvm, Path spool) {
        return new CollectorOptions(
                "http://localhost:1",
                Optional.empty(),
                Optional.empty(),
                spool,
                Spool.DEFAULT_LIMIT_BYTES,
                PERIOD.dividedBy(4),
                CollectorOptions.DEFAULT_BUDGET,
                RecordingSettings.DEFAULT,
                Optional.empty(),
                Optional.empty(),
                Optional.of(Pattern.compile(Long.toString(jvm.pid()))));
    }

    private static Duration millis(String text) {
        return Duration.ofMillis(Long.parseLong(text.replace("ms", "")));
    }

    private static String recorded(RecordingSettings settings) {
        return settings.cpuInterval().toMillis()
                + " ms"
                + (settings.allocationsPerSecond() > 0 ? "" : ", no allocations")
                + (settings.waitThreshold().isPresent() ? "" : ", no waits");
    }

    /** The recording that {@code heatline collect} makes. */
    private record Heatline(Blocks blocks, RecordingSettings settings) implements Blocks.Switch {
        @Override
        public void on() {
            FlightRecorder.start(blocks.jvm(), settings);
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
