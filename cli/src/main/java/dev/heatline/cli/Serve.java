package dev.heatline.cli;

import dev.heatline.formats.Intervals;
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
import java.time.Duration;
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
            names = "--retention",
            paramLabel = "[AGE,AGE,]AGE",
            description = {
                "How long profiles are kept: minute by minute, then hour by hour, then at all;"
                        + " 2d,30d,400d if not said. One age says the last."
            })
    private @Nullable String retention;

    @Option(
            names = "--max-disk",
            paramLabel = "SIZE",
            description = "How much disk profiles may take, such as 20g; the oldest go first.")
    private @Nullable String maxDisk;

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

    @Mixin private SourcesOption sources;

    Serve(Shell shell) {
        this.shell = shell;
    }

    @Override
    public int run() {
        WEB_SERVER.setLevel(Level.WARNING);
        ServerOptions options = options();
        StoreOptions kept = kept();
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

    private StoreOptions kept() {
        StoreOptions options = StoreOptions.DEFAULT;
        if (maxDisk != null) {
            options = options.withMaxBytes(bytes(maxDisk));
        }
        if (retention == null) {
            return options;
        }
        String[] ages = retention.split(",", -1);
        if (ages.length == 1) {
            Duration days = age(ages[0]);
            return options.withAges(
                    shorter(options.minutes(), days), shorter(options.hours(), days), days);
        }
        if (ages.length != 3) {
            throw wrongAges();
        }
        Duration minutes = age(ages[0]);
        Duration hours = age(ages[1]);
        Duration days = age(ages[2]);
        if (minutes.compareTo(hours) > 0 || hours.compareTo(days) > 0) {
            throw wrong("--retention: each age has to be at least the one before");
        }
        return options.withAges(minutes, hours, days);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private Duration age(String text) {
        long nanos = Intervals.read(text.strip());
        if (nanos == 0) {
            throw wrongAges();
        }
        return Duration.ofNanos(nanos);
    }

    private ParameterException wrongAges() {
        return wrong("--retention: " + retention + " is not one age or three, such as 2d,30d,400d");
    }

    private long bytes(String text) {
        if (!text.matches("[1-9]\\d{0,9}[kmgtKMGT]?")) {
            throw wrong("--max-disk: " + text + " is no size, such as 500m or 20g");
        }
        int unit = "kmgt".indexOf(Character.toLowerCase(text.charAt(text.length() - 1))) + 1;
        String number = unit == 0 ? text : text.substring(0, text.length() - 1);
        return Long.parseLong(number) << (10 * unit);
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
