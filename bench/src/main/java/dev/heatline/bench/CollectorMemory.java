package dev.heatline.bench;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.heatline.collector.jvm.FlightRecorder;
import dev.heatline.collector.jvm.FlightRecording;
import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.Jvms;
import dev.heatline.formats.Formats;
import dev.heatline.formats.HeatFormat;
import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import dev.heatline.formats.jfr.LiveRecording;
import dev.heatline.model.Column;
import dev.heatline.model.Profile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What memory {@code heatline collect} takes that follows one busy JVM. The JVM is a real one that
 * does nothing; into the folder of its recorder goes a minute that Heatline recorded of deep,
 * nearly unique stacks, flush by flush, again and again, faster than it was recorded.
 *
 * <p>{@code java -jar bench/target/heatline-bench.jar collector [--minutes N] [--pace SECONDS]}, in
 * the folder of the sources; the pace is how long a replayed minute takes.
 */
final class CollectorMemory {
    private final Sink sink = new Sink();
    private final int paceSeconds;

    private CollectorMemory(int paceSeconds) {
        this.paceSeconds = paceSeconds;
    }

    static void run(String[] args) throws IOException, InterruptedException {
        Given given = new Given(args, "--minutes", "--pace");
        Path recording = Recordings.busyMinute(Path.of("bench/target/recordings"));
        new CollectorMemory(given.number("--pace", 5))
                .run(recording, given.number("--minutes", 60));
    }

    private void run(Path recording, int minutes) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("collector");
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", sink::take);
        server.start();
        try (ChildJvm target =
                        new ChildJvm(
                                ChildJvm.ownJdk(),
                                Workloads.classPath(Runtime.version().feature()),
                                List.of("-Xmx64m"),
                                List.of(Workloads.TARGET, "xslt"));
                ChildJvm collector = start(folder, server, target)) {
            replay(collector, new GrowingFiles(recording, repository(target, collector)), minutes);
        } finally {
            server.stop(0);
            Folders.delete(folder);
        }
        System.out.println();
        System.out.printf("%s; %d were replayed%n", sink.all(), minutes * allocations(recording));
    }

    private static long allocations(Path recording) {
        return Formats.read(recording, ReadOptions.DEFAULT)
                .column("allocations")
                .map(Column::total)
                .orElse(0L);
    }

    private ChildJvm start(Path folder, HttpServer server, ChildJvm target) throws IOException {
        return new ChildJvm(
                ChildJvm.ownJdk(),
                List.of(
                        Workloads.project().resolve("heatline").toString(),
                        "collect",
                        "--server",
                        "http://127.0.0.1:" + server.getAddress().getPort(),
                        "--spool",
                        folder.resolve("spool").toString(),
                        "--jvms",
                        String.valueOf(target.pid()),
                        "--interval",
                        paceSeconds + "s",
                        // The JVM does nothing: any cost is more than its own.
                        "--budget",
                        "100%"));
    }

    /** Where the collector has its recorder write to. */
    private static Path repository(ChildJvm target, ChildJvm collector)
            throws InterruptedException {
        Optional<FlightRecording> recording = Optional.empty();
        while (recording.isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(200);
            collector.requireAlive();
            Jvm jvm = Jvms.find(target.pid()).orElseThrow();
            recording = FlightRecorder.find(jvm);
        }
        return recording.get().repository();
    }

    private void replay(ChildJvm collector, GrowingFiles files, int minutes)
            throws IOException, InterruptedException {
        System.out.println(
                "| minute | profiles | nodes of the largest | CPU s | heap MB | RSS MB | most RSS MB |");
        System.out.println("| --- | --- | --- | --- | --- | --- | --- |");
        long pause = TimeUnit.SECONDS.toNanos(paceSeconds) / files.flushes();
        long due = System.nanoTime();
        for (int minute = 1; minute <= minutes; minute++) {
            collector.requireAlive();
            long cpuNanos = collector.cpuNanos();
            files.begin();
            while (files.grow()) {
                due += pause;
                TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
            }
            System.out.printf(
                    Locale.ROOT,
                    "| %d | %s | %.2f | %.0f | %.0f | %.0f |%n",
                    minute,
                    sink.lately(),
                    (collector.cpuNanos() - cpuNanos) / 1e9,
                    collector.heapKilobytes() / 1024.0,
                    collector.residentKilobytes() / 1024.0,
                    collector.mostResidentKilobytes() / 1024.0);
        }
        // The last interval has to end, and to be uploaded.
        TimeUnit.SECONDS.sleep(2L * paceSeconds);
    }

    /** A server that takes everything, and keeps only how much it was. */
    private static final class Sink {
        private final HeatFormat format = new HeatFormat();
        private int profiles;
        private int profilesBefore;
        private int largestLately;
        private long samples;
        private long lost;

        private void take(HttpExchange exchange) throws IOException {
            byte[] body = exchange.getRequestBody().readAllBytes();
            Profile profile = format.read(Source.of("upload", body), ReadOptions.DEFAULT);
            count(profile);
            exchange.sendResponseHeaders(201, -1);
            exchange.close();
        }

        private synchronized void count(Profile profile) {
            profiles++;
            largestLately = Math.max(largestLately, profile.nodeCount());
            samples += profile.column("allocations").map(Column::total).orElse(0L);
            lost += profile.provenance().count(LiveRecording.LOST_CHUNKS);
        }

        /** What came since the last call. */
        private synchronized String lately() {
            String lately = (profiles - profilesBefore) + " | " + largestLately;
            profilesBefore = profiles;
            largestLately = 0;
            return lately;
        }

        private synchronized String all() {
            return "%d profiles with %d samples of allocations came; %d chunks were lost"
                    .formatted(profiles, samples, lost);
        }
    }
}
