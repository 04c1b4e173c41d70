package dev.heatline.bench;

import dev.heatline.formats.HeatFormat;
import dev.heatline.formats.WriteOptions;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * How many profiles a server takes in, and how fast it answers meanwhile: a store is filled, then
 * uploads and the question an editor asks of an open file go on together, first as fast as possible
 * and then at a given rate.
 *
 * <p>{@code java -jar bench/target/heatline-bench.jar ingest [--seconds N] [--nodes N] [--rate N]
 * [--connections N] [--heap MB] [--manifold 1]}; the last fills the store with an application that
 * does very many different things.
 */
final class IngestLoad {

    /** Samples of an ordinary minute, which make a profile of about two thousand nodes. */
    private static final double SAMPLES = 3_600;

    /** Samples of a minute in which a large machine was busy. */
    private static final double BUSY_SAMPLES = 48_000;

    private static final int BODIES = 200;
    private static final int QUESTIONS_PER_SECOND = 20;
    private static final int SECONDS_PER_ROW = 10;
    private static final int FASTEST = 0;

    private final Given given;
    private final SyntheticService service;
    private final Path folder;

    private IngestLoad(Given given, Path folder) {
        this.given = given;
        this.folder = folder;
        this.service = isManifold() ? SyntheticService.manifold() : SyntheticService.ordinary();
    }

    private boolean isManifold() {
        return given.number("--manifold", 0) > 0;
    }

    /** Minutes of one application until there are enough nodes, then ordinary ones. */
    private UploadPlan plan() throws IOException {
        SyntheticService.Instance first = service.new Instance(1);
        long wanted = given.number("--nodes", 10_000_000);
        long nodes = 0;
        ProfileBuilder merged = new ProfileBuilder();
        List<byte[]> filling = new ArrayList<>();
        while (nodes < wanted) {
            Profile profile = first.minute(Instant.EPOCH, 0, isManifold() ? BUSY_SAMPLES : SAMPLES);
            nodes += profile.nodeCount();
            merged.addAll(profile);
            filling.add(packed(profile));
        }
        System.out.printf(
                "the store gets %d profiles of %d nodes, %d different ones%n",
                filling.size(), nodes / filling.size(), merged.nodeCount());
        SyntheticService.Instance ordinary = SyntheticService.ordinary().new Instance(1);
        List<byte[]> bodies = new ArrayList<>();
        long ordinaryNodes = 0;
        long bytes = 0;
        for (int i = 0; i < BODIES; i++) {
            Profile profile = ordinary.minute(Instant.EPOCH, 0, SAMPLES);
            bodies.add(packed(profile));
            ordinaryNodes += profile.nodeCount();
            bytes += bodies.getLast().length;
        }
        System.out.printf(
                "uploads of %d nodes and %d bytes on average follow%n",
                ordinaryNodes / BODIES, bytes / BODIES);
        return new UploadPlan(filling, bodies);
    }

