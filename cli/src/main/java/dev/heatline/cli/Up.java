package dev.heatline.cli;

import dev.heatline.collector.Collector;
import dev.heatline.server.ListenAddress;
import dev.heatline.server.Server;
import dev.heatline.server.ServerException;
import dev.heatline.server.ServerOptions;
import dev.heatline.store.RocksStore;
import dev.heatline.store.Store;
import dev.heatline.store.StoreException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Server, store and collector for this machine, until they are told to end. */
@Command(
        customSynopsis = "heatline up [--demo] [OPTIONS]",
        description = {
            "Profiles the JVMs of this machine, keeps the profiles and answers questions about them:"
                    + " a server and a collector in one command. Ends on SIGTERM or Ctrl-C, and"
                    + " leaves no JVM recording."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  heatline up",
            "      everything this user runs on this machine",
            "  heatline up --demo",
            "      two versions of an example shop, the newer with a regression",
            "  heatline up --jvms 'shop|billing'",
            "      only what is called so",
            "  heatline up --locks --retention 30d --max-disk 5g",
            "      also who holds the locks that others wait for; and keeps no more than this",
            "  heatline up --listen 127.0.0.1:4141 --data /var/lib/heatline",
            "      on another port, kept elsewhere",
            "  curl 'http://localhost:4040/api/v1/methods?app=shop&limit=5'",
            "      what the shop spends its CPU time on"
        })
final class Up implements Action {

    private static final String SHOP = "shop";
    private static final List<String> SHOP_JVM =
            List.of("-XX:+UseSerialGC", "-Xmx192m", "-XX:+EnableDynamicAgentLoading");

    /** So that the first answers come within a minute. */
    private static final String DEMO_INTERVAL = "10s";

    /**
     * The shops do little, and their profiles are closed often: what never costs less would take
     * more than the usual budget, and their locks would not be seen for long.
     */
    private static final String DEMO_BUDGET = "10%";

    /** A collector that is killed leaves JVMs recording. */
    private static final Duration PATIENCE = Collector.LONGEST_END.plusSeconds(5);

    private final Shell shell;
    private final List<Process> children = new ArrayList<>();
    private volatile boolean ending;

    @Spec private CommandSpec spec;

