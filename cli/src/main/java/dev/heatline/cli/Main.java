package dev.heatline.cli;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * The {@code heatline} command: finds the verb and leaves the rest to it. Its own few options are
 * not left to picocli, so that {@code heatline --help} loads neither picocli nor any verb.
 */
public final class Main {
    private static final String HELP =
            """
            Usage: heatline VERB [FILE...] [OPTIONS]
            Shows where a Java program spends its time, memory and waiting.

            Verbs:
            %s
            heatline VERB --help explains a verb by examples. To begin with:
              heatline report app.jfr                what used the most, by method
              heatline report app.jfr -o app.html    a flame graph for the browser
              heatline doctor                        what works on this machine

            Options:
              -h, --help       this text
              -V, --version    the version of Heatline and of its JVM

            Exit codes:
              0    done
              1    failed; one line says why and what to do
              2    wrong usage
              3    a gate was not met
            """;

    private Main() {}

    /**
     * Runs one command line and ends the JVM with its exit code. Success just returns, because
     * System.exit first prepares to log that it was called, which takes longer than the help text.
     */
    public static void main(String[] args) {
        int exit = run(Shell.ofProcess(), args);
        if (exit != Exit.DONE) {
            System.exit(exit);
        }
    }

    static int run(Shell shell, String... args) {
        String first = args.length == 0 ? "--help" : args[0];
        return switch (first) {
            case "-h", "--help" -> print(shell, help());
            case "-V", "--version" -> print(shell, version());
            case Training.WORD -> Training.run();
            case "help" -> args.length == 1 ? print(shell, help()) : run(shell, args[1], "--help");
            default -> runVerb(shell, first, Arrays.copyOfRange(args, 1, args.length));
        };
    }

    private static int runVerb(Shell shell, String word, String... options) {
        Optional<Verb> verb = Verb.named(word);
        if (verb.isPresent()) {
            return new Invocation(shell, verb.get()).run(options);
        }
        shell.err()
                .println("heatline: there is no verb " + word + "; there are " + Verb.allWords());
        shell.err().println("Try 'heatline --help'.");
        return Exit.WRONG_USAGE;
    }

    private static int print(Shell shell, String text) {
        try {
            new Output(shell).print(text);
            return Exit.DONE;
        } catch (CommandException e) {
            shell.err().println("heatline: " + e.getMessage());
            return Exit.FAILED;
        }
    }

    private static String help() {
        StringBuilder verbs = new StringBuilder();
        for (Verb verb : Verb.values()) {
            verbs.append("  ").append(verb.word()).repeat(' ', 13 - verb.word().length());
            verbs.append(verb.summary()).append('\n');
        }
        return HELP.replace("%s", verbs);
    }

    private static String version() {
        String built = Main.class.getPackage().getImplementationVersion();
        return "heatline "
                + Objects.requireNonNullElse(built, "(not packaged)")
                + " on Java "
                + Runtime.version()
                + "\n";
    }
}
