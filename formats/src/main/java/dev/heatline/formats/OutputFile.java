package dev.heatline.formats;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A file that appears whole or not at all: written under another name in the same folder, then
 * moved into place. What is no regular file (a pipe, {@code /dev/null}) is written directly, since
 * moving would replace it; {@code -} is standard output.
 */
public final class OutputFile {
    private static final int BUFFER = 1 << 16;

    /** Writes the content of a file. */
    public interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    private OutputFile() {}

    /**
     * Writes it, whatever was there before.
     *
     * @throws FormatException if the file cannot be written; says why, and leaves nothing behind
     */
    public static void write(Path file, Content content) {
        try {
            if (file.toString().equals("-")) {
                OutputStream out = buffered(System.out);
                content.writeTo(out);
                out.flush();
                return;
            }
            if (Files.isDirectory(file)) {
                throw new FormatException(file + ": is a directory; give the name of a file");
            }
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                writeDirectly(file, content);
            } else {
                replace(Files.exists(file) ? file.toRealPath() : file, content);
            }
        } catch (IOException e) {
            throw new FormatException(file + ": cannot be written: " + reason(file, e));
        }
    }

    private static void writeDirectly(Path file, Content content) throws IOException {
        try (OutputStream out = buffered(Files.newOutputStream(file, StandardOpenOption.WRITE))) {
            content.writeTo(out);
        }
    }

    private static void replace(Path file, Content content) throws IOException {
        if (Files.exists(file) && !Files.isWritable(file)) {
            throw new AccessDeniedException(file.toString());
        }
        String unique = Long.toHexString(ThreadLocalRandom.current().nextLong());
        Path partial = file.resolveSibling("." + shortName(file) + "." + unique + ".partial");
        Thread whenStopped = new Thread(() -> deleteIfThere(partial));
        unlessEnding(() -> Runtime.getRuntime().addShutdownHook(whenStopped));
        try {
            try (OutputStream out =
                    buffered(Files.newOutputStream(partial, StandardOpenOption.CREATE_NEW))) {
                keepPermissions(file, partial);
                content.writeTo(out);
            }
            Files.move(
                    partial,
                    file,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(partial);
            unlessEnding(() -> Runtime.getRuntime().removeShutdownHook(whenStopped));
        }
    }

    /** Hooks can neither come nor go while the JVM ends; the file is deleted without them too. */
    private static void unlessEnding(Runnable change) {
        try {
            change.run();
        } catch (IllegalStateException e) {
            // Nothing is left to do: this is the end.
        }
    }

    /** Whoever could read the file before can read what replaces it, and nobody else. */
    private static void keepPermissions(Path file, Path partial) throws IOException {
        if (Files.exists(file) && Files.getFileStore(partial).supportsFileAttributeView("posix")) {
            Files.setPosixFilePermissions(partial, Files.getPosixFilePermissions(file));
        }
    }

    private static void deleteIfThere(Path partial) {
        try {
            Files.deleteIfExists(partial);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Leaves room for what is added: names end at 255 bytes. */
    private static String shortName(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.length() <= 50 ? name : name.substring(0, 50);
    }

    private static OutputStream buffered(OutputStream out) {
        return new BufferedOutputStream(out, BUFFER);
    }

    private static String reason(Path file, IOException e) {
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        Path folder = file.toAbsolutePath().getParent();
        if (e instanceof NoSuchFileException && folder != null) {
            return "there is no folder " + folder;
        }
        if (e instanceof FileSystemException known && known.getReason() != null) {
            return known.getReason();
        }
        return String.valueOf(e.getMessage());
    }
}
