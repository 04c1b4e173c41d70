package dev.heatline.bench;

import dev.heatline.collector.proc.Proc;
import dev.heatline.collector.threads.ThreadWatch;
import dev.heatline.wire.ProcessKey;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * What it costs to watch the threads of a JVM: the CPU time of one look here, and what the JVM pays
 * for being looked at every second, as the ratio of its CPU times for equal work with and without,
 * in alternating blocks of about a second; beside it the same with nobody looking in either.
 *
 * <p>{@code java -jar bench/target/heatline-bench.jar threads [--threads N] [--pairs N]}
 */
final class ThreadLooks {
    private static final int WARM_UP = 200;
    private static final long BLOCK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private ThreadLooks() {}

    static void run(String[] args) throws IOException {
        Given given = new Given(args, "--threads", "--pairs");
        int threads = given.number("--threads", 500);
        int pairs = given.number("--pairs", 30);
        try (ChildJvm jvm =
                new ChildJvm(
                        ChildJvm.ownJdk(),
                        ChildJvm.ownClassPath(),
                        List.of("-Xmx256m"),
                        List.of(ManyThreads.class.getName(), String.valueOf(threads)))) {
            String line = jvm.answer();
            while (!line.equals("ready")) {
                line = jvm.answer();
            }
            ThreadWatch watch =
                    ThreadWatch.begin(Proc.HERE, ProcessKey.of(jvm.pid()).orElseThrow())
                            .orElseThrow();
            for (int i = 0; i < WARM_UP; i++) {
                watch.look();
            }
            System.out.printf(
                    Locale.ROOT,
                    "%d threads: one look takes %.2f ms of CPU time here%n",
                    threads,
                    lookNanos(watch) / 1e6);
            int units = calibrated(jvm);
            print("looked at every second", ratios(jvm, units, pairs, watch::look));
            print("nobody looks in either", ratios(jvm, units, pairs, () -> {}));
        }
    }

    private static double lookNanos(ThreadWatch watch) {
        double[] nanos = new double[WARM_UP];
        for (int i = 0; i < nanos.length; i++) {
            long before = CpuClock.nanos();
            watch.look();
            nanos[i] = CpuClock.nanos() - before;
        }
        return Trimmed.mean(nanos);
    }

    private static int calibrated(ChildJvm jvm) throws IOException {
        jvm.order("2000", "done");
        long before = jvm.cpuNanos();
        jvm.order("1000", "done");
        return (int) Math.max(1, 1000 * BLOCK_NANOS / (jvm.cpuNanos() - before));
    }

    private static double[] ratios(ChildJvm jvm, int units, int pairs, Runnable look)
            throws IOException {
        double[] ratios = new double[pairs];
        for (int i = 0; i < pairs; i++) {
            // Which comes first changes, so that a drift does not look like a cost.
            double first = block(jvm, units, i % 2 == 0 ? look : () -> {});
            double second = block(jvm, units, i % 2 == 0 ? () -> {} : look);
            ratios[i] = i % 2 == 0 ? first / second : second / first;
        }
        return ratios;
    }

    private static double block(ChildJvm jvm, int units, Runnable look) throws IOException {
        long before = jvm.cpuNanos();
        look.run();
        jvm.order(String.valueOf(units), "done");
        return jvm.cpuNanos() - before;
    }

    private static void print(String what, double[] ratios) {
        System.out.printf(
                Locale.ROOT,
                "%s: CPU time of the JVM x %.4f ± %.4f%n",
                what,
                Trimmed.mean(ratios),
                Trimmed.halfWidth(ratios));
    }
}
