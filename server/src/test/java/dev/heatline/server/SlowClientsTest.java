package dev.heatline.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Execution;
import dev.heatline.store.Upload;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that keep the server waiting: each is cut off, and meanwhile others are served. */
class SlowClientsTest {
    private static final String UPLOAD = "/api/v1/profiles?app=shop" + Running.TIMES;
    private static final String EXPORT = "/api/v1/export?app=shop&format=collapsed";
    private static final String METHODS = "/api/v1/methods?app=shop&limit=10000";
    private static final String SLOW = "heatline_slow_clients_total";
    private static final Duration SILENCE = Duration.ofMillis(500);

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** Longer than a busy machine takes to go on. */
    private static final Duration LONGER = Duration.ofSeconds(3);

    private static final int LONG_NAME = 10_000;
    private static final int METHODS_IN_PROFILE = 1_500;

    @TempDir private Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /ready HTTP/1.1\r\nHost: localhost\r\nA: ",
                "GET /ready HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n",
                "GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\nGET /re",
                "POST " + UPLOAD + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nmain"
            })
    void whoFallsSilentIsCutOff(String request) throws IOException {
        try (Running running = patient(SILENCE, Duration.ofMinutes(1));
                Socket socket = connected(running)) {
            send(socket, request);

            // The connection stays open on this side.
            assertThat(endedBy(socket)).isTrue();
            assertThat(running.store().executions()).isEmpty();
            assertThat(running.get("/ready").statusCode()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "headers, 500, 60000",
        "content nobody reads, 500, 60000",
        "content, 500, 60000",
        "content, 60000, 500"
    })
    void aDripIsNoStream(String of, long silenceMillis, long requestMillis) throws Exception {
        Duration silence = Duration.ofMillis(silenceMillis);
        String length = "Content-Length: 1000000\r\n\r\n";
        String request =
                switch (of) {
                    case "headers" -> "GET /ready HTTP/1.1\r\nHost: localhost\r\nA: ";
                    case "content" ->
                            "POST " + UPLOAD + " HTTP/1.1\r\nHost: localhost\r\n" + length;
                    default -> "GET /ready HTTP/1.1\r\nHost: localhost\r\n" + length;
                };
        try (Running running = patient(silence, Duration.ofMillis(requestMillis));
                Socket socket = connected(running)) {
            send(socket, request);
            assertThat(endsWhileDripping(socket)).isTrue();
            assertThat(running.metric(SLOW)).isEqualTo(1);
            assertThat(running.get("/ready").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aConnectionThatIsNotUsedIsClosed() throws IOException {
        try (Running running = patient(SILENCE, Duration.ofMinutes(1));
                Socket socket = connected(running)) {
            assertThat(endedBy(socket)).isTrue();
            assertThat(running.metric(SLOW)).isZero();
        }
    }

    @Test
    void exportsThatNobodyReadsMakeRoom() throws Exception {
        try (Running running = patient(LONGER, Duration.ofMinutes(1))) {
            fill(running);
            try (Socket one = asking(running, EXPORT);
                    Socket other = asking(running, EXPORT)) {
                assertThat(running.get(EXPORT).statusCode()).isEqualTo(503);
                assertThat(running.get("/api/v1/applications").statusCode()).isEqualTo(200);
                HttpResponse<String> third = running.get(EXPORT);
                long end = System.nanoTime() + PATIENCE.toNanos();
                while (third.statusCode() == 503 && System.nanoTime() < end) {
                    Thread.sleep(20);
                    third = running.get(EXPORT);
                }

                assertThat(third.statusCode()).isEqualTo(200);
                assertThat(third.body()).hasSizeGreaterThan(METHODS_IN_PROFILE * LONG_NAME);
                while (running.metric(SLOW) < 2 && System.nanoTime() < end) {
                    Thread.sleep(20);
                }
                assertThat(running.metric(SLOW)).isEqualTo(2);
                assertThat(endedBy(one)).isTrue();
                assertThat(endedBy(other)).isTrue();
            }
        }
    }

    @Test
    void anAnswerThatNobodyReadsIsGivenUp() throws Exception {
        try (Running running = patient(LONGER, Duration.ofMinutes(1))) {
            fill(running);
            try (Socket socket = asking(running, METHODS)) {
                assertThat(running.get(METHODS).body())
                        .hasSizeGreaterThan(METHODS_IN_PROFILE * LONG_NAME);
                long end = System.nanoTime() + PATIENCE.toNanos();
                while (running.metric(SLOW) < 1 && System.nanoTime() < end) {
                    Thread.sleep(20);
                }
                assertThat(running.metric(SLOW)).isEqualTo(1);
                assertThat(endedBy(socket)).isTrue();
            }
        }
    }

    @Test
    void whoGoesOnReadingGetsAllHoweverLongItTakes() throws Exception {
        try (Running running = patient(LONGER, LONGER)) {
            fill(running);
            long started = System.nanoTime();
            try (Socket socket = asking(running, EXPORT)) {
                InputStream in = socket.getInputStream();
                long bytes = 0;
                int read;
                while ((read = in.readNBytes(1 << 20).length) > 0) {
                    bytes += read;
                    Thread.sleep(LONGER.toMillis() / 10);
                }

                assertThat(bytes).isGreaterThan((long) METHODS_IN_PROFILE * LONG_NAME);
                assertThat(Duration.ofNanos(System.nanoTime() - started)).isGreaterThan(LONGER);
                assertThat(running.metric(SLOW)).isZero();
            }
        }
    }

    /** Has asked, and has got the first byte of the answer. */
    private static Socket asking(Running running, String path) throws IOException {
        Socket socket = connected(running);
        send(socket, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        assertThat(socket.getInputStream().read()).isEqualTo('H');
        return socket;
    }

    @Test
    void oneAddressDoesNotGetAllConnections() throws IOException {
        InetAddress local = InetAddress.ofLiteral("127.0.0.1");
        InetAddress other = InetAddress.ofLiteral("127.0.0.2");
        try (Running running = limited(limits -> limits.withConnections(4))) {
            try (Socket _ = served(running, local);
                    Socket _ = served(running, local);
                    Socket third = connected(running, local)) {
                assertThat(endedBy(third)).isTrue();
                try (Socket fromElsewhere = connected(running, other)) {
                    assertThat(isServed(fromElsewhere)).isTrue();
                }
            }
            // The server need not have seen yet that there is room.
            boolean again = false;
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (!again && System.nanoTime() < end) {
                try (Socket fourth = connected(running, local)) {
                    again = isServed(fourth);
                }
            }
            assertThat(again).isTrue();
            assertThat(running.metric("heatline_crowds_total")).isPositive();
        }
    }

    /** Stores what takes more room than there is on the way to a client. */
    private static void fill(Running running) {
        StringBuilder stacks = new StringBuilder("main;A 1\n");
        for (int i = 0; i < METHODS_IN_PROFILE; i++) {
            stacks.append("m").append(i).append("x".repeat(LONG_NAME)).append(" 1\n");
        }
        Instant from = Instant.now().minusSeconds(60);
        Upload upload =
                new Upload(
                        "1",
                        new Execution("shop", "1.2", "a"),
                        from,
                        from.plusSeconds(60),
                        Running.profile(stacks.toString()));
        assertThat(running.store().add(upload)).isTrue();
    }

    private Running patient(Duration silence, Duration request) {
        return limited(limits -> limits.withTimes(silence, request));
    }

    private Running limited(UnaryOperator<Limits> change) {
        return new Running(directory, options -> options.withLimits(change.apply(Limits.DEFAULT)));
    }

    private static Socket connected(Running running) throws IOException {
        return connected(running, InetAddress.getLoopbackAddress());
    }

    private static Socket connected(Running running, InetAddress from) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(1 << 16);
        socket.bind(new InetSocketAddress(from, 0));
        socket.connect(
                new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), running.address().getPort()));
        return socket;
    }

    private static Socket served(Running running, InetAddress from) throws IOException {
        Socket socket = connected(running, from);
        assertThat(isServed(socket)).isTrue();
        return socket;
    }

    private static boolean isServed(Socket socket) {
        try {
            send(socket, "GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n");
            return socket.getInputStream().read() == 'H';
        } catch (IOException e) {
            return false;
        }
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Waits until the other side closes the connection, properly or not. */
    private static boolean endedBy(Socket socket) {
        try {
            socket.setSoTimeout(60_000);
            socket.getInputStream().readAllBytes();
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** Sends a byte now and then, until the other side closes the connection or it is too long. */
    private static boolean endsWhileDripping(Socket socket) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end) {
            try {
                send(socket, "m");
                Thread.sleep(20);
            } catch (IOException e) {
                return true;
            }
        }
        return false;
    }
}
