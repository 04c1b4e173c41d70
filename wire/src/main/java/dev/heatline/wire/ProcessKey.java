package dev.heatline.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One run of a program. A pid alone is used again after a while; with the time of its start it is
 * not.
 *
 * @param pid the process
 * @param started when it started: on Linux in clock ticks since the machine did, which no change of
 *     the clock touches, elsewhere in milliseconds since 1970
 */
public record ProcessKey(long pid, String started) {
    private static final Path PROC = Path.of("/proc");

    /** Fields of {@code /proc/PID/stat} are counted from its state, which follows the name. */
    private static final int START_TICKS = 19;

    /** The process that has this pid now; empty if there is none, or only its exit code is left. */
    public static Optional<ProcessKey> of(long pid) {
        return Files.isDirectory(PROC.resolve("self")) ? inProc(pid) : elsewhere(pid);
    }

    /** The process that asks. */
    public static ProcessKey current() {
        return of(currentPid()).orElseThrow();
    }

    /**
     * What pids mean here: one of another namespace, a container's say, stands for another process.
     * Empty where there are no namespaces.
     */
    static String namespace() {
        try {
            return Files.readSymbolicLink(PROC.resolve("self/ns/pid"))
                    .toString()
                    .replaceAll("\\D", "");
        } catch (IOException | UnsupportedOperationException e) {
            return "";
        }
    }

    /** The JDK's own way loads much more than this needs, which an application would wait for. */
    private static long currentPid() {
        try {
            return Long.parseLong(Files.readSymbolicLink(PROC.resolve("self")).toString());
        } catch (IOException | UnsupportedOperationException e) {
            return ProcessHandle.current().pid();
        }
    }

    /** Byte by byte, because a program may be called anything. */
    private static Optional<ProcessKey> inProc(long pid) {
        try {
            String stat = Files.readString(PROC.resolve(pid + "/stat"), ISO_8859_1);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            boolean gone = fields[0].equals("Z") || fields[0].equals("X");
            return gone ? Optional.empty() : Optional.of(new ProcessKey(pid, fields[START_TICKS]));
        } catch (IOException e) {
            // What a read of a process that ends meanwhile gives: "No such process".
            return Optional.empty();
        }
    }

    private static Optional<ProcessKey> elsewhere(long pid) {
        return ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .map(
                        process ->
                                new ProcessKey(
                                        pid,
                                        process.info()
                                                .startInstant()
                                                .map(Instant::toEpochMilli)
                                                .map(String::valueOf)
                                                .orElse("unknown")));
    }

    /**
     * The number of the user whose rights a process has; empty if there is no such process, or no
     * {@code /proc}. Not every user has a name, and the folder of a process that may not be looked
     * into belongs to root instead.
     */
    public static OptionalInt user(long pid) {
        // The real one, and then the effective one.
        List<String> users = status(pid, "Uid:");
        return users.isEmpty()
                ? OptionalInt.empty()
                : OptionalInt.of(Integer.parseUnsignedInt(users.get(1)));
    }

    /** The number of the user who owns a file, or the link itself if it is one. */
    public static int owner(Path file) throws IOException {
        return (Integer) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * The process as it knows itself: in most containers by another pid. Where that is not known,
     * as we know it.
     */
    public ProcessKey there() {
        List<String> pids = status(pid, "NSpid:");
        return pids.isEmpty()
                ? this
                : new ProcessKey(Long.parseLong(pids.get(pids.size() - 1)), started);
    }

    /** The numbers in a line of {@code /proc/PID/status}; none if there is no such line. */
    private static List<String> status(long pid, String name) {
        try {
            String status = Files.readString(PROC.resolve(pid + "/status"), ISO_8859_1);
            int line = status.indexOf("\n" + name + "\t");
            if (line < 0) {
                return List.of();
            }
            int start = line + name.length() + 2;
            return List.of(status.substring(start, status.indexOf('\n', start)).split("\t", -1));
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Whether this very process still runs. */
    public boolean isAlive() {
        return of(pid).filter(this::equals).isPresent();
    }
}
