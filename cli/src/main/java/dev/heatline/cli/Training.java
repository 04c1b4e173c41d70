package dev.heatline.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What the launcher records its start-up cache from: the usual commands on small profiles, so that
 * the cache holds what most commands need. No more than that: whatever is in the cache is loaded at
 * the start of every command, {@code --help} included. Nothing is printed or kept.
 */
final class Training {
    static final String WORD = "--train";

    private static final List<String> EXAMPLES = List.of("training.trace", "training.jfr.gz");

    private static final List<String> FORMATS = List.of("heat", "collapsed");

    private final Shell nowhere =
            new Shell(
                    OutputStream.nullOutputStream(),
                    new PrintStream(OutputStream.nullOutputStream()),
                    false,
                    false,
                    Map.of(),
                    Path.of(""));
    private final Path folder;

    private Training(Path folder) {
        this.folder = folder;
    }

    static int run() {
        try {
            Path folder = Files.createTempDirectory("heatline-training");
            try {
                new Training(folder).runAll();
            } finally {
                delete(folder);
            }
            return Exit.DONE;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void runAll() throws IOException {
        command("--help");
        command("--version");
        for (String example : EXAMPLES) {
            String file = unpack(example);
            for (String view : List.of("xprof", "xarc", "xtree", "flame", "threads", "subsuming")) {
                command("report", file, "--view", view);
            }
            command("report", file, "--format", "json");
            command("report", file, "-o", file + ".html");
            command("report", "--help");
            command("diff", file, file, "--fail-on", "method>5%,p<0.01");
            for (String format : FORMATS) {
                String converted = file + "." + format;
                command("convert", file, "-o", converted);
                command("report", converted);
            }
        }
    }

    private void command(String... args) {
        Main.run(nowhere, args);
    }

    private String unpack(String example) throws IOException {
        Path file = folder.resolve(example);
        try (InputStream in = Objects.requireNonNull(Training.class.getResourceAsStream(example))) {
            Files.copy(in, file);
        }
        return file.toString();
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
