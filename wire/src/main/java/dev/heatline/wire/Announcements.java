package dev.heatline.wire;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The announcements of this machine: a file per JVM in a folder per user. As with the JVM's own
 * {@code hsperfdata} folders that is always in {@code /tmp}, whatever temporary folder an
 * application was given: both sides must find it. Everybody can make folders there under any name,
 * so root has one elsewhere, and nothing in a folder is believed before its owner is known.
 */
public final class Announcements {
    private static final String PREFIX = "heatline_";
    private static final String ROOTS = "heatline";

    /** No pid, so nobody takes it for an announcement. */
    private static final String LOCK = "lock";

    private static final boolean WINDOWS = System.getProperty("os.name").startsWith("Windows");

    private final Path temporary;
    private final Path roots;
    private final OptionalInt user = ProcessKey.user(ProcessKey.current().pid());

    private Announcements(Path temporary, Path run) {
        this.temporary = temporary;
        this.roots = run.resolve(ROOTS);
    }

    /** Those of this machine. */
    public static Announcements here() {
        return in(
                Path.of(WINDOWS ? System.getProperty("java.io.tmpdir") : "/tmp"), Path.of("/run"));
    }

    static Announcements in(Path temporary, Path run) {
        return new Announcements(temporary, run);
    }

    /**
     * Writes an announcement, in place of an earlier one of the same process, and returns its file.
     * A reader sees the old one or the new one and nothing in between.
     *
     * @throws IOException if the folder cannot be written or belongs to somebody else
     */
    public Path write(Announcement announcement) throws IOException {
        Path folder = makeFolder();
        Path file = folder.resolve(String.valueOf(announcement.process().pid()));
        // A name of its own for each writer: the agent and a collector may write at the same time.
        long writer = ProcessKey.current().pid();
        Path written = folder.resolve(file.getFileName() + ".by" + writer);
        Files.deleteIfExists(written);
        try {
            // The collectors of other users are to know what root's does.
            String who = folder.equals(roots) ? "rw-r--r--" : "rw-------";
            Files.createFile(written, permissions(who));
            permit(written, who);
            Files.writeString(written, announcement.text());
            return Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(written);
        }
    }

    /**
     * Waits until no other process of this user is between here and the closing of what is
     * returned. One that dies in between lets go. Within a process that is the caller's matter.
     *
     * @throws IOException if the folder cannot be written, or its file system has no locks
     */
    public Closeable alone() throws IOException {
        FileChannel lock =
                FileChannel.open(
                        makeFolder().resolve(LOCK),
                        Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                        permissions("rw-------"));
        try {
            lock.lock();
            return lock;
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private Path makeFolder() throws IOException {
        boolean elsewhere =
                user.equals(OptionalInt.of(0))
                        && (Files.isWritable(roots) || Files.isWritable(roots.getParent()));
        return elsewhere ? makeFolder(roots, "rwxr-xr-x") : makeFolder(inTemporary(), "rwx------");
    }

    private static FileAttribute<?>[] permissions(String who) {
        return WINDOWS
                ? new FileAttribute<?>[0]
                : new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(who))
                };
    }

