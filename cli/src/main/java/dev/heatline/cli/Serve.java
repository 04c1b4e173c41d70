package dev.heatline.cli;

import dev.heatline.server.Limits;
import dev.heatline.server.ListenAddress;
import dev.heatline.server.Server;
import dev.heatline.server.ServerException;
import dev.heatline.server.ServerOptions;
import dev.heatline.server.TlsFiles;
import dev.heatline.store.RocksStore;
import dev.heatline.store.StoreException;
import dev.heatline.store.StoreOptions;
import java.nio.file.Path;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The server, until it is told to end. */
@Command(
        customSynopsis = "heatline serve [OPTIONS]",
        description = {
            "Takes profiles in over HTTP, keeps them, and answers questions about them. Ends on"
                    + " SIGTERM or Ctrl-C, after what is under way."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  heatline serve",
            "      for this machine, on port 4040",
            "  curl --data-binary @app.jfr 'http://localhost:4040/api/v1/profiles?app=shop'",
            "      puts a recording in",
            "  heatline serve --data /srv/heatline --retention 90d --max-disk 20g",
            "      keeps profiles elsewhere, and not for longer or in more space than this",
            "  heatline serve --sources shop --sources lib-sources.jar",
            "      shows what each line of these sources took",
            "  heatline serve --listen 0.0.0.0:4040 --token-file tokens --tls-cert c.pem --tls-key"
                    + " k.pem",
            "      for other machines, each of which needs a token"
        })
final class Serve implements Action {
    private static final Logger WEB_SERVER = Logger.getLogger("io.helidon");

    private final Shell shell;

    @Spec private CommandSpec spec;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:4040",
            description = "Where to listen; 127.0.0.1:4040 if not said.")
    private String listen = "";

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = {
                "Where profiles are kept; heatline in $XDG_DATA_HOME or ~/.local/share if not said."
            })
    private @Nullable Path data;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = {
                "Who may do what: lines of read TOKEN, ingest TOKEN, measure TOKEN or admin TOKEN."
                        + " Needed to listen beyond this machine."
            })
    private @Nullable Path tokenFile;

    @Option(
            names = "--tls-cert",
            paramLabel = "FILE",
            description = "The certificate for HTTPS, in PEM.")
    private @Nullable Path tlsCert;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "Its private key, in PEM.")
    private @Nullable Path tlsKey;

    @Option(
            names = "--insecure",
            description = "Listen beyond this machine without tokens: everybody is let in.")
    private boolean insecure;

    @Option(
            names = "--max-applications",
            paramLabel = "N",
            description = "How many applications may be kept; 10000 if not said.")
    private int maxApplications = Limits.DEFAULT.applications();

    @Option(
            names = "--max-executions",
            paramLabel = "N",
            description = {
                "How many processes of all applications together may send within a week; 100000 if"
                        + " not said."
            })
    private int maxExecutions = Limits.DEFAULT.executions();

    @Option(
            names = "--rate-limit",
            paramLabel = "N",
            description = {
                "How many requests a second a token may make, or an address where there are no"
                        + " tokens; 2000 if not said, 0 for any number."
            })
    private int rateLimit = Limits.DEFAULT.requestsPerSecond();

    @Mixin private RetentionOptions retention;
    @Mixin private SourcesOption sources;

    Serve(Shell shell) {
        this.shell = shell;
    }

    @Override
    public int run() {
        WEB_SERVER.setLevel(Level.WARNING);
        ServerOptions options = options();
        StoreOptions kept = retention.kept();
        Path directory = data == null ? Folders.data(shell) : data;
        try (Server server = Server.start(RocksStore.open(directory, kept), options)) {
            Runtime.getRuntime().addShutdownHook(new Thread(server::close, "shutdown"));
            new Output(shell).print("Heatline listens on " + server.address() + "\n");
            Thread.currentThread().join();
        } catch (ServerException | StoreException e) {
            throw new CommandException(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Exit.DONE;
    }

    private ServerOptions options() {
        if ((tlsCert == null) != (tlsKey == null)) {
            throw wrong("--tls-cert and --tls-key belong together");
        }
        if (maxApplications < 1 || maxExecutions < 1 || rateLimit < 0) {
            throw wrong(
                    "--max-applications and --max-executions are at least 1, --rate-limit at least"
                            + " 0");
        }
        Limits limits =
                Limits.DEFAULT
                        .withNames(maxApplications, maxExecutions)
                        .withRequestsPerSecond(rateLimit);
        Optional<TlsFiles> tls =
                tlsCert == null || tlsKey == null
                        ? Optional.empty()
                        : Optional.of(new TlsFiles(tlsCert, tlsKey));
        try {
            return new ServerOptions(
                    ListenAddress.parse(listen),
                    Optional.ofNullable(tokenFile),
                    tls,
                    insecure,
                    limits,
                    sources.paths());
        } catch (ServerException e) {
            throw wrong("--listen: " + e.getMessage());
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
