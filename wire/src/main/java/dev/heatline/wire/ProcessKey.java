package dev.heatline.wire;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
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

    private static final String USERS = "\nUid:\t";

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

    /** The JDK's own way loads much more than this needs, which an application would wait for. */
    private static long currentPid() {
        try {
            return Long.parseLong(Files.readSymbolicLink(PROC.resolve("self")).toString());
        } catch (IOException | UnsupportedOperationException e) {
            return ProcessHandle.current().pid();
        }
    }

    private static Optional<ProcessKey> inProc(long pid) {
        try {
            String stat = Files.readString(PROC.resolve(pid + "/stat"));
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
        try {
            String status = Files.readString(PROC.resolve(pid + "/status"));
            // The real one, and then the effective one.
            int real = status.indexOf(USERS) + USERS.length();
            int effective = status.indexOf('\t', real) + 1;
            return OptionalInt.of(
                    Integer.parseUnsignedInt(
                            status, effective, status.indexOf('\t', effective), 10));
        } catch (IOException e) {
            return OptionalInt.empty();
        }
    }

    /** Whether this very process still runs. */
    public boolean isAlive() {
        return of(pid).filter(this::equals).isPresent();
    }
}
