package dev.heatline.bench;

import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.Jvms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Blocks of equal work in one JVM, with different things switched on, which take turns in a random
 * order. What is switched on for a block is on for a while before it, unmeasured, and off after it.
 */
final class Blocks implements AutoCloseable {
    private static final String DONE = "done";
    static final Duration WARMUP = Duration.ofSeconds(12);

    /** Something whose cost is measured. */
    interface Switch {

        void on() throws IOException;

        void off() throws IOException;
    }

    static final Switch NOTHING =
            new Switch() {
                @Override
                public void on() {}

                @Override
                public void off() {}
            };

    /** What the blocks took that had the same switched on, in the order in which they were run. */
    static final class Series {
        private final double[] cpu;
        private final double[] elapsed;

        private Series(int blocks) {
            cpu = new double[blocks];
            elapsed = new double[blocks];
        }

        /** The CPU time of a block, all threads of the process together. */
        double cpuNanos() {
            return Trimmed.mean(cpu);
        }

        /** The CPU time as a multiple of that of others. */
        String cpuOver(Series other) {
            return ratio(cpu, other.cpu);
        }

        /** The time until the work was done, as a multiple of that of others. */
        String elapsedOver(Series other) {
            return ratio(elapsed, other.elapsed);
        }

        private static String ratio(double[] above, double[] below) {
            double[] ratios = new double[below.length];
            for (int i = 0; i < ratios.length; i++) {
                ratios[i] = above[i] / below[i];
            }
            return Trimmed.text(ratios);
        }
    }

    private final BlockPlan plan;
    private final int feature;
    private final ChildJvm target;
    private final Jvm jvm;
    private int units = 1;

    private Blocks(BlockPlan plan, int feature, ChildJvm target, Jvm jvm) {
        this.plan = plan;
        this.feature = feature;
        this.target = target;
        this.jvm = jvm;
    }

    /** A JVM that has begun to do its work. */
    static Blocks start(BlockPlan plan, Path jdk, String workload) throws IOException {
        return start(plan, jdk, workload, List.of());
    }

    /** The same on one CPU only. */
    static Blocks start(BlockPlan plan, Path jdk, String workload, int cpu) throws IOException {
        return start(plan, jdk, workload, List.of("taskset", "-c", String.valueOf(cpu)));
    }

    private static Blocks start(BlockPlan plan, Path jdk, String workload, List<String> under)
            throws IOException {
        int feature = feature(jdk);
        ChildJvm target =
                new ChildJvm(
                        under,
                        jdk,
                        Workloads.classPath(feature),
                        List.of(
                                "-Xms512m",
                                "-Xmx512m",
                                "-XX:+IgnoreUnrecognizedVMOptions",
                                "-XX:+EnableDynamicAgentLoading"),
                        List.of(Workloads.TARGET, workload));
        try {
            target.answer();
            Jvm jvm =
                    Jvms.find(target.pid())
                            .orElseThrow(() -> new IOException("no JVM " + target.pid()));
            return new Blocks(plan, feature, target, jvm);
        } catch (IOException | RuntimeException e) {
            target.close();
            throw e;
        }
    }

    private static int feature(Path jdk) throws IOException {
        for (String line : Files.readAllLines(jdk.resolve("release"))) {
            if (line.startsWith("JAVA_VERSION=")) {
                return Runtime.Version.parse(line.substring(14, line.length() - 1)).feature();
            }
        }
        throw new IOException(jdk + " does not tell its version");
    }

    /** The version of its JDK. */
    int feature() {
        return feature;
    }

    ChildJvm target() {
        return target;
    }

    Jvm jvm() {
        return jvm;
    }

    /** How many units of work make a block. */
    int units() {
        return units;
    }

    /** Works for a while, and finds out how much work takes as long as a block. */
    void warmUp() throws IOException {
        units = 1;
        long until = System.nanoTime() + WARMUP.toNanos();
        while (System.nanoTime() < until) {
            long start = System.nanoTime();
            work(units);
            long took = Math.max(1, System.nanoTime() - start);
            units =
                    Math.max(
                            1,
                            (int) Math.min(units * 2.0, units * plan.blockMillis() * 1e6 / took));
        }
    }

    /** Works for about so long, unmeasured. */
    void goOn(Duration length) throws IOException {
        long until = System.nanoTime() + length.toNanos();
        while (System.nanoTime() < until) {
            work(units);
        }
    }

    /** Does a block; returns how long it took. */
    long blockNanos() throws IOException {
        long start = System.nanoTime();
        work(units);
        return System.nanoTime() - start;
    }

    private void work(int number) throws IOException {
        begin(number);
        end();
    }

    /** Lets it begin with so many units of work. */
    void begin(int number) {
        target.tell(String.valueOf(number));
    }

    /** Waits until it has done them. */
    void end() throws IOException {
        target.await(DONE);
    }

    /** Takes so many units for a block. */
    void beOfUnits(int number) {
        units = number;
    }

    /** Measures these by turns; returns what the blocks of each took. */
    List<Series> measure(Switch... switches) throws IOException {
        List<Series> all = new ArrayList<>();
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < switches.length; i++) {
            all.add(new Series(plan.pairs()));
            order.add(i);
        }
        Random random = new Random(1);
        // One round unmeasured: whatever happens only once has happened then.
        for (int pair = -1; pair < plan.pairs(); pair++) {
            Collections.shuffle(order, random);
            for (int i : order) {
                block(switches[i], all.get(i), pair);
            }
        }
        return all;
    }

    private void block(Switch on, Series series, int pair) throws IOException {
        on.on();
        work(Math.max(1, (int) ((long) units * plan.settleMillis() / plan.blockMillis())));
        long start = System.nanoTime();
        long before = target.cpuNanos();
        work(units);
        long cpu = target.cpuNanos() - before;
        long elapsed = System.nanoTime() - start;
        on.off();
        if (pair >= 0) {
            series.cpu[pair] = cpu;
            series.elapsed[pair] = elapsed;
        }
    }

    @Override
    public void close() {
        target.close();
    }
}
