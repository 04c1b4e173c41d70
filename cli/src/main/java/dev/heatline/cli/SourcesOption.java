package dev.heatline.cli;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Which sources the server may show. */
final class SourcesOption {

    @Option(
            names = "--sources",
            paramLabel = "PATH",
            description = {
                "Sources that may be shown: a folder of a project, or a sources jar or zip. May be"
                        + " repeated."
            })
    private List<Path> sources = new ArrayList<>();

    /** A variable holds several as a class path does; what is there under its whole name is one. */
    List<Path> paths() {
        return sources.stream()
                .flatMap(
                        written ->
                                Files.exists(written)
                                        ? Stream.of(written)
                                        : Stream.of(
                                                        written.toString()
                                                                .split(File.pathSeparator, -1))
                                                .map(Path::of))
                .filter(path -> !path.toString().isEmpty())
                .toList();
    }
}
