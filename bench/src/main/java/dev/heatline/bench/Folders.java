package dev.heatline.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders that a measurement fills and leaves. */
final class Folders {

    private Folders() {}

    /** What all files in it take. */
    static long bytes(Path folder) throws IOException {
        long bytes = 0;
        for (Path file : all(folder)) {
            bytes += Files.isRegularFile(file) ? Files.size(file) : 0;
        }
        return bytes;
    }

    static void delete(Path folder) throws IOException {
        for (Path file : all(folder)) {
            Files.delete(file);
        }
    }

    /** What is inside before what it is in. */
    private static List<Path> all(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.sorted(Comparator.reverseOrder()).toList();
        }
    }
}
