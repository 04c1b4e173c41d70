package dev.heatline.collector.spool;

import java.io.IOException;
import java.io.InputStream;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a spool: steps that are done or not done, whatever happens in between, and a corner
 * for files that are only kept for people to look at. One process at a time.
 */
final class SpoolFolder implements AutoCloseable {
    private static final String LOCK = "lock";
    private static final String PARTIAL = ".partial";
    private static final String ASIDE = "aside";

    private final Path path;
    private final FileChannel lock;

    /** Oldest first. */
    private final ArrayDeque<Path> aside = new ArrayDeque<>();

    private long asideBytes;

    private SpoolFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /**
     * Makes the folder if it is not there, readable by its owner alone: profiles tell a lot.
     *
     * @throws SpoolException if it cannot be used or another process uses it
     */
    static SpoolFolder open(Path path) {
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
            SpoolFolder folder = new SpoolFolder(path, channel);
            folder.tidy();
            return folder;
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
        Path corner = path.resolve(ASIDE);
        Files.createDirectories(corner);
        for (Path file : files(path)) {
            if (file.toString().endsWith(PARTIAL)) {
                Files.delete(file);
            }
        }
        for (Path file : files(corner)) {
            enterAside(file);
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    Path path() {
        return path;
    }

    /** The names of all files of the spool, in order, those set aside included. */
    List<String> names() throws IOException {
        List<Path> all = new ArrayList<>(files(path));
        all.addAll(aside);
        return all.stream().map(file -> String.valueOf(file.getFileName())).toList();
    }

    /**
     * Writes a file that is there whole when this returns, and not at all if it throws. Only {@link
     * #force} makes it survive the death of the machine.
     */
    void write(String name, byte[] head, byte[] body) throws IOException {
        Path partial = path.resolve(name + PARTIAL);
        try {
            try (FileChannel out =
                    FileChannel.open(
                            partial, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                writeAll(out, ByteBuffer.wrap(head));
                writeAll(out, ByteBuffer.wrap(body));
                out.force(true);
            }
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

    private static void deleteAfter(IOException reason, Path partial) {
        try {
            Files.deleteIfExists(partial);
        } catch (IOException e) {
            reason.addSuppressed(e);
        }
    }

    /** What was written, renamed and deleted before survives the death of the machine. */
    void force() throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    void rename(String name, String newName) throws IOException {
        Files.move(path.resolve(name), path.resolve(newName), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Cuts a file off, which gives its room back without needing any. */
    void truncate(String name, long bytes) throws IOException {
        try (FileChannel file = FileChannel.open(path.resolve(name), StandardOpenOption.WRITE)) {
            file.truncate(bytes);
        }
    }

    void delete(String name) throws IOException {
        Files.deleteIfExists(path.resolve(name));
    }

    boolean has(String name) {
        return Files.exists(path.resolve(name));
    }

    /** Keeps a copy for people to look at. */
    Path copyAside(InputStream content, String newName) throws IOException {
        Path file = path.resolve(ASIDE).resolve(newName);
        try {
            Files.copy(content, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            deleteAfter(e, file);
            throw e;
        }
        return enterAside(file);
    }

    /** Puts a file away for people to look at. */
    Path moveAside(String name, String newName) throws IOException {
        Path file = path.resolve(ASIDE).resolve(newName);
        Files.move(path.resolve(name), file, StandardCopyOption.ATOMIC_MOVE);
        return enterAside(file);
    }

    private Path enterAside(Path file) throws IOException {
        if (Files.isRegularFile(file) && !aside.contains(file)) {
            aside.add(file);
            asideBytes += Files.size(file);
        }
        return file;
    }

    /** How much room is taken by what was set aside. */
    long asideBytes() {
        return asideBytes;
    }

    /** Deletes what was set aside first; false if there is nothing. */
    boolean deleteOldestAside() throws IOException {
        Path oldest = aside.peek();
        if (oldest == null) {
            return false;
        }
        if (Files.exists(oldest)) {
            asideBytes -= Files.size(oldest);
            Files.delete(oldest);
        }
        aside.remove();
        if (aside.isEmpty()) {
            asideBytes = 0;
        }
        return true;
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
