package dev.heatline.collector.spool;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.heatline.model.Execution;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** A server that takes profiles, and may want something in return. */
public final class Ingest implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** What is told every second can be told again. */
    private static final Duration TELL_TIMEOUT = Duration.ofSeconds(5);

    /** More of an answer is not read. */
    private static final long MAX_ANSWER_BYTES = 1 << 20;

    private final URI server;
    private final Optional<TokenFile> tokenFile;
    private final HttpClient client;
    private final Duration timeout;

    /**
     * @param server its address, such as {@code http://localhost:4040}
     * @param tokenFile read anew for every upload, so that a token can be replaced at any time
     * @param caFile certificates in PEM to trust instead of the JDK's
     * @throws SpoolException if the address or the certificates are of no use; says why
     */
    public Ingest(String server, Optional<Path> tokenFile, Optional<Path> caFile) {
        this(server, tokenFile, caFile, TIMEOUT);
    }

    Ingest(String server, Optional<Path> tokenFile, Optional<Path> caFile, Duration timeout) {
        this.server = address(server);
        this.tokenFile = tokenFile.map(TokenFile::new);
        this.timeout = timeout;
        HttpClient.Builder builder =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(CONNECT_TIMEOUT);
        caFile.ifPresent(file -> builder.sslContext(trusting(file)));
        client = builder.build();
    }

    private static URI address(String written) {
        try {
            URI uri = URI.create(written.replaceFirst("/+$", ""));
            String scheme = String.valueOf(uri.getScheme());
            if ((scheme.equals("http") || scheme.equals("https"))
                    && uri.getHost() != null
                    && uri.getQuery() == null) {
                return uri;
            }
        } catch (IllegalArgumentException e) {
            // Said below.
        }
        throw new SpoolException(
                written + " is no address of a server; write it like http://localhost:4040");
    }

    private static SSLContext trusting(Path caFile) {
        try (InputStream in = Files.newInputStream(caFile)) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            int count = 0;
            for (Certificate each :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                trusted.setCertificateEntry("ca" + count++, each);
            }
            if (count == 0) {
                throw new SpoolException(caFile + ": has no certificates in PEM");
            }
            TrustManagerFactory trust =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new SpoolException(caFile + ": cannot be read as certificates: " + reason(e), e);
        }
    }

    /**
     * For those who would notice too late that there is no token to send.
     *
     * @throws SpoolException if its file cannot be read, or has something else in it; says so
     */
    public void requireToken() {
        tokenFile.ifPresent(TokenFile::token);
    }

    /** The server's address, for messages. */
    public URI server() {
        return server;
    }

    /**
     * Sends a profile and waits for the answer, or for what stands in its way.
     *
     * @param entry what it is; source and position stay here
     * @param body the profile as {@code .heat}
     */
    public Answer send(Entry entry, BodyPublisher body) throws InterruptedException {
        return exchange(
                address(entry),
                Map.of(
                        "Heatline-Upload-Id",
                        entry.id(),
                        "Content-Type",
                        "application/vnd.heatline.heat"),
                body,
                Ingest::onlyRefusals,
                timeout);
    }

    /** Says something else, and waits for what the server says to that; not for long. */
    public Answer tell(String path, BodyPublisher body) throws InterruptedException {
        return exchange(URI.create(server + path), Map.of(), body, _ -> text(), TELL_TIMEOUT);
    }

    private Answer exchange(
            URI address,
            Map<String, String> headers,
            BodyPublisher body,
            BodyHandler<String> answered,
            Duration patience)
            throws InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address).POST(body);
        headers.forEach(request::header);
        try {
            tokenFile.ifPresent(file -> request.header("Authorization", "Bearer " + file.token()));
        } catch (SpoolException e) {
            return Answer.forbidden(String.valueOf(e.getMessage()));
        }
        return exchange(request.build(), answered, patience);
    }

    private Answer exchange(HttpRequest request, BodyHandler<String> answered, Duration patience)
            throws InterruptedException {
        CompletableFuture<HttpResponse<String>> response = client.sendAsync(request, answered);
        try {
            return Answer.of(
                    server,
                    response.get(patience.toMillis(), TimeUnit.MILLISECONDS),
                    tokenFile.map(TokenFile::path));
        } catch (TimeoutException e) {
            return Answer.unreachable(
                    server + " does not answer within " + patience.toSeconds() + " s");
        } catch (ExecutionException e) {
            return Answer.unreachable(server + " cannot be reached: " + reason(e.getCause()));
        } finally {
            // Also when this thread is interrupted; no effect on what is complete.
            response.cancel(true);
        }
    }

    /** What a success says is of no interest. */
    private static BodySubscriber<String> onlyRefusals(HttpResponse.ResponseInfo info) {
        return info.statusCode() / 100 == 2 ? BodySubscribers.replacing("") : text();
    }

    private static BodySubscriber<String> text() {
        return BodySubscribers.limiting(BodySubscribers.ofString(UTF_8), MAX_ANSWER_BYTES);
    }

    static String reason(@Nullable Throwable e) {
        if (e instanceof NoSuchFileException) {
            return "no such file";
        }
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof HttpConnectTimeoutException) {
            return "no connection within " + CONNECT_TIMEOUT.toSeconds() + " s";
        }
        if (e instanceof SSLException) {
            return e.getMessage() + "; is its certificate signed by a CA known here?";
        }
        for (Throwable at = e; at != null; at = at.getCause()) {
            if (at instanceof UnresolvedAddressException) {
                return "there is no host of that name";
            }
        }
        if (e instanceof ConnectException && e.getMessage() == null) {
            return "connection refused; is it running?";
        }
        return e == null || e.getMessage() == null ? String.valueOf(e) : e.getMessage();
    }

    private URI address(Entry entry) {
        Execution execution = entry.execution();
        StringBuilder uri = new StringBuilder(server.toString()).append("/api/v1/profiles?app=");
        uri.append(encoded(execution.application()));
        if (!execution.version().isEmpty()) {
            uri.append("&version=").append(encoded(execution.version()));
        }
        if (!execution.instance().isEmpty()) {
            uri.append("&instance=").append(encoded(execution.instance()));
        }
        for (Map.Entry<String, String> label : execution.labels().entrySet()) {
            uri.append("&label=").append(encoded(label.getKey() + ":" + label.getValue()));
        }
        uri.append("&from=").append(entry.from().toEpochMilli());
        uri.append("&until=").append(entry.until().toEpochMilli());
        return URI.create(uri.toString());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }

    /** Ends what is under way. */
    @Override
    public void close() {
        client.shutdownNow();
    }
}
