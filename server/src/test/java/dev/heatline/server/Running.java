package dev.heatline.server;

import dev.heatline.formats.Format;
import dev.heatline.formats.Formats;
import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import dev.heatline.formats.WriteOptions;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.store.RocksStore;
import dev.heatline.store.Selection;
import dev.heatline.store.Store;
import dev.heatline.store.StoreOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A server on a free port, over a store in a directory, and a client of it. */
final class Running implements AutoCloseable {
    static final ListenAddress ANY_PORT = new ListenAddress("127.0.0.1", 0);

    /** The end of a minute that profiles of tests are taken in. */
    static final String TIMES = "&from=1700000000000&until=1700000060000";

    private final RocksStore store;
    private final Server server;
    private final HttpClient client = HttpClient.newHttpClient();

    Running(Path directory) {
        this(directory, options -> options);
    }

    Running(Path directory, UnaryOperator<ServerOptions> change) {
        store = RocksStore.open(directory, StoreOptions.DEFAULT);
        server = Server.start(store, change.apply(ServerOptions.on(ANY_PORT)));
    }

    URI address() {
        return server.address();
    }

    Store store() {
        return store;
    }

    HttpResponse<String> post(String path, byte[] body, String... headers) {
        return send(request(path, headers).POST(BodyPublishers.ofByteArray(body)));
    }

    HttpResponse<String> post(String path, String body, String... headers) {
        return post(path, body.getBytes(StandardCharsets.UTF_8), headers);
    }

    HttpResponse<String> get(String path, String... headers) {
        return send(request(path, headers));
    }

    HttpResponse<String> delete(String path, String... headers) {
        return send(request(path, headers).DELETE());
    }

    private HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address() + path));
        return headers.length == 0 ? request : request.headers(headers);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** All that is stored of an application, as one profile. */
    Profile stored(String application) {
        ProfileBuilder builder = new ProfileBuilder();
        Store.Collected collected = store.collect(Selection.of(application), 0, builder);
        return builder.build(collected.provenance());
    }

    long storedSamples(String application) {
        return store.executions().stream()
                .filter(seen -> seen.execution().application().equals(application))
                .mapToLong(Store.Seen::samples)
                .sum();
    }

    /** The value of a series of {@code /metrics}, 0 if there is none. */
    double metric(String series, String... headers) {
        return get("/metrics", headers)
                .body()
                .lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElse(0);
    }

    /** Stacks as a profile that knows its application and its time. */
    static Profile profile(String collapsed) {
        Provenance provenance =
                Provenance.NONE
                        .withFact(Provenance.APPLICATION, "shop")
                        .withFact(Provenance.VERSION, "1.2")
                        .withFact(Provenance.INSTANCE, "a")
                        .covering(1_700_000_000_000_000_000L, 1_700_000_060_000_000_000L);
        byte[] text = collapsed.getBytes(StandardCharsets.UTF_8);
        try (Source source = Source.of("test.collapsed", text)) {
            return Formats.read(source, ReadOptions.DEFAULT).withProvenance(provenance);
        }
    }

    /** A profile in a format, by its name. */
    static byte[] written(Profile profile, String format) {
        Format found = Formats.byName(format).orElseThrow();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            found.write(profile, out, WriteOptions.DEFAULT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** Headers as the client takes them. */
    static String[] headers(Map<String, String> headers) {
        return headers.entrySet().stream()
                .flatMap(header -> Stream.of(header.getKey(), header.getValue()))
                .toArray(String[]::new);
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
