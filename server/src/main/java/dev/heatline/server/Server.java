package dev.heatline.server;

import dev.heatline.server.measure.Measurements;
import dev.heatline.server.query.QueryOptions;
import dev.heatline.server.query.QueryService;
import dev.heatline.server.query.Sources;
import dev.heatline.store.Store;
import io.helidon.http.DirectHandler;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http1.Http1Config;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** The whole server: takes profiles in, keeps them in a store, answers questions about them. */
public final class Server implements AutoCloseable {
    private static final int MAX_REQUEST_LINE_BYTES = 16 << 10;
    private static final int MAX_HEADER_BYTES = 16 << 10;

    /** How long requests under way may take when the server is told to end. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Duration FAREWELL = Duration.ofMillis(500);

    private final ServerOptions options;
    private final Store store;
    private final Metrics metrics = new Metrics();
    private final KnownExecutions known;
    private final UnderWay underWay = new UnderWay();
    private final Connections connections;
    private final Bodies bodies;
    private final Intake intake;
    private final Measurements measurements = new Measurements(InstantSource.system());
    private final QueryService queries;
    private final Maintenance maintenance;
    private final WebServer web;

    /**
     * Starts a server on a store, which it closes when it is closed itself.
     *
     * @throws ServerException if it cannot start; the store is closed then
     */
    public static Server start(Store store, ServerOptions options) {
        try {
            return new Server(store, options);
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    private Server(Store store, ServerOptions options) {
        this.options = options;
        this.store = store;
        Optional<Tokens> tokens = options.tokenFile().map(Tokens::read);
        boolean loopback = options.listen().isLoopback();
        if (!loopback && tokens.isEmpty() && !options.insecure()) {
            throw new ServerException(
                    options.listen()
                            + " can be reached from other machines: give --token-file FILE, or"
                            + " --insecure to let everybody in");
        }
        Sources sources = sources(options);
        this.known = new KnownExecutions(options.limits(), InstantSource.system());
        known.refresh(store);
        this.connections = new Connections(options.limits(), metrics);
        this.bodies = new Bodies(options.limits());
        this.intake = new Intake(store, known, metrics, options.limits());
        this.queries = new QueryService(store, QueryOptions.DEFAULTS, sources, measurements);
        Guard guard =
                new Guard(
                        tokens,
                        loopback && tokens.isEmpty(),
                        new RateLimit(options.limits().requestsPerSecond()),
                        metrics,
                        underWay);
        this.web = web(routing(guard));
        listen();
        this.maintenance = new Maintenance(store, known, metrics);
    }

    private static Sources sources(ServerOptions options) {
        try {
            return Sources.of(options.sources());
        } catch (IOException e) {
            throw new ServerException(String.valueOf(e.getMessage()));
        }
    }

    private void listen() {
        // The web server only logs that it cannot bind, so that is tried before.
        ListenAddress listen = options.listen();
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(listen.resolved(), listen.port()));
        } catch (IOException e) {
            throw cannotListen(String.valueOf(e.getMessage()));
        }
        web.start();
        if (!web.isRunning()) {
            throw cannotListen("the web server did not start");
        }
    }

    private ServerException cannotListen(String why) {
        endThreads();
        return new ServerException(
                "cannot listen on "
                        + options.listen()
                        + ": "
                        + why
                        + "; choose another with --listen HOST:PORT");
    }

    private void endThreads() {
        connections.close();
        intake.close();
        store.close();
        queries.close();
    }

    private HttpRouting.Builder routing(Guard guard) {
        Status status = new Status(store, known, intake, metrics);
        PageFiles page = new PageFiles();
        CollectorExchange collectors = new CollectorExchange(bodies, measurements);
        return Failures.handled(HttpRouting.builder())
                .addFilter(guard)
                .post(Routes.PROFILES, new ProfileIngest(bodies, intake))
                .post(Routes.PYROSCOPE, new PyroscopeIngest(bodies, intake))
                .post(Routes.OTLP, new OtlpIngest(bodies, intake))
                .post(Routes.COLLECTORS, collectors::jvms)
                .post(Routes.REPORTS, collectors::report)
                .register(Routes.API, queries)
                .get(Routes.READY, status::ready)
                .get(Routes.METRICS, status::metrics)
                .get(Routes.OPENAPI, status::openapi)
                .get("/*", page::send)
                .head("/*", page::send)
                .any(
                        (request, _) -> {
                            throw new Refusal(
                                    404,
                                    "there is no "
                                            + request.prologue().method().text()
                                            + " "
                                            + request.prologue().uriPath().path());
                        });
    }

    private WebServer web(HttpRouting.Builder routing) {
        Limits limits = options.limits();
        WebServerConfig.Builder web =
                WebServer.builder()
                        .address(options.listen().resolved())
                        .port(options.listen().port())
                        .shutdownHook(false)
                        .shutdownGracePeriod(FAREWELL)
                        .maxTcpConnections(limits.connections())
                        .connectionOptions(connections.entrance())
                        .maxPayloadSize(limits.bodyBytes())
                        .protocolsDiscoverServices(false)
                        .addConnectionSelector(
                                connections.http(
                                        Http1Config.builder()
                                                .maxPrologueLength(MAX_REQUEST_LINE_BYTES)
                                                .maxHeadersSize(MAX_HEADER_BYTES)
                                                .build()))
                        .contentEncoding(
                                encoding ->
                                        encoding.contentEncodingsDiscoverServices(false)
                                                .addContentEncoding(new LeftPacked()))
                        .directHandlers(directHandlers())
                        .routing(routing);
        options.tls().ifPresent(files -> web.tls(files.read()));
        return web.build();
    }

    /** What the web server answers by itself, to requests that reach no route. */
    private DirectHandlers directHandlers() {
        DirectHandler handler = new DirectAnswer(metrics);
        DirectHandlers.Builder handlers = DirectHandlers.builder();
        for (DirectHandler.EventType type : DirectHandler.EventType.values()) {
            handlers.addHandler(type, handler);
        }
        return handlers.build();
    }

    /** Where the server is reached. */
    public URI address() {
        return URI.create(
                (web.hasTls() ? "https://" : "http://")
                        + new ListenAddress(options.listen().host(), web.port()));
    }

    /**
     * Ends the server: takes nothing new, finishes what is under way, then closes the store. Does
     * nothing the second time.
     */
    @Override
    public void close() {
        if (!web.isRunning()) {
            return;
        }
        maintenance.end();
        try {
            underWay.close(PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        web.stop();
        endThreads();
        maintenance.close();
    }
}