    @Option(
            names = "--demo",
            description = {
                "Start the example shop in two versions and profile nothing else. Its profiles lie"
                        + " apart, and begin anew each time."
            })
    private boolean demo;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:4040",
            description = "Where the server listens; ${DEFAULT-VALUE} if not said.")
    private String listen = "";

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = {
                "Where profiles are kept; heatline in $$XDG_DATA_HOME or ~/.local/share if not"
                        + " said."
            })
    private @Nullable Path data;

    @Mixin private RetentionOptions retention;
    @Mixin private CollectingOptions collecting;
    @Mixin private SourcesOption sources;

    Up(Shell shell) {
        this.shell = shell;
    }

    @Override
    public int run() {
        Logger.getLogger("io.helidon").setLevel(Level.WARNING);
        Path folder = data == null ? Folders.data(shell) : data;
        Path kept = demo ? folder.resolve("demo") : folder;
        Installation here = Installation.here();
        ServerOptions options = ServerOptions.on(address()).withSources(shown(here));
        List<String> how =
                demo
                        ? collecting.words(DEMO_INTERVAL, DEMO_BUDGET)
                        : collecting.words(
                                CollectingOptions.USUAL_INTERVAL, CollectingOptions.USUAL_BUDGET);
        try (Server server = Server.start(store(kept), options)) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(server), "shutdown"));
            if (demo) {
                startShop(here, "1.0");
                startShop(here, "1.1");
            }
            startCollector(here, server.address(), spool(kept), how);
            new Output(shell).print(greeting(server.address()));
            waitForCollector();
        } catch (ServerException | StoreException e) {
            throw new CommandException(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Exit.FAILED;
    }

    private ListenAddress address() {
        try {
            ListenAddress address = ListenAddress.parse(listen);
            if (!address.isLoopback()) {
                throw wrong(
                        address
                                + " can be reached from other machines, for which heatline serve"
                                + " has --token-file; start that, and heatline collect");
            }
            return address;
        } catch (ServerException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), "--listen: " + message);
    }

    /** A demonstration does not show what an earlier one left; what somebody else sent stays. */
    private Store store(Path kept) {
        Store store = RocksStore.open(kept, retention.kept());
        if (demo) {
            store.delete(dev.heatline.store.Selection.of(SHOP));
        }
        return store;
    }

    /**
     * Where profiles wait for the server; what an earlier demonstration left there goes with it.
     */
    private Path spool(Path kept) {
        Path spool = kept.resolve("spool");
        if (demo && Files.isDirectory(spool)) {
            try (Stream<Path> left = Files.list(spool)) {
                for (Path file : left.filter(Files::isRegularFile).toList()) {
                    Files.delete(file);
                }
            } catch (IOException e) {
                throw new CommandException("cannot empty " + spool + ": " + e);
            }
        }
        return spool;
    }

    /** The shop shows its own sources. */
    private List<Path> shown(Installation here) {
        List<Path> shown = new ArrayList<>(sources.paths());
        if (demo) {
            here.shopSources().ifPresent(shown::add);
        }
        return shown;
    }

    private void startShop(Installation here, String version) {
        List<String> command = new ArrayList<>(List.of(Installation.java()));
        command.addAll(SHOP_JVM);
        command.add("-Dheatline.app=" + SHOP);
        command.add("-Dheatline.version=" + version);
        command.addAll(List.of("-jar", here.shop().toString()));
        command.addAll(List.of("--version", version, "--port", "0", "--self-load", "--until-eof"));
        start(command);
    }

    private void startCollector(Installation here, URI server, Path spool, List<String> how) {
        List<String> words = new ArrayList<>(List.of("--server", server.toString()));
        words.addAll(List.of("--spool", spool.toString(), "--measure", "--until-eof"));
        words.addAll(how);
        if (demo) {
            words.add("--locks");
            // Not by name: others may have a shop too.
            String pids =
                    children.stream()
                            .map(shop -> Long.toString(shop.pid()))
                            .collect(Collectors.joining("|"));
            words.addAll(List.of("--jvms", pids));
        } else {
            if (collecting.locks()) {
                words.add("--locks");
            }
            collecting
                    .jvms()
                    .ifPresent(wanted -> words.addAll(List.of("--jvms", wanted.pattern())));
        }
        start(here.collector(words));
    }

    /** A child ends with this process: by its shutdown hook, or by the closing of its input. */
    private synchronized void start(List<String> command) {
        if (ending) {
            return;
        }
        try {
            children.add(
                    new ProcessBuilder(command)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start());
        } catch (IOException e) {
            throw new CommandException("cannot start " + command.getFirst() + ": " + e);
        }
    }

    private String greeting(URI server) {
        String what = "the JVMs of this machine";
        if (demo) {
            what = "the example shop, versions 1.0 and 1.1";
        } else if (collecting.jvms().isPresent()) {
            what += " that match " + collecting.jvms().get();
        }
        String soon = demo ? "half a minute" : "two minutes";
        if (collecting.saysInterval()) {
            soon = collecting.writtenInterval() + " and a minute";
        }
        String app = demo ? SHOP : "NAME";
        return "Heatline profiles "
                + what
                + "; see "
                + server
                + "/, the first answers come within "
                + soon
                + "\n  curl '"
                + server
                + "/api/v1/methods?app="
                + app
                + "&limit=5'\n";
    }

    private void waitForCollector() throws InterruptedException {
        int exit = ending ? Exit.DONE : children.getLast().waitFor();
        if (ending) {
            // The shutdown hook has the last word, and ends the JVM.
            Thread.currentThread().join();
        }
        throw new CommandException("the collector ended with exit code " + exit);
    }

    /** The collector first, so that its last profiles still find the server. */
    private synchronized void end(Server server) {
        ending = true;
        for (Process child : children.reversed()) {
            child.destroy();
            try {
                if (!child.waitFor(PATIENCE)) {
                    child.destroyForcibly();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        server.close();
    }
}
