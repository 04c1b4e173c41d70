package dev.heatline.server;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How the server is reached, and by whom.
 *
 * @param tokenFile who may do what; without one, whoever reaches the server may do everything
 * @param tls for HTTPS; without it, HTTP
 * @param insecure whether to listen beyond this machine without tokens
 */
public record ServerOptions(
        ListenAddress listen,
        Optional<Path> tokenFile,
        Optional<TlsFiles> tls,
        boolean insecure,
        Limits limits) {

    /** For this machine alone. */
    public static ServerOptions on(ListenAddress listen) {
        return new ServerOptions(listen, Optional.empty(), Optional.empty(), false, Limits.DEFAULT);
    }

    public ServerOptions withTokenFile(Path file) {
        return new ServerOptions(listen, Optional.of(file), tls, insecure, limits);
    }

    public ServerOptions withTls(TlsFiles files) {
        return new ServerOptions(listen, tokenFile, Optional.of(files), insecure, limits);
    }

    public ServerOptions withInsecure(boolean allowed) {
        return new ServerOptions(listen, tokenFile, tls, allowed, limits);
    }

    public ServerOptions withLimits(Limits wanted) {
        return new ServerOptions(listen, tokenFile, tls, insecure, wanted);
    }
}
