package dev.heatline.collector.spool;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a spool: steps that are done or not done, whatever happens in between. One process
 * at a time.
 */
final class SpoolFolder implements AutoCloseable {
    private static final String LOCK = "lock";
    private static final String PARTIAL = ".partial";
    private static final String ASIDE = "aside";

    private final Path path;
    private final FileChannel lock;

    private final Runnable beforeStep;
    private final Aside aside;

    private SpoolFolder(Path path, FileChannel lock, Runnable beforeStep) throws IOException {
        this.path = path;
        this.lock = lock;
        this.beforeStep = beforeStep;
        this.aside = new Aside(path.resolve(ASIDE), beforeStep);
    }

    /**
     * Makes the folder if it is not there, readable by its owner alone: profiles tell a lot.
     *
     * @param beforeStep called before every change on the disk: where a process can die
     * @throws SpoolException if it cannot be used or another process uses it
     */
    static SpoolFolder open(Path path, Runnable beforeStep) {
        try {
            if (!Files.isDirectory(path)) {
                createPrivately(path);
            }
            FileChannel channel =
                    FileChannel.open(
                            path.resolve(LOCK),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
            if (lock(channel) == null) {
                channel.close();
                throw new SpoolException(
                        "the spool "
                                + path
                                + " is in use by another collector; stop that one, or give this one"
                                + " a folder of its own");
            }
            boolean opened = false;
            try {
                SpoolFolder folder = new SpoolFolder(path, channel, beforeStep);
                folder.tidy();
                opened = true;
                return folder;
            } finally {
                if (!opened) {
                    channel.close();
                }
            }
        } catch (IOException e) {
            throw failed(path, "cannot be used", e);
        }
    }

    private static void createPrivately(Path path) throws IOException {
        Path parent = path.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        Files.createDirectory(path);
        if (Files.getFileStore(path).supportsFileAttributeView("posix")) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
        }
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    /** Deletes what was being written when the last process ended. */
    private void tidy() throws IOException {
        for (Path file : files(path)) {
            if (file.toString().endsWith(PARTIAL)) {
                beforeStep.run();
                Files.delete(file);
            }
        }
    }

    static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    Path path() {
        return path;
    }

    Aside aside() {
        return aside;
    }

    /** The names of all files of the spool, in order, those set aside included. */
    List<String> names() throws IOException {
        List<Path> all = new ArrayList<>(files(path));
        all.addAll(aside.files());
        return all.stream().map(file -> String.valueOf(file.getFileName())).toList();
    }

    /**
     * Writes a file that is there whole when this returns, and not at all if it throws. Only {@link
     * #force} makes it survive the death of the machine.
     */
    void write(String name, byte[] head, byte[] body) throws IOException {
        Path partial = path.resolve(name + PARTIAL);
        beforeStep.run();
        try {
            try (FileChannel out =
                    FileChannel.open(
                            partial, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                writeAll(out, ByteBuffer.wrap(head));
                beforeStep.run();
                writeAll(out, ByteBuffer.wrap(body));
                out.force(true);
            }
            beforeStep.run();
            Files.move(partial, path.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            deleteAfter(e, partial);
            throw e;
        }
    }

    private static void writeAll(FileChannel out, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            out.write(bytes);
        }
    }

    static void deleteAfter(IOException reason, Path partial) {
        try {
            Files.deleteIfExists(partial);
        } catch (IOException e) {
            reason.addSuppressed(e);
        }
    }

    /** What was written, renamed and deleted before survives the death of the machine. */
    void force() throws IOException {
        beforeStep.run();
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    void rename(String name, String newName) throws IOException {
        beforeStep.run();
        Files.move(path.resolve(name), path.resolve(newName), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Cuts a file off, which gives its room back without needing any. */
    void truncate(String name, long bytes) throws IOException {
        beforeStep.run();
        try (FileChannel file = FileChannel.open(path.resolve(name), StandardOpenOption.WRITE)) {
            file.truncate(bytes);
        }
    }

    void delete(String name) throws IOException {
        beforeStep.run();
        Files.deleteIfExists(path.resolve(name));
    }

    boolean has(String name) {
        return Files.exists(path.resolve(name));
    }

    /** One line for people, with the folder in it. */
    SpoolException failed(String what, IOException e) {
        return failed(path, what, e);
    }

    private static SpoolException failed(Path path, String what, IOException e) {
        return new SpoolException("the spool " + path + " " + what + ": " + reason(e), e);
    }

    static String reason(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "permission denied; it has to belong to the user the collector runs as";
        }
        if (e instanceof FileAlreadyExistsException) {
            return "there is a file of that name";
        }
        String reason =
                e instanceof FileSystemException known && known.getReason() != null
                        ? known.getReason()
                        : String.valueOf(e.getMessage());
        if (reason.contains("No space left")) {
            return reason + "; free some";
        }
        return reason.contains("Read-only") ? reason + "; make it writable" : reason;
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            throw failed("cannot be closed", e);
        }
    }
}
