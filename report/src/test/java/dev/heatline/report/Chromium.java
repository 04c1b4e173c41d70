package dev.heatline.report;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The browser of the tests: that of the variable CHROMIUM, or else the first on the path. */
final class Chromium {
    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome");

    private Chromium() {}

    /** A missing browser fails the tests: those that skip prove nothing. */
    static String required() {
        return find(System.getenv())
                .orElseThrow(
                        () ->
                                new AssertionError(
                                        "no browser: set CHROMIUM, or have one of "
                                                + NAMES
                                                + " on the path"));
    }

    static Optional<String> find(Map<String, String> environment) {
        String named = environment.getOrDefault("CHROMIUM", "");
        if (!named.isEmpty()) {
            return Optional.of(named);
        }
        List<String> folders =
                List.of(environment.getOrDefault("PATH", "").split(File.pathSeparator));
        return NAMES.stream()
                .flatMap(name -> folders.stream().map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }
}
