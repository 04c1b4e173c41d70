package dev.heatline.collector.spool;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashSet;
import java.util.List;

/** A corner of the spool for files that are only kept for people to look at. */
final class Aside {

    /** Nobody looks at more. */
    private static final int MAX_FILES = 1_000;

    private final Path folder;
    private final Runnable beforeStep;

    /** Oldest first. */
    private final LinkedHashSet<Path> files = new LinkedHashSet<>();

    private long bytes;

    Aside(Path folder, Runnable beforeStep) throws IOException {
        this.folder = folder;
        this.beforeStep = beforeStep;
        Files.createDirectories(folder);
        for (Path file : SpoolFolder.files(folder)) {
            enter(file);
        }
    }

    /** Keeps a copy. */
    Path copy(InputStream content, String name) throws IOException {
        Path file = folder.resolve(name);
        beforeStep.run();
        try {
            Files.copy(content, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            SpoolFolder.deleteAfter(e, file);
            throw e;
        }
        return enter(file);
    }

    /** Puts a file away. */
    Path move(Path from, String name) throws IOException {
        Path file = folder.resolve(name);
        beforeStep.run();
        Files.move(from, file, StandardCopyOption.ATOMIC_MOVE);
        return enter(file);
    }

    private Path enter(Path file) throws IOException {
        if (Files.isRegularFile(file) && files.add(file)) {
            bytes += Files.size(file);
        }
        if (files.size() > MAX_FILES) {
            deleteOldest();
        }
        return file;
    }

    List<Path> files() {
        return List.copyOf(files);
    }

    /** How much room all of it takes. */
    long bytes() {
        return bytes;
    }

    /** Deletes what came first; false if there is nothing. */
    boolean deleteOldest() throws IOException {
        if (files.isEmpty()) {
            return false;
        }
        Path oldest = files.getFirst();
        long size = Files.exists(oldest) ? Files.size(oldest) : 0;
        beforeStep.run();
        Files.deleteIfExists(oldest);
        files.removeFirst();
        // Somebody else may have deleted some of it.
        bytes = files.isEmpty() ? 0 : bytes - size;
        return true;
    }
}
