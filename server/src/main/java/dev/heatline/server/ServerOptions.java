package dev.heatline.server;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How the server is reached, and by whom.
 *
 * @param tokenFile who may do what; without one, whoever reaches the server may do everything
 * @param tls for HTTPS; without it, HTTP
 * @param insecure whether to listen beyond this machine without tokens
 * @param sources folders and archives with sources that may be shown
 */
public record ServerOptions(
        ListenAddress listen,
        Optional<Path> tokenFile,
        Optional<TlsFiles> tls,
        boolean insecure,
        Limits limits,
        List<Path> sources) {

    public ServerOptions {
        sources = List.copyOf(sources);
    }

    /** For this machine alone. */
    public static ServerOptions on(ListenAddress listen) {
        return new ServerOptions(
                listen, Optional.empty(), Optional.empty(), false, Limits.DEFAULT, List.of());
    }

    public ServerOptions withTokenFile(Path file) {
        return new ServerOptions(listen, Optional.of(file), tls, insecure, limits, sources);
    }

    public ServerOptions withTls(TlsFiles files) {
        return new ServerOptions(listen, tokenFile, Optional.of(files), insecure, limits, sources);
    }

    public ServerOptions withInsecure(boolean allowed) {
        return new ServerOptions(listen, tokenFile, tls, allowed, limits, sources);
    }

    public ServerOptions withLimits(Limits wanted) {
        return new ServerOptions(listen, tokenFile, tls, insecure, wanted, sources);
    }

    public ServerOptions withSources(List<Path> shown) {
        return new ServerOptions(listen, tokenFile, tls, insecure, limits, shown);
    }
}
