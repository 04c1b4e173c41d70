package dev.heatline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.heatline.formats.Formats;
import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import dev.heatline.model.Column;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a server that answers with the status it is told. */
class PushTest {

    /** What arrived. */
    private record Received(String query, String id, String token, long samples, int bytes) {}

    @TempDir private Path folder;

    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final BlockingQueue<Integer> statuses = new LinkedBlockingQueue<>();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v1/profiles", this::handle);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void handle(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        String token = exchange.getRequestHeaders().getFirst("Authorization");
        long samples =
                Formats.read(Source.of("upload.heat", body), ReadOptions.DEFAULT)
                        .column("samples")
                        .map(Column::total)
                        .orElse(0L);
        received.add(
                new Received(
                        exchange.getRequestURI().getRawQuery(),
                        exchange.getRequestHeaders().getFirst("Heatline-Upload-Id"),
                        String.valueOf(token),
                        samples,
                        body.length));
        Integer status = statuses.poll();
        exchange.getResponseHeaders().set("Retry-After", "1");
        exchange.sendResponseHeaders(status == null ? 201 : status, -1);
        exchange.close();
    }

    private String address() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    @Test
    void anyFormatArrivesAsHeatWithItsExecution() throws IOException {
        Path shop = Examples.shop(folder);
        Files.setLastModifiedTime(shop, FileTime.fromMillis(1_700_000_000_000L));
        Run.of(
                        "push",
                        shop,
                        "--server",
                        address(),
                        "--app",
                        "shop",
                        "--version",
                        "1.2",
                        "--instance",
                        "a",
                        "--label",
                        "zone=b",
                        "--label",
                        "run=17")
                .isDone();
        Received upload = received.getFirst();
        assertThat(upload.query)
                .isEqualTo(
                        "app=shop&version=1.2&instance=a&label=run%3A17&label=zone%3Ab"
                                + "&from=1700000000000&until=1700000000001");
        assertThat(upload.samples).isEqualTo(1000);
        assertThat(upload.token).isEqualTo("null");
    }

    @Test
    void theSameContentOfTheSameExecutionHasTheSameId() throws IOException {
        Path shop = Examples.shop(folder);
        Path copy = Files.copy(shop, folder.resolve("copy.collapsed"));
        Run.of("push", shop, copy, "--server", address(), "--app", "shop").isDone();
        Run.of("push", shop, "--server", address(), "--app", "shop", "--version", "2").isDone();
        Run.of("push", shop, "--server", address(), "--app", "shop", "--label", "a=b").isDone();
        assertThat(received).hasSize(4);
        assertThat(received.get(0).id).isEqualTo(received.get(1).id);
        assertThat(received.stream().map(Received::id).distinct()).hasSize(3);
    }

    @Test
    void heatFilesAreSentAsTheyAreWithTheTimeTheyCover() throws IOException {
        Path heat = Path.of("..", "examples", "workload.heat");
        Run.of("push", heat, "--server", address() + "/", "--app", "w").isDone();
        assertThat(received.getFirst().bytes).isEqualTo((int) Files.size(heat));
        var covered = Formats.read(heat, ReadOptions.DEFAULT).provenance();
        assertThat(received.getFirst().query)
                .contains("from=" + covered.from().orElseThrow().toEpochMilli());
    }

    @Test
    void serverAndTokenMayComeFromTheSurroundings() {
        Path shop = Examples.shop(folder);
        Examples.file(folder, "token", "secret\n");
        Examples.file(folder, "heatline.properties", "app=fromfile\nserver=http://localhost:1\n");
        Run.in(
                        Map.of(
                                "HEATLINE_SERVER",
                                address(),
                                "HEATLINE_TOKEN_FILE",
                                folder.resolve("token").toString()),
                        folder,
                        "push",
                        shop)
                .isDone();
        assertThat(received.getFirst().token).isEqualTo("Bearer secret");
        assertThat(received.getFirst().query).startsWith("app=fromfile&");
    }

    @Test
    void everyFileThatFailsHasItsLineAndTheOthersArrive() {
        Path shop = Examples.shop(folder);
        Path broken = Examples.file(folder, "broken.trace", "0 > A\nsoon < A\n");
        Path second = Examples.collapsed(folder, "second.collapsed", "a;b 7");
        statuses.add(413);
        Run run = Run.of("push", shop, broken, second, "--server", address(), "--app", "shop");
        assertThat(run.exit()).isEqualTo(Exit.FAILED);
        assertThat(run.err()).hasLineCount(2).contains("shop.collapsed", "413", "broken.trace");
        assertThat(received.getLast().samples).isEqualTo(7);
    }

    @Test
    void aServerThatWantsATokenIsSaidOnce() {
        statuses.addAll(List.of(401, 401));
        Path shop = Examples.shop(folder);
        Run.of("push", shop, shop, "--server", address(), "--app", "shop")
                .failedSaying("401", "--token-file");
        assertThat(received).hasSize(1);
    }

    @Test
    void aBusyServerIsAskedAgain() {
        statuses.addAll(List.of(429, 503));
        Run.of("push", Examples.shop(folder), "--server", address(), "--app", "shop").isDone();
        assertThat(received).hasSize(3);
    }

    @Test
    void whatCannotWorkIsSaidInOneLine() {
        Path shop = Examples.shop(folder);
        int port = server.getAddress().getPort();
        server.stop(0);
        Run.of("push", shop, "--server", "http://localhost:" + port, "--app", "shop")
                .failedSaying("localhost:" + port, "is it running?");
        Run.of("push", shop, "--server", "shop", "--app", "shop")
                .failedSaying("shop is no address", "http://localhost:4040");
        Run.of("push", shop, "--server", address(), "--app", "a", "--token-file", "nowhere")
                .failedSaying("nowhere", "no such file");
        Run.of("push", shop, "--server", address(), "--app", "a", "--ca-file", "nowhere")
                .failedSaying("nowhere", "no such file");
        Run.of("push", folder.resolve("none.jfr"), "--app", "shop").failedSaying("no such file");
    }

    @Test
    void theApplicationHasToBeNamed() {
        Path shop = Examples.shop(folder);
        Run.of("push", shop, "--server", address()).wrongUsageSaying("--app");
        Run.of("push", shop, "--server", address(), "--app", " ").wrongUsageSaying("--app");
        Run.of("push", shop, "--app", "a", "--label", "x").wrongUsageSaying("--label");
        assertThat(received).isEmpty();
    }
}
