package dev.heatline.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heatline.store.RocksStore;
import dev.heatline.store.StoreOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {
    private static final String PASSWORD = "changeit";

    @TempDir private Path directory;

    private KeyStore keys;

    @BeforeEach
    void makeCertificate() throws Exception {
        Path file = directory.resolve("keys.p12");
        Process keytool =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-alias",
                                "server",
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=localhost",
                                "-ext",
                                "san=dns:localhost,ip:127.0.0.1",
                                "-keystore",
                                file.toString(),
                                "-storepass",
                                PASSWORD)
                        .inheritIO()
                        .start();
        assertThat(keytool.waitFor()).isZero();
        keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD.toCharArray());
        }
    }

    @Test
    void theServerSpeaksHttps() throws Exception {
        TlsFiles files = new TlsFiles(certificate(), key());
        ServerOptions options = ServerOptions.on(Running.ANY_PORT).withTls(files);
        RocksStore store = RocksStore.open(directory.resolve("store"), StoreOptions.DEFAULT);
        try (Server server = Server.start(store, options);
                HttpClient client = HttpClient.newBuilder().sslContext(trusting()).build()) {
            assertThat(server.address().getScheme()).isEqualTo("https");
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(server.address() + "/ready")).build();
            assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void whatIsNoCertificateIsRefused() throws Exception {
        Path wrong = Files.writeString(directory.resolve("wrong.pem"), "hello\n");
        for (TlsFiles files :
                new TlsFiles[] {
                    new TlsFiles(wrong, key()),
                    new TlsFiles(certificate(), wrong),
                    new TlsFiles(certificate(), directory.resolve("none.pem"))
                }) {
            assertThatThrownBy(files::read).isInstanceOf(ServerException.class);
        }
    }

    private SSLContext trusting() throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", keys.getCertificate("server"));
        TrustManagerFactory trust =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), new SecureRandom());
        return context;
    }

    private Path certificate() throws GeneralSecurityException, IOException {
        return pem("CERTIFICATE", keys.getCertificate("server").getEncoded());
    }

    private Path key() throws GeneralSecurityException, IOException {
        return pem("PRIVATE KEY", keys.getKey("server", PASSWORD.toCharArray()).getEncoded());
    }

    private Path pem(String type, byte[] content) throws IOException {
        String lines =
                Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                        .encodeToString(content);
        return Files.writeString(
                directory.resolve(type.replace(' ', '-') + ".pem"),
                "-----BEGIN " + type + "-----\n" + lines + "\n-----END " + type + "-----\n");
    }
}