    /** Whatever the mask of this process takes away from new files. */
    private static void permit(Path file, String who) throws IOException {
        if (!WINDOWS) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(who));
        }
    }

    private Path makeFolder(Path folder, String who) throws IOException {
        try {
            Files.createDirectory(folder, permissions(who));
            permit(folder, who);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                throw new NotDirectoryException(folder.toString());
            }
            if (!isOurs(folder)) {
                throw new IOException(folder + " belongs to somebody else");
            }
        }
        return folder;
    }

    /** By number if this user has no name. */
    private Path inTemporary() {
        String name = System.getProperty("user.name");
        boolean named = !name.equals("?") || user.isEmpty();
        return temporary.resolve(PREFIX + (named ? name : user.getAsInt()));
    }

    /** Takes back what this user announced about a process. */
    public void delete(ProcessKey process) throws IOException {
        for (Path folder : folders()) {
            if (isOurs(folder)) {
                Path file = folder.resolve(String.valueOf(process.pid()));
                if (Announcement.isOfHere(file)) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /** Deletes what this user announced about processes that have ended without doing so. */
    public void deleteStale() throws IOException {
        for (Path folder : folders()) {
            if (isOurs(folder)) {
                for (Path file : filesIn(folder)) {
                    if (Announcement.isOfHere(file) && !isOfRunning(file)) {
                        Files.deleteIfExists(file);
                    }
                }
            }
        }
    }

    /** An unreadable one is of no use while its process runs, and of none afterwards. */
    private static boolean isOfRunning(Path file) {
        return read(file)
                .map(announcement -> announcement.process().isAlive())
                .orElse(ProcessKey.of(pid(file)).isPresent());
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
                ProcessKey.of(pid(file))
                        .flatMap(process -> believed(folder, process, process))
                        .ifPresent(it -> all.merge(pid(file), it, Announcements::merged));
            }
        }
        return all;
    }

    /**
     * What is announced about one process now, also in its own temporary folder if it has one that
     * is not ours.
     */
    public Optional<Announcement> of(ProcessKey process) {
        return found(process).stream().reduce(Announcements::merged);
    }

    /**
     * The collectors that claim a process and run. Those of several users write into a folder each,
     * so for a moment there may be several.
     */
    public Set<ProcessKey> collectors(ProcessKey process) {
        return found(process).stream()
                .flatMap(announcement -> announcement.collector().stream())
                .filter(ProcessKey::isAlive)
                .collect(Collectors.toSet());
    }

    private List<Announcement> found(ProcessKey process) {
        List<Announcement> found = new ArrayList<>();
        for (Path folder : folders()) {
            believed(folder, process, process).ifPresent(found::add);
        }
        Path root = Path.of("/proc", String.valueOf(process.pid()), "root");
        if (!isSame(temporary, root.resolve("tmp"))) {
            for (Path folder : in(root.resolve("tmp"), root.resolve("run")).folders()) {
                believed(folder, process, process.there()).ifPresent(found::add);
            }
        }
        return found;
    }

    private static boolean isSame(Path ours, Path theirs) {
        try {
            return Files.isSameFile(ours, theirs);
        } catch (IOException e) {
            // Hidden from us, so there is nothing to look for.
            return true;
        }
    }

    /**
     * @param there the process as whoever writes into this folder knows it
     */
    private Optional<Announcement> believed(Path folder, ProcessKey process, ProcessKey there) {
        Path file = folder.resolve(String.valueOf(there.pid()));
        return isTrusted(folder, file, process.pid())
                ? read(file)
                        .filter(announcement -> announcement.process().equals(there))
                        .map(announcement -> announcement.about(process))
                : Optional.empty();
    }

    /** Empty if it is gone meanwhile, is not ours to read, or is no announcement. */
    private static Optional<Announcement> read(Path file) {
        try {
            return Optional.of(Announcement.read(file));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Announcement merged(Announcement a, Announcement b) {
        boolean aIsNewer =
                a.sinceMillis() == b.sinceMillis()
                        ? a.collector().isPresent()
                        : a.sinceMillis() > b.sinceMillis();
        Announcement newer = aIsNewer ? a : b;
        Announcement older = aIsNewer ? b : a;
        return new Announcement(
                newer.process(),
                a.byAgent() || b.byAgent(),
                newer.options().isEmpty() ? older.options() : newer.options(),
                newer.settings(),
                newer.repository(),
                newer.stackDepth(),
                newer.sinceMillis(),
                newer.problem(),
                newer.reduction(),
                newer.collector()
                        .filter(ProcessKey::isAlive)
                        .or(() -> older.collector().filter(ProcessKey::isAlive)));
    }

    /** Whether whoever wrote it may speak for the process: its user, root, or we ourselves. */
    private boolean isTrusted(Path folder, Path file, long pid) {
        if (WINDOWS) {
            return true;
        }
        try {
            int writer = ProcessKey.owner(folder);
            return ProcessKey.owner(file) == writer
                    && (writer == 0
                            || isOurs(folder)
                            || ProcessKey.user(pid).equals(OptionalInt.of(writer)));
        } catch (IOException e) {
            return false;
        }
    }

    /** By name only where there is no {@code /proc} to ask for the number. */
    private boolean isOurs(Path folder) throws IOException {
        if (WINDOWS) {
            return true;
        }
        return user.isPresent()
                ? ProcessKey.owner(folder) == user.getAsInt()
                : Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS)
                        .getName()
                        .equals(System.getProperty("user.name"));
    }

    private List<Path> folders() {
        List<Path> folders = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(temporary, PREFIX + "*")) {
            for (Path folder : found) {
                if (isReadableFolder(folder)) {
                    folders.add(folder);
                }
            }
        } catch (IOException e) {
            // No temporary folder: nothing is announced there.
            folders.clear();
        }
        if (isReadableFolder(roots)) {
            folders.add(roots);
        }
        return folders;
    }

    private static boolean isReadableFolder(Path folder) {
        return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS) && Files.isReadable(folder);
    }

    private static List<Path> filesIn(Path folder) {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder)) {
            for (Path file : found) {
                if (file.getFileName().toString().matches("[1-9]\\d{0,9}")) {
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
