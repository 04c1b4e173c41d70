package dev.heatline.bench;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What memory a collector takes that follows one busy JVM: a minute that Heatline recorded of deep,
 * nearly unique stacks is replayed flush by flush, again and again, as fast as it is read.
 *
 * <p>{@code java -jar bench/target/heatline-bench.jar collector [--minutes N] [--seconds N]}, in
 * the folder of the sources; the seconds are those recorded for one replayed minute.
 */
final class CollectorMemory {

    private CollectorMemory() {}

    static void run(String[] args) throws IOException {
        Given given = new Given(args, "--minutes", "--seconds");
        int minutes = given.number("--minutes", 60);
        Path recording =
                Recordings.busy(Path.of("bench/target/recordings"), given.number("--seconds", 60));
        Path folder = Files.createTempDirectory("collector");
        AtomicInteger uploads = new AtomicInteger();
        HttpServer server = sink(uploads);
        try (ChildJvm collector = start(folder, server)) {
            replay(collector, new GrowingFiles(recording, folder.resolve("chunks")), minutes);
        } finally {
            server.stop(0);
            Folders.delete(folder);
        }
        System.out.printf("%n%d profiles were uploaded%n", uploads.get());
    }

    /** As {@code ./heatline collect} starts one, but for the cache of its classes. */
    private static ChildJvm start(Path folder, HttpServer server) throws IOException {
        Path chunks = Files.createDirectory(folder.resolve("chunks"));
        return new ChildJvm(
                ChildJvm.ownJdk(),
                ChildJvm.ownClassPath(),
                List.of(
                        "-Xlog:disable",
                        "--sun-misc-unsafe-memory-access=allow",
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:+UseSerialGC",
                        "@packaging/collector.args"),
                List.of(
                        Replay.class.getName(),
                        chunks.toString(),
                        folder.resolve("spool").toString(),
                        "http://127.0.0.1:" + server.getAddress().getPort()));
    }

    private static void replay(ChildJvm collector, GrowingFiles files, int minutes)
            throws IOException {
        System.out.println("| minute | nodes | heap MB | RSS MB | most RSS MB |");
        System.out.println("| --- | --- | --- | --- | --- |");
        for (int minute = 1; minute <= minutes; minute++) {
            String nodes = "0";
            files.begin();
            while (files.grow()) {
                nodes = collector.ask("read");
            }
            collector.ask("close");
            System.out.printf(
                    Locale.ROOT,
                    "| %d | %s | %.0f | %.0f | %.0f |%n",
                    minute,
                    nodes,
                    collector.heapKilobytes() / 1024.0,
                    collector.residentKilobytes() / 1024.0,
                    collector.mostResidentKilobytes() / 1024.0);
        }
    }

    /** A server that takes everything and keeps nothing. */
    private static HttpServer sink(AtomicInteger uploads) throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> take(exchange, uploads));
        server.start();
        return server;
    }

    private static void take(HttpExchange exchange, AtomicInteger uploads) throws IOException {
        try (InputStream in = exchange.getRequestBody();
                OutputStream none = OutputStream.nullOutputStream()) {
            in.transferTo(none);
        }
        uploads.incrementAndGet();
        exchange.sendResponseHeaders(201, -1);
        exchange.close();
    }
}
