package dev.heatline.cli;

import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code heatline} command itself; its verbs are its subcommands. */
@Command(
        name = "heatline",
        description = "Shows where a Java program spends its time, memory and waiting.",
        synopsisSubcommandLabel = "VERB",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:failed; one line says why and what to do",
            "2:wrong usage",
            "3:a gate was not met"
        })
public final class Main implements Runnable {
    @Spec private CommandSpec spec;

    private Main() {}

    /** Runs one command line and ends the JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /** The version the build wrote into the jar. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String built = Main.class.getPackage().getImplementationVersion();
            return new String[] {"heatline " + Objects.requireNonNullElse(built, "(not packaged)")};
        }
    }
}
