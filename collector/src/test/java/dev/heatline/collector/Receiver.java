package dev.heatline.collector;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.heatline.formats.Formats;
import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import dev.heatline.model.Profile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A server that takes every profile, and of those that come again the last. */
final class Receiver implements AutoCloseable {
    private final Map<String, Profile> received = new ConcurrentHashMap<>();
    private final HttpServer server;

    Receiver() {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try {
            server = HttpServer.create(anyPort, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::take);
        server.start();
    }

    private void take(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        String id = exchange.getRequestHeaders().getFirst("Heatline-Upload-Id");
        received.put(id, Formats.read(Source.of("upload", body), ReadOptions.DEFAULT));
        exchange.sendResponseHeaders(204, -1);
        exchange.close();
    }

    String address() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    /** What has come so far. */
    Collection<Profile> profiles() {
        return received.values();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
