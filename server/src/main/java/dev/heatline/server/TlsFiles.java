package dev.heatline.server;

import io.helidon.common.configurable.Resource;
import io.helidon.common.pki.Keys;
import io.helidon.common.tls.Tls;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What HTTPS needs, both in PEM.
 *
 * @param certificate the server's, followed by those that signed it
 * @param key its private key
 */
public record TlsFiles(Path certificate, Path key) {

    /**
     * @throws ServerException if a file is missing or holds something else
     */
    Tls read() {
        for (Path file : new Path[] {certificate, key}) {
            if (!Files.isReadable(file)) {
                throw new ServerException(file + ": is no file that can be read");
            }
        }
        try {
            Keys keys =
                    Keys.builder()
                            .pem(
                                    pem ->
                                            pem.key(Resource.create(key))
                                                    .certChain(Resource.create(certificate)))
                            .build();
            return Tls.builder().privateKey(keys).privateKeyCertChain(keys).build();
        } catch (RuntimeException e) {
            throw new ServerException(
                    "TLS needs a certificate and its private key in PEM, which "
                            + certificate
                            + " and "
                            + key
                            + " are not: "
                            + e.getMessage());
        }
    }
}
