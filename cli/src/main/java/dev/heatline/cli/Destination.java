package dev.heatline.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.heatline.formats.Format;
import dev.heatline.formats.Formats;
import dev.heatline.formats.WriteOptions;
import dev.heatline.model.Profile;
import dev.heatline.report.Form;
import dev.heatline.report.Report;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Where an answer goes and in which form. What can be asked for depends on the verb, so the options
 * are in the classes below this one.
 */
abstract class Destination {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    private @Nullable Path file;
    private @Nullable Form form;

    final void goTo(@Nullable Path asked) {
        file = asked;
    }

    final void beOf(@Nullable Form asked) {
        form = asked;
    }

    /**
     * What is asked for.
     *
     * @throws ParameterException if that cannot be known
     */
    Form form() {
        if (form != null) {
            return form;
        }
        return file == null || isDevice(file) ? Form.TEXT : byEnding(file);
    }

    /** What a file may end with, for people. */
    String endings() {
        return ".txt .json .html or --format, and heatline convert to write a profile";
    }

    private static boolean isDevice(Path file) {
        return file.toString().equals("-")
                || (Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file));
    }

    private Form byEnding(Path named) {
        String name = named.toString().toLowerCase(Locale.ROOT);
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "txt" -> Form.TEXT;
            case "json" -> Form.JSON;
            case "html", "htm" -> Form.HTML;
            default -> throw wrong("the ending of " + named + " names no format; use " + endings());
        };
    }

    /** The format of profiles that the file's ending names; empty where a report is asked for. */
    Optional<Format> profileFormat() {
        return form != null || file == null
                ? Optional.empty()
                : Formats.forFile(file.toString()).filter(Format::isWritable);
    }

    /** Writes a profile to the file. */
    void write(Profile profile, Format format) {
        Formats.write(profile, Objects.requireNonNull(file), format, WriteOptions.DEFAULT);
    }

    /** For what takes long: better said before than after. */
    void requireFolder() {
        Path folder = file == null ? null : file.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new CommandException(
                    "there is no folder " + folder + " to write " + file + " to");
        }
    }

    Optional<Path> file() {
        return Optional.ofNullable(file);
    }

    Output to(Shell shell) {
        return new Output(shell, Optional.ofNullable(file));
    }

    /** Writes a report in the form that is asked for. */
    void write(Shell shell, Report report) {
        Form asked = form();
        to(shell)
                .write(
                        out -> {
                            Writer writer = new OutputStreamWriter(out, UTF_8);
                            report.write(asked, writer);
                            writer.flush();
                        });
    }

    /** Writes an answer that is small and has no page. */
    void write(Shell shell, String text, Json.Content json) {
        to(shell).print(form() == Form.JSON ? Json.text(json) : text);
    }

    final ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
