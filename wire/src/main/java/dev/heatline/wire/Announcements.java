package dev.heatline.wire;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The announcements of this machine: a file per JVM in a folder per user, which only that user can
 * enter. As with the JVM's own {@code hsperfdata} folders it is always {@code /tmp}, whatever
 * temporary folder an application was given: both sides must find it.
 */
public final class Announcements {
    private static final String PREFIX = "heatline_";

    private static final boolean WINDOWS = System.getProperty("os.name").startsWith("Windows");

    private final Path parent;
    private final Path own;

    private Announcements(Path parent) {
        this.parent = parent;
        this.own = parent.resolve(PREFIX + System.getProperty("user.name"));
    }

    /** Those of this machine. */
    public static Announcements here() {
        return new Announcements(Path.of(WINDOWS ? System.getProperty("java.io.tmpdir") : "/tmp"));
    }

    static Announcements in(Path parent) {
        return new Announcements(parent);
    }

    /**
     * Writes an announcement, in place of an earlier one of the same process, and returns its file.
     * A reader sees the old one or the new one and nothing in between.
     *
     * @throws IOException if the folder cannot be written or belongs to somebody else
     */
    public Path write(Announcement announcement) throws IOException {
        makeFolder();
        Path file = file(announcement.process());
        // A name of its own for each writer: the agent and a collector may write at the same time.
        long writer = ProcessKey.current().pid();
        Path written = own.resolve(file.getFileName() + ".by" + writer);
        Files.deleteIfExists(written);
        try {
            createPrivate(written);
            requireSameOwner(written);
            Files.writeString(written, announcement.text());
            return Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(written);
        }
    }

    private static void createPrivate(Path file) throws IOException {
        if (WINDOWS) {
            Files.createFile(file);
        } else {
            Files.createFile(
                    file,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------")));
        }
    }

    private void makeFolder() throws IOException {
        try {
            if (WINDOWS) {
                Files.createDirectory(own);
            } else {
                Files.createDirectory(
                        own,
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwx------")));
            }
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(own, LinkOption.NOFOLLOW_LINKS)) {
                throw e;
            }
        }
    }

    /** Everybody can make folders in the temporary folder, under any name. */
    private void requireSameOwner(Path file) throws IOException {
        if (!Files.getOwner(own, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(file))) {
            throw new IOException(own + " belongs to somebody else");
        }
    }

    private Path file(ProcessKey process) {
        return own.resolve(String.valueOf(process.pid()));
    }

    /** Takes back what this user announced about a process. */
    public void delete(ProcessKey process) throws IOException {
        Files.deleteIfExists(file(process));
    }

    /** Deletes what this user announced about processes that have ended without doing so. */
    public void deleteStale() throws IOException {
        for (Path file : filesIn(own)) {
            // An unreadable one is of no use while its process runs, and of none afterwards.
            boolean alive =
                    read(file)
                            .map(announcement -> announcement.process().isAlive())
                            .orElse(ProcessKey.of(pid(file)).isPresent());
            if (!alive) {
                Files.deleteIfExists(file);
            }
        }
    }

    /**
     * What is announced about the processes that run now, by pid. Where both an agent and a
     * collector announced something, what the agent was told is kept and the newer recording
     * counts.
     */
    public Map<Long, Announcement> all() {
        Map<Long, Announcement> all = new TreeMap<>();
        for (Path folder : folders()) {
            for (Path file : filesIn(folder)) {
                read(file)
                        .filter(announcement -> announcement.process().pid() == pid(file))
                        .filter(announcement -> announcement.process().isAlive())
                        .filter(announcement -> isTrusted(file))
                        .ifPresent(
                                announcement ->
                                        all.merge(pid(file), announcement, Announcements::newer));
            }
        }
        return all;
    }

    /** Empty if it is gone meanwhile, is not ours to read, or is no announcement. */
    private static Optional<Announcement> read(Path file) {
        try {
            return Optional.of(Announcement.read(file));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Announcement newer(Announcement a, Announcement b) {
        Announcement newer = a.sinceMillis() >= b.sinceMillis() ? a : b;
        Announcement agent = a.options().isEmpty() ? b : a;
        return new Announcement(
                newer.process(),
                agent.options(),
                newer.settings(),
                newer.repository(),
                newer.stackDepth(),
                newer.sinceMillis(),
                newer.problem());
    }

    /** Whether whoever wrote it may speak for the process: its user, root, or we ourselves. */
    private boolean isTrusted(Path file) {
        if (WINDOWS || file.startsWith(own)) {
            return true;
        }
        try {
            Object writer = Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
            Object user =
                    Files.getAttribute(Path.of("/proc", String.valueOf(pid(file))), "unix:uid");
            return writer.equals(user) || writer.equals(0);
        } catch (IOException e) {
            return false;
        }
    }

    private List<Path> folders() {
        List<Path> folders = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path folder : found) {
                if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                        && Files.isReadable(folder)) {
                    folders.add(folder);
                }
            }
        } catch (IOException e) {
            return List.of();
        }
        return folders;
    }

    private static List<Path> filesIn(Path folder) {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder)) {
            for (Path file : found) {
                if (file.getFileName().toString().matches("[1-9]\\d{0,9}")
                        && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    files.add(file);
                }
            }
        } catch (IOException e) {
            return List.of();
        }
        return files;
    }

    private static long pid(Path file) {
        return Long.parseLong(file.getFileName().toString());
    }
}
