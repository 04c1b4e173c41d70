package dev.heatline.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;

/**
 * One command, run inside the test's JVM exactly as the launcher's JVM would run it.
 *
 * @param exit its exit code
 * @param out its data
 * @param err its messages
 */
record Run(int exit, String out, String err) {

    static Run of(Object... args) {
        return in(Map.of(), Path.of("target"), args);
    }

    static Run in(Map<String, String> environment, Path directory, Object... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Run run = to(out, environment, directory, args);
        return new Run(run.exit, out.toString(UTF_8), run.err);
    }

    /** With its data going elsewhere. */
    static Run to(
            OutputStream out, Map<String, String> environment, Path directory, Object... args) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        String[] words = new String[args.length];
        for (int i = 0; i < words.length; i++) {
            words[i] = args[i].toString();
        }
        Shell shell =
                new Shell(
                        out,
                        new PrintStream(err, true, UTF_8),
                        false,
                        false,
                        environment,
                        directory);
        return new Run(Main.run(shell, words), "", err.toString(UTF_8));
    }

    Run isDone() {
        assertThat(err).isEmpty();
        assertThat(exit).isEqualTo(Exit.DONE);
        return this;
    }

    /** One line on standard error and nothing on standard output. */
    Run failedSaying(String... parts) {
        assertThat(err).contains(parts).startsWith("heatline").hasLineCount(1);
        assertThat(out).isEmpty();
        assertThat(exit).isEqualTo(Exit.FAILED);
        return this;
    }

    /** One line and a hint. */
    Run wrongUsageSaying(String... parts) {
        assertThat(err).contains(parts).startsWith("heatline").contains("--help'").hasLineCount(2);
        assertThat(out).isEmpty();
        assertThat(exit).isEqualTo(Exit.WRONG_USAGE);
        return this;
    }

    /** The data as JSON. */
    Parsed json() {
        return Parsed.of(out);
    }
}
