package dev.heatline.cli;

import dev.heatline.formats.Format;
import dev.heatline.formats.Formats;
import dev.heatline.formats.WriteOptions;
import dev.heatline.model.Profile;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Where a profile goes and in which format. */
final class ProfileOutputOptions {
    private static final Set<String> TEXT_FORMATS = Set.of("trace", "collapsed", "speedscope");

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "OUT",
            description =
                    "Write to this file instead of standard output; its ending is the format.")
    private @Nullable Path file;

    @Option(
            names = "--format",
            paramLabel = "F",
            completionCandidates = FormatNames.class,
            description = "${COMPLETION-CANDIDATES}. Default: from the ending of OUT.")
    private @Nullable String formatName;

    Optional<Path> file() {
        return Optional.ofNullable(file);
    }

    /**
     * The format to write.
     *
     * @throws ParameterException if neither {@code --format} nor the file's ending names one
     */
    Format format() {
        Format format = formatName != null ? named(formatName) : ofFile();
        if (!format.isWritable()) {
            throw wrong(format.name() + " is only read; written are " + names());
        }
        return format;
    }

    private Format named(String name) {
        return Formats.byName(name)
                .orElseThrow(() -> wrong("there is no format " + name + "; there are " + names()));
    }

    private Format ofFile() {
        if (file == null) {
            throw wrong("say where to: -o OUT, or --format F for standard output");
        }
        return Formats.forFile(file.toString())
                .orElseThrow(
                        () ->
                                wrong(
                                        "the ending of "
                                                + file
                                                + " names no format; add --format with one of "
                                                + names()));
    }

    /** Whether a JFR recording is asked for, which only {@code merge} can make. */
    boolean isRecording() {
        return formatName != null
                ? formatName.equals("jfr")
                : file != null && file.toString().endsWith(".jfr");
    }

    /**
     * What only programs can read does not belong on a screen.
     *
     * @throws ParameterException if it would get there
     */
    void refuseTerminal(Shell shell, Format format) {
        if (file == null && shell.dataSeen() && !TEXT_FORMATS.contains(format.name())) {
            throw wrong(format.name() + " is not for a terminal; add -o OUT");
        }
    }

    /** Files that have an ending of their own are compressed if it says so. */
    void write(Shell shell, Profile profile, Format format, WriteOptions options) {
        Output output = new Output(shell, file());
        if (output.file().isPresent()) {
            Formats.write(profile, output.file().get(), format, options);
        } else {
            output.write(out -> format.write(profile, out, options));
        }
    }

    private static String names() {
        return String.join(", ", new FormatNames());
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** The formats that can be written; asked for only when it is shown. */
    static final class FormatNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Formats.all().stream().filter(Format::isWritable).map(Format::name).iterator();
        }
    }
}
