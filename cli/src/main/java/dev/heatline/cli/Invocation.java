package dev.heatline.cli;

import dev.heatline.collector.jvm.JvmException;
import dev.heatline.formats.FormatException;
import dev.heatline.model.ModelException;
import dev.heatline.report.ReportException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * One run of a verb: picocli fills in its options, and whatever a user can mend becomes one line on
 * standard error and an exit code. A bug is not caught: its stack trace is what a report of it
 * needs.
 */
final class Invocation {
    private final Shell shell;
    private final Verb verb;

    Invocation(Shell shell, Verb verb) {
        this.shell = shell;
        this.verb = verb;
    }

    int run(String... options) {
        try {
            return parseAndRun(options);
        } catch (ParameterException e) {
            return wrongUsage(e);
        } catch (FormatException
                | ModelException
                | ReportException
                | JvmException
                | CommandException e) {
            return failed(String.valueOf(e.getMessage()));
        } catch (OutOfMemoryError e) {
            return failed(outOfMemory());
        } catch (StackOverflowError e) {
            return failed(
                    "the stack overflowed, most likely in a regular expression; simplify it, or"
                            + " allow more with HEATLINE_JAVA_OPTS=-Xss64m");
        }
    }

    private int parseAndRun(String... options) {
        Action action = verb.in(shell);
        CommandLine line = commandLine(action, name());
        line.setDefaultValueProvider(Settings.of(shell));
        if (line.parseArgs(options).isUsageHelpRequested()) {
            new Output(shell).print(usage(line));
            return Exit.DONE;
        }
        return action.run();
    }

    /** A verb as picocli sees it, the same for running it and for completing it. */
    static CommandLine commandLine(Action action, String name) {
        CommandLine line = new CommandLine(action);
        line.getCommandSpec()
                .usageMessage()
                .sortOptions(false)
                .parameterListHeading("%n")
                .optionListHeading("%nOptions:%n");
        line.getCommandSpec()
                .addOption(
                        OptionSpec.builder("-h", "--help")
                                .usageHelp(true)
                                .description("This text.")
                                .build());
        line.getCommandSpec().args().forEach(arg -> spellAsTyped(line, arg));
        return line.setCommandName(name)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(false)
                .setUsageHelpWidth(100);
    }

    /** Words are typed in lower case; picocli would speak of Java's constants. */
    private static void spellAsTyped(CommandLine line, ArgSpec arg) {
        Class<?> type = arg.auxiliaryTypes()[0];
        if (type.isEnum() && arg.converters().length == 0) {
            register(line, type, arg);
        }
    }

    private static <K> void register(CommandLine line, Class<K> type, ArgSpec arg) {
        line.registerConverter(
                type,
                written ->
                        Stream.of(type.getEnumConstants())
                                .filter(it -> ((Enum<?>) it).name().equalsIgnoreCase(written))
                                .findFirst()
                                .orElseThrow(() -> unknown(written, words(type, arg))));
    }

    private static TypeConversionException unknown(String written, String words) {
        return new TypeConversionException("there is no " + written + "; there are " + words);
    }

    private static String words(Class<?> type, ArgSpec arg) {
        Stream<String> words =
                arg.completionCandidates() == null
                        ? Stream.of(type.getEnumConstants()).map(it -> ((Enum<?>) it).name())
                        : StreamSupport.stream(arg.completionCandidates().spliterator(), false);
        return words.map(it -> it.toLowerCase(Locale.ROOT)).collect(Collectors.joining(", "));
    }

    private String usage(CommandLine line) {
        StringWriter text = new StringWriter();
        line.usage(new PrintWriter(text), shell.coloured() ? Ansi.ON : Ansi.OFF);
        return text.toString();
    }

    private int wrongUsage(ParameterException e) {
        String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        shell.err().println(name() + ": " + message + suggestion(e));
        shell.err().println("Try '" + name() + " --help'.");
        return Exit.WRONG_USAGE;
    }

    private static String suggestion(ParameterException e) {
        List<String> near =
                e instanceof UnmatchedArgumentException unmatched
                        ? unmatched.getSuggestions()
                        : List.of();
        return near.isEmpty() ? "" : "; did you mean " + String.join(" or ", near) + "?";
    }

    private int failed(String message) {
        shell.err().println(name() + ": " + message);
        return Exit.FAILED;
    }

    private static String outOfMemory() {
        long megabytes = Runtime.getRuntime().maxMemory() >> 20;
        long twiceInGigabytes = Math.max(1, Math.ceilDiv(megabytes, 512));
        return megabytes
                + " MB of memory are not enough; allow more with HEATLINE_JAVA_OPTS=-Xmx"
                + twiceInGigabytes
                + "g";
    }

    private String name() {
        return "heatline " + verb.word();
    }
}
