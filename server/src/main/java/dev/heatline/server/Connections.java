package dev.heatline.server;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.socket.SocketOptions;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The open connections. Whoever keeps the server waiting for too long is cut off, in a request as
 * in an answer: the web server itself would wait for ever. And no address gets all connections.
 */
final class Connections implements AutoCloseable {
    private static final int LOOKS_PER_SILENCE = 4;

    private final Limits limits;
    private final Metrics metrics;
    private final Map<SocketAddress, Open> open = new ConcurrentHashMap<>();
    private final ScheduledThreadPoolExecutor watch =
            new ScheduledThreadPoolExecutor(
                    1, Thread.ofPlatform().daemon().name("slow-clients").factory());

    private record Open(SocketChannel channel, Patience patience) {

        /** The last answer may still be on its way to somebody who wants nothing more. */
        void close() {
            try (channel) {
                if (!patience.isIdle()) {
                    // The system is not to wait for the client instead.
                    channel.setOption(StandardSocketOptions.SO_LINGER, 0);
                }
            } catch (IOException e) {
                // It is closed already.
            }
        }
    }

    Connections(Limits limits, Metrics metrics) {
        this.limits = limits;
        this.metrics = metrics;
        long millis = Math.max(1, limits.silence().toMillis() / LOOKS_PER_SILENCE);
        Future<?> _ =
                watch.scheduleWithFixedDelay(this::cutSlow, millis, millis, TimeUnit.MILLISECONDS);
    }

    private void cutSlow() {
        forgetClosed();
        long now = System.nanoTime();
        for (Open each : open.values()) {
            if (each.patience.isOver(now)) {
                if (!each.patience.isIdle()) {
                    metrics.add(Metrics.Family.SLOW, "", 1);
                }
                each.close();
            }
        }
    }

    private void forgetClosed() {
        open.values().removeIf(each -> !each.channel.isOpen());
    }

    /**
     * Knows a new connection, before anything is read of it.
     *
     * @throws IOException if its address has too many; it is closed then
     */
    private void enter(SocketChannel channel) throws IOException {
        forgetClosed();
        SocketAddress peer = channel.getRemoteAddress();
        long others = open.keySet().stream().filter(each -> isSameHost(each, peer)).count();
        if (others >= Math.ceilDiv(limits.connections(), 2)) {
            metrics.add(Metrics.Family.CROWDS, "", 1);
            throw new IOException(peer + " has too many connections");
        }
        Patience patience = new Patience(limits.silence(), limits.requestTime());
        patience.begin(Patience.For.HANDSHAKE, System.nanoTime());
        open.put(peer, new Open(channel, patience));
    }

    private static boolean isSameHost(SocketAddress one, SocketAddress other) {
        return one instanceof InetSocketAddress first
                && other instanceof InetSocketAddress second
                && first.getAddress().equals(second.getAddress());
    }

    /** How connections are set up, which is the first that the web server does with them. */
    SocketOptions entrance() {
        // Else the second packet of an answer waits for the client's slow receipt.
        return new Entrance(SocketOptions.builder().tcpNoDelay(true).build());
    }

    /** How requests and answers go over connections. */
    ServerConnectionSelector http(Http1Config config) {
        return new Watched(Http1ConnectionSelector.builder().config(config).build());
    }

    private final class Watched implements ServerConnectionSelector {
        private final ServerConnectionSelector http;

        private Watched(ServerConnectionSelector http) {
            this.http = http;
        }

        @Override
        public ServerConnection connection(ConnectionContext context) {
            Open entered = Objects.requireNonNull(open.get(context.remotePeer().address()));
            return http.connection(new WatchedConnection(context, entered.patience));
        }

        @Override
        public int bytesToIdentifyConnection() {
            return http.bytesToIdentifyConnection();
        }

        @Override
        public Support supports(BufferData data) {
            return http.supports(data);
        }

        @Override
        public Set<String> supportedApplicationProtocols() {
            return http.supportedApplicationProtocols();
        }
    }

    private final class Entrance implements SocketOptions {
        private final SocketOptions options;

        private Entrance(SocketOptions options) {
            this.options = options;
        }

        @Override
        public void configureSocket(SocketChannel channel) {
            try {
                options.configureSocket(channel);
                enter(channel);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public Map<SocketOption<?>, Object> socketOptions() {
            return options.socketOptions();
        }

        @Override
        public Duration connectTimeout() {
            return options.connectTimeout();
        }

        @Override
        public Duration readTimeout() {
            return options.readTimeout();
        }

        @Override
        public Optional<Integer> socketReceiveBufferSize() {
            return options.socketReceiveBufferSize();
        }

        @Override
        public Optional<Integer> socketSendBufferSize() {
            return options.socketSendBufferSize();
        }

        @Override
        public boolean socketReuseAddress() {
            return options.socketReuseAddress();
        }

        @Override
        public boolean socketKeepAlive() {
            return options.socketKeepAlive();
        }

        @Override
        public boolean tcpNoDelay() {
            return options.tcpNoDelay();
        }
    }

    @Override
    public void close() {
        watch.close();
    }
}
