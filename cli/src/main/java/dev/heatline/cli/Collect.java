package dev.heatline.cli;

import dev.heatline.collector.Collector;
import dev.heatline.collector.CollectorOptions;
import dev.heatline.collector.spool.Spool;
import dev.heatline.collector.spool.SpoolException;
import dev.heatline.wire.RecordingSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The collector, until it is told to end. */
@Command(
        customSynopsis = "heatline collect [OPTIONS]",
        description = {
            "Profiles the JVMs of this machine and sends a profile of each to a server every minute."
                    + " Ends on SIGTERM or Ctrl-C, and leaves no JVM recording."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  heatline collect",
            "      all JVMs this user may attach to, for the server on this machine",
            "  heatline collect --jvms shop --server https://heat.example.org --token-file token",
            "      only those whose application or main class contains shop",
            "  heatline collect --budget 0.5%% --interval 5m",
            "      cheaper, and a profile every five minutes",
            "  heatline list",
            "      what is being profiled, and what cannot be"
        })
final class Collect implements Action {
    private final Shell shell;

    @Option(
            names = "--server",
            paramLabel = "URL",
            defaultValue = "http://localhost:4040",
            description = "Where profiles go; ${DEFAULT-VALUE} if not said.")
    private String server = "";

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "Holds the token the server asks for.")
    private @Nullable Path tokenFile;

    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            description = "Certificates to trust instead of the JDK's, in PEM.")
    private @Nullable Path certificates;

    @Option(
            names = "--spool",
            paramLabel = "DIR",
            description = {
                "Where profiles wait for the server; heatline/spool in $$XDG_DATA_HOME or"
                        + " ~/.local/share if not said."
            })
    private @Nullable Path spool;

    @Option(
            names = "--measure",
            description = {
                "Let the server have calls of these JVMs measured exactly, when somebody who has a"
                        + " token for that asks for it. Loads an agent into the JVMs."
            })
    private boolean measure;

    @Mixin private CollectingOptions collecting;

    @Option(names = "--until-eof", hidden = true, description = "End when standard input does.")
    private boolean untilEof;

    Collect(Shell shell) {
        this.shell = shell;
    }

    @Override
    public int run() {
        CollectorOptions options =
                new CollectorOptions(
                        server,
                        Optional.ofNullable(tokenFile),
                        Optional.ofNullable(certificates),
                        spool == null ? Folders.data(shell).resolve("spool") : spool,
                        Spool.DEFAULT_LIMIT_BYTES,
                        collecting.interval(),
                        collecting.budget(),
                        RecordingSettings.DEFAULT,
                        agentIf(collecting.locks()),
                        agentIf(measure),
                        collecting.jvms());
        try {
            Collector collector = Collector.start(options, shell.err()::println);
            Runtime.getRuntime().addShutdownHook(new Thread(collector::close, "shutdown"));
            if (untilEof) {
                Thread.ofVirtual().start(Collect::endWithInput);
            } else {
                shell.err()
                        .printf(
                                "heatline collect: every %s a profile of each JVM goes to %s;"
                                        + " heatline list tells which JVMs, ctrl-c ends it%n",
                                collecting.writtenInterval(), server);
            }
            throw new CommandException(
                    "the collector cannot go on; start it again: " + collector.awaitFailure());
        } catch (SpoolException e) {
            throw new CommandException(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Exit.FAILED;
        }
    }

    private static Optional<Path> agentIf(boolean wanted) {
        return wanted ? Optional.of(Installation.here().agent()) : Optional.empty();
    }

    /** Whoever started this holds the other end, and cannot die without letting go of it. */
    private static void endWithInput() {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // As good as its end.
        }
        System.exit(Exit.DONE);
    }
}
