package dev.heatline.bench;

import dev.heatline.collector.jvm.FlightRecorder;
import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.Jvms;
import dev.heatline.wire.RecordingSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * What profiling costs the profiled JVM: its CPU time for equal work with Heatline's recording on,
 * with JFR's own default recording on, and with nothing on, twice.
 *
 * <p>Blocks of these four kinds take turns in one JVM, in a random order. What is started for a
 * block is started and warmed up before it and stopped after it. A block is as long as the pause
 * between two flushes of the recorder, so that the cost of a flush is in every one, and not only in
 * those that are trimmed away.
 *
 * <p>{@code java -jar bench/target/heatline-bench.jar overhead [--pairs N] [--block MILLISECONDS]
 * [--settle MILLISECONDS] [--workload NAME] [--jdk HOME]}; the last two as often as wanted.
 */
final class Overhead {
    private static final String DONE = "done";
    private static final long WARMUP_NANOS = 12_000_000_000L;

    private enum Kind {
        OFF,
        OFF_AGAIN,
        HEATLINE,
        DEFAULT_JFR
    }

    private final ChildJvm target;
    private final Jvm jvm;
    private final int units;

    /**
     * Done before each block, unmeasured, while what starting or stopping set off comes to rest.
     */
    private final int settling;

    private final Map<Kind, double[]> nanos = new EnumMap<>(Kind.class);

    private Overhead(ChildJvm target, int blockMillis, int settleMillis) throws IOException {
        this.target = target;
        this.jvm =
                Jvms.find(target.pid())
                        .orElseThrow(() -> new IOException("no JVM " + target.pid()));
        warmedUp(blockMillis);
        // The first recording makes JDK 17 compile everything anew, which is to be over by then.
        switchOn(Kind.HEATLINE);
        switchOff(Kind.HEATLINE);
        this.units = warmedUp(blockMillis);
        this.settling = Math.max(1, (int) ((long) units * settleMillis / blockMillis));
    }

    static void run(String[] args) throws IOException {
        Given given = new Given(args, "--pairs", "--block", "--settle", "--workload", "--jdk");
        int pairs = given.number("--pairs", 250);
        int blockMillis = given.number("--block", 1_000);
        int settleMillis = given.number("--settle", 1_000);
        System.out.printf(
                "%d pairs of blocks of %d ms, %d ms after the recorder was started or stopped;"
                        + " CPU time of a block, nothing on = 1%n%n",
                pairs, blockMillis, settleMillis);
        System.out.println(
                "| JDK | workload | CPU ms per unit | Heatline | JFR, default.jfc | nothing"
                        + " (null) |");
        System.out.println("| --- | --- | --- | --- | --- | --- |");
        for (String home : given.all("--jdk", jdks())) {
            for (String workload : given.all("--workload", Workloads.NAMES)) {
                measure(Path.of(home), workload, pairs, blockMillis, settleMillis);
            }
        }
    }

    /**
     * An installed JDK 17, if there is one where distributions put it, and the one this runs on.
     */
    private static List<String> jdks() {
        List<String> homes = new ArrayList<>();
        for (String home : List.of("java-17-openjdk-amd64", "temurin-17-jdk-amd64")) {
            Path jdk = Path.of("/usr/lib/jvm", home);
            if (homes.isEmpty() && Files.exists(jdk)) {
                homes.add(jdk.toString());
            }
        }
        homes.add(ChildJvm.ownJdk().toString());
        return homes;
    }

    private static void measure(
            Path jdk, String workload, int pairs, int blockMillis, int settleMillis)
            throws IOException {
        int feature = feature(jdk);
        try (ChildJvm target =
                new ChildJvm(
                        jdk,
                        Workloads.classPath(feature),
                        List.of("-Xms512m", "-Xmx512m"),
                        List.of(Workloads.TARGET, workload))) {
            target.answer();
            Overhead overhead = new Overhead(target, blockMillis, settleMillis);
            overhead.measure(pairs);
            double[] off = overhead.nanos(Kind.OFF);
            System.out.printf(
                    Locale.ROOT,
                    "| %d | %s | %.2f | %s | %s | %s |%n",
                    feature,
                    workload,
                    Trimmed.mean(off) / overhead.units / 1e6,
                    ratio(overhead.nanos(Kind.HEATLINE), off),
                    ratio(overhead.nanos(Kind.DEFAULT_JFR), off),
                    ratio(overhead.nanos(Kind.OFF_AGAIN), off));
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

    private static String ratio(double[] nanos, double[] off) {
        double[] ratios = new double[off.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = nanos[i] / off[i];
        }
        return String.format(
                Locale.ROOT, "%.4f ± %.4f", Trimmed.mean(ratios), Trimmed.halfWidth(ratios));
    }

    /** Returns how many units make a block. */
    private int warmedUp(int blockMillis) throws IOException {
        int number = 1;
        long until = System.nanoTime() + WARMUP_NANOS;
        long took = 0;
        while (System.nanoTime() < until) {
            long start = System.nanoTime();
            target.order(String.valueOf(number), DONE);
            took = Math.max(1, System.nanoTime() - start);
            number = Math.max(1, (int) Math.min(number * 2.0, number * blockMillis * 1e6 / took));
        }
        return number;
    }

    private void measure(int pairs) throws IOException {
        List<Kind> order = new ArrayList<>(List.of(Kind.values()));
        for (Kind kind : order) {
            nanos.put(kind, new double[pairs]);
        }
        Random random = new Random(1);
        // One round unmeasured: whatever the recorder does only once is done then.
        for (int pair = -1; pair < pairs; pair++) {
            Collections.shuffle(order, random);
            for (Kind kind : order) {
                long block = block(kind);
                if (pair >= 0) {
                    nanos(kind)[pair] = block;
                }
            }
        }
    }

    /** The CPU time of every block of a kind. */
    private double[] nanos(Kind kind) {
        return Objects.requireNonNull(nanos.get(kind));
    }

    private long block(Kind kind) throws IOException {
        switchOn(kind);
        target.order(String.valueOf(settling), DONE);
        long before = target.cpuNanos();
        target.order(String.valueOf(units), DONE);
        long nanos = target.cpuNanos() - before;
        switchOff(kind);
        return nanos;
    }

    private void switchOn(Kind kind) throws IOException {
        switch (kind) {
            case HEATLINE -> FlightRecorder.start(jvm, RecordingSettings.DEFAULT);
            case DEFAULT_JFR -> target.jcmd("JFR.start", "name=plain", "settings=default");
            default -> {}
        }
    }

    private void switchOff(Kind kind) throws IOException {
        switch (kind) {
            case HEATLINE -> FlightRecorder.stop(jvm);
            case DEFAULT_JFR -> target.jcmd("JFR.stop", "name=plain");
            default -> {}
        }
    }
}
