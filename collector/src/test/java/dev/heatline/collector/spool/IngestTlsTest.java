package dev.heatline.collector.spool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a server with a certificate of its own making. */
class IngestTlsTest {
    private static final String PASSWORD = "changeit";

    @TempDir private static Path folder;

    private static HttpsServer server;
    private static Path certificate = Path.of("");

    @BeforeAll
    static void start() throws Exception {
        Path keys = folder.resolve("keys.p12");
        certificate = folder.resolve("ca.pem");
        String store = " -keystore " + keys + " -storepass " + PASSWORD + " -alias server";
        keytool(
                "-genkeypair -keyalg EC -dname CN=localhost -ext san=dns:localhost -storetype"
                        + " PKCS12"
                        + store);
        keytool("-exportcert -rfc -file " + certificate + store);
        KeyStore loaded = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys)) {
            loaded.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory managers =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(loaded, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext(
                "/",
                exchange -> {
                    exchange.getRequestBody().readAllBytes();
                    exchange.sendResponseHeaders(204, -1);
                    exchange.close();
                });
        server.start();
    }

    private static void keytool(String options) throws Exception {
        String tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Process process =
                new ProcessBuilder("sh", "-c", tool + " " + options)
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }

    @AfterAll
    static void stop() {
        server.stop(0);
    }

    private static Answer send(Optional<Path> caFile) throws InterruptedException {
        String address = "https://localhost:" + server.getAddress().getPort();
        try (Ingest ingest = new Ingest(address, Optional.empty(), caFile)) {
            return ingest.send(Profiles.entry("a", "1"), BodyPublishers.ofString("profile"));
        }
    }

    @Test
    void aServerIsTrustedIfItsCertificateIsGiven() throws InterruptedException {
        assertThat(send(Optional.of(certificate)).outcome()).isEqualTo(Answer.Outcome.TAKEN);
    }

    @Test
    void anUnknownCertificateIsSaid() throws InterruptedException {
        Answer answer = send(Optional.empty());
        assertThat(answer.outcome()).isEqualTo(Answer.Outcome.LATER);
        assertThat(answer.why()).contains("https://localhost:", "signed by a CA known here?");
    }

    @Test
    void aFileWithoutCertificatesIsSaid() throws Exception {
        Path empty = Files.writeString(folder.resolve("empty.pem"), "");
        assertThatThrownBy(() -> send(Optional.of(empty)))
                .isInstanceOf(SpoolException.class)
                .hasMessageContaining("empty.pem");
    }
}