    private static byte[] packed(Profile profile) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new HeatFormat().write(profile, out, WriteOptions.DEFAULT);
        return out.toByteArray();
    }

    static void run(String[] args) throws IOException, InterruptedException {
        Given given =
                new Given(
                        args,
                        "--seconds",
                        "--nodes",
                        "--rate",
                        "--connections",
                        "--heap",
                        "--manifold");
        Path folder = Files.createTempDirectory("ingest");
        try {
            new IngestLoad(given, folder).run();
        } finally {
            Folders.delete(folder);
        }
    }

    private void run() throws IOException, InterruptedException {
        int seconds = given.number("--seconds", 60);
        UploadPlan plan = plan();
        int fill = plan.fill();
        try (ChildJvm server = server();
                LoadClient client = new LoadClient(address(server), plan)) {
            long start = System.nanoTime();
            client.upload(connections(), fill);
            System.out.printf(
                    Locale.ROOT,
                    "filled with %d uploads at %.0f a second%n",
                    fill,
                    fill / secondsSince(start));
            firstFlameGraph(client, "of that store");
        }
        try (ChildJvm server = server();
                LoadClient client = new LoadClient(address(server), plan)) {
            firstFlameGraph(client, "of a new server");
            System.out.println();
            System.out.println(
                    "| second | uploads/s | refused | server CPUs | heap MB | RSS MB | class p50 ms"
                            + " | p99 ms | max ms |");
            System.out.println("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
            phase(server, client, seconds, FASTEST);
            phase(server, client, seconds, given.number("--rate", 500));
        }
    }

    private void firstFlameGraph(LoadClient client, String what)
            throws IOException, InterruptedException {
        System.out.printf(
                Locale.ROOT,
                "first flame graph %s: %.0f ms; then the first class: %.0f ms%n",
                what,
                client.ask("flamegraph?app=" + UploadPlan.FILLED) / 1e6,
                client.ask(question(0)) / 1e6);
    }

    private int connections() {
        return given.number("--connections", 8);
    }

    private ChildJvm server() throws IOException {
        return new ChildJvm(
                ChildJvm.ownJdk(),
                ChildJvm.ownClassPath(),
                List.of(
                        "-Xlog:disable",
                        "--sun-misc-unsafe-memory-access=allow",
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:+UseG1GC",
                        "-Xmx" + given.number("--heap", 512) + "m"),
                List.of(
                        "dev.heatline.cli.Main",
                        "serve",
                        "--listen",
                        "127.0.0.1:0",
                        "--data",
                        folder.resolve("data").toString(),
                        "--rate-limit",
                        "0"));
    }

    /** It prints {@code Heatline listens on http://…}. */
    private static String address(ChildJvm server) throws IOException {
        String line = server.answer();
        return line.substring(line.lastIndexOf(' ') + 1);
    }

    private String question(int number) {
        String name = service.className(number * 7 % service.classes());
        return "classes?app=" + UploadPlan.FILLED + "&class=" + name;
    }

    /** Uploads and asks for so long; a row every few seconds, and one for all of them. */
    private void phase(ChildJvm server, LoadClient client, int seconds, int rate)
            throws IOException, InterruptedException {
        Histogram all = new Histogram(3);
        client.start(connections(), rate);
        client.startAsking(QUESTIONS_PER_SECOND, this::question);
        long start = System.nanoTime();
        long cpu = server.cpuNanos();
        long uploads = client.uploads();
        long refused = client.refused();
        for (int second = 0; second < seconds; second += SECONDS_PER_ROW) {
            long rowStart = System.nanoTime();
            long rowCpu = server.cpuNanos();
            long rowUploads = client.uploads();
            long rowRefused = client.refused();
            TimeUnit.SECONDS.sleep(Math.min(SECONDS_PER_ROW, seconds - second));
            Histogram latencies = client.takeLatencies();
            all.add(latencies);
            row(
                    String.valueOf(Math.min(second + SECONDS_PER_ROW, seconds)),
                    (client.uploads() - rowUploads) / secondsSince(rowStart),
                    client.refused() - rowRefused,
                    (server.cpuNanos() - rowCpu) / 1e9 / secondsSince(rowStart),
                    server,
                    latencies);
        }
        double took = secondsSince(start);
        row(
                rate == FASTEST ? "all, as fast as possible" : "all, at " + rate + " uploads/s",
                (client.uploads() - uploads) / took,
                client.refused() - refused,
                (server.cpuNanos() - cpu) / 1e9 / took,
                server,
                all);
        client.stop();
    }

    private static void row(
            String name,
            double uploads,
            long refused,
            double cpus,
            ChildJvm server,
            Histogram latencies)
            throws IOException {
        System.out.printf(
                Locale.ROOT,
                "| %s | %.0f | %d | %.2f | %d | %d | %.1f | %.1f | %.1f |%n",
                name,
                uploads,
                refused,
                cpus,
                server.heapKilobytes() >> 10,
                server.residentKilobytes() >> 10,
                latencies.getValueAtPercentile(50) / 1e6,
                latencies.getValueAtPercentile(99) / 1e6,
                latencies.getMaxValue() / 1e6);
    }

    private static double secondsSince(long start) {
        return (System.nanoTime() - start) / 1e9;
    }
}
