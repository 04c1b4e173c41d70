package dev.heatline.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;

/**
 * What surrounds a command. Text is UTF-8 whatever the locale says, so that a report is the same
 * bytes everywhere.
 *
 * @param out takes the data; unlike {@link System#out} it reports what could not be written
 * @param err takes everything else
 * @param dataSeen whether a person sees {@code out}
 * @param messagesSeen whether a person sees {@code err}
 * @param environment the environment variables
 * @param directory where {@code heatline.properties} is looked for
 */
record Shell(
        OutputStream out,
        PrintStream err,
        boolean dataSeen,
        boolean messagesSeen,
        Map<String, String> environment,
        Path directory) {

    private static final String STANDARD_OUTPUT = "/proc/self/fd/1";
    private static final String STANDARD_ERROR = "/proc/self/fd/2";

    static Shell ofProcess() {
        return new Shell(
                new FileOutputStream(FileDescriptor.out),
                new PrintStream(new FileOutputStream(FileDescriptor.err), true, UTF_8),
                isTerminal(STANDARD_OUTPUT),
                isTerminal(STANDARD_ERROR),
                System.getenv(),
                Path.of(""));
    }

    /**
     * Asks /proc, because the JDK only knows whether input and output both are a terminal. Where
     * there is no /proc the answer is no: less is shown, and nothing wrong.
     */
    private static boolean isTerminal(String descriptor) {
        try {
            String file = Files.readSymbolicLink(Path.of(descriptor)).toString();
            return file.startsWith("/dev/pts/") || file.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /** The columns of the terminal that shows the data; none in a pipe, where nothing is cut. */
    OptionalInt width() {
        return size("COLUMNS");
    }

    /** The lines of the terminal that shows the data; none in a pipe. */
    OptionalInt height() {
        return size("LINES");
    }

    private OptionalInt size(String variable) {
        String size = environment.getOrDefault(variable, "");
        return dataSeen && size.matches("[1-9]\\d{1,3}")
                ? OptionalInt.of(Integer.parseInt(size))
                : OptionalInt.empty();
    }

    /** Whether to use colours and bold type, as <a href="https://no-color.org">agreed on</a>. */
    boolean coloured() {
        return dataSeen
                && environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "dumb").equals("dumb");
    }
}
