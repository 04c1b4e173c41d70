package dev.heatline.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.heatline.formats.OutputFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Optional;

/** Where a command's data goes: standard output, or a file that appears whole or not at all. */
final class Output {
    private static final int BUFFER_BYTES = 1 << 16;

    private final Shell shell;
    private final Optional<Path> file;

    /**
     * @param file {@code -} means standard output
     */
    Output(Shell shell, Optional<Path> file) {
        this.shell = shell;
        this.file = file.isPresent() && isDash(file.get()) ? Optional.empty() : file;
    }

    private static boolean isDash(Path given) {
        return given.toString().equals("-");
    }

    /** To standard output. */
    Output(Shell shell) {
        this(shell, Optional.empty());
    }

    /** The file, unless it is standard output. */
    Optional<Path> file() {
        return file;
    }

    void print(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        if (file.isPresent()) {
            OutputFile.write(file.get(), out -> out.write(bytes));
            return;
        }
        try {
            new Pipe(shell.out()).write(bytes);
        } catch (IOException e) {
            throw notWritten(e);
        }
    }

    /**
     * Writes what may be long.
     *
     * @throws CommandException if it cannot be written to standard output
     * @throws dev.heatline.formats.FormatException if it cannot be written to a file
     */
    void write(OutputFile.Content content) {
        if (file.isPresent()) {
            OutputFile.write(file.get(), content);
            return;
        }
        try {
            OutputStream out = new BufferedOutputStream(new Pipe(shell.out()), BUFFER_BYTES);
            content.writeTo(out);
            out.flush();
        } catch (IOException e) {
            throw notWritten(e);
        }
    }

    private static CommandException notWritten(IOException e) {
        return new CommandException("cannot write standard output: " + e.getMessage());
    }

    /**
     * Standard output whose reader may leave early, as {@code head} does: what is left to say is
     * dropped, and the command still ends with its own exit code. Closing it leaves it open for
     * what comes next.
     */
    private static final class Pipe extends OutputStream {
        private final OutputStream out;
        private boolean abandoned;

        Pipe(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            if (abandoned) {
                return;
            }
            try {
                out.write(bytes, from, length);
            } catch (IOException e) {
                if (!"Broken pipe".equals(e.getMessage())) {
                    throw e;
                }
                abandoned = true;
            }
        }

        @Override
        public void flush() throws IOException {
            if (!abandoned) {
                out.flush();
            }
        }
    }
}
