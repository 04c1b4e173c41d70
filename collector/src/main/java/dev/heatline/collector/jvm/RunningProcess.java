package dev.heatline.collector.jvm;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.heatline.wire.ProcessKey;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the operating system tells about a process. It may end at any moment, and others' are partly
 * hidden: what cannot be read is empty.
 */
final class RunningProcess {
    private static final Path SELF = Path.of("/proc/self");
    private static final Path TMP = Path.of("/tmp");
    private static final OptionalInt US = ProcessKey.user(ProcessKey.current().pid());

    private static final byte[] JAVA = "java\n".getBytes(UTF_8);

    private final long pid;
    private final Path proc;

    RunningProcess(long pid) {
        this.pid = pid;
        this.proc = Path.of("/proc", String.valueOf(pid));
    }

    /**
     * Whether its program is called {@code java}. Asked of every process of the machine every few
     * seconds, so in the cheapest way and by the one name that nobody hides. No answer can be kept:
     * a process that becomes another program keeps its pid and its start.
     */
    boolean isJava() {
        byte[] name = new byte[JAVA.length + 1];
        try (FileInputStream in = new FileInputStream(proc + "/comm")) {
            return in.read(name) == JAVA.length
                    && Arrays.equals(name, 0, JAVA.length, JAVA, 0, JAVA.length);
        } catch (IOException e) {
            return !Files.exists(SELF)
                    && handle().flatMap(process -> process.info().command())
                            .filter(program -> Path.of(program).endsWith("java"))
                            .isPresent();
        }
    }

    /** The program file. */
    Optional<Path> program() {
        return link(proc.resolve("exe"))
                .or(() -> handle().flatMap(process -> process.info().command()).map(Path::of));
    }

    /** The folder it works in. */
    Optional<Path> folder() {
        return link(proc.resolve("cwd"));
    }

    /** Its arguments, without the program itself. */
    List<String> arguments() {
        List<String> command = strings("cmdline");
        return command.isEmpty()
                ? handle().flatMap(process -> process.info().arguments())
                        .map(List::of)
                        .orElse(List.of())
                : command.subList(1, command.size());
    }

    /** The environment it was started with; Linux only. */
    Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>();
        for (String variable : strings("environ")) {
            int equals = variable.indexOf('=');
            if (equals > 0) {
                environment.put(variable.substring(0, equals), variable.substring(equals + 1));
            }
        }
        return environment;
    }

    /** The name of its user, or the number of one without a name. */
    String user() {
        OptionalInt number = ProcessKey.user(pid);
        if (number.isEmpty()) {
            return handle().flatMap(process -> process.info().user()).orElse("");
        }
        try {
            return ProcessKey.owner(proc) == number.getAsInt()
                    ? Files.getOwner(proc).getName()
                    : Integer.toUnsignedString(number.getAsInt());
        } catch (IOException e) {
            return "";
        }
    }

    /** Whether we may do there what its user may: we are that user, or root. */
    boolean isWithinReach() {
        if (US.isEmpty()) {
            String name = System.getProperty("user.name");
            return name.equals("root") || name.equals(user());
        }
        return US.getAsInt() == 0 || US.equals(ProcessKey.user(pid));
    }

    /** Whether a file belongs to the user of this process; always where that cannot be told. */
    boolean owns(Path file) {
        OptionalInt number = ProcessKey.user(pid);
        if (number.isEmpty()) {
            return !Files.exists(SELF);
        }
        try {
            return ProcessKey.owner(file) == number.getAsInt();
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Where we find a file of this process. In a container, or under systemd with a temporary
     * folder of its own, the same name may be another file, or none.
     */
    Path here(Path there) {
        Path root = proc.resolve("root");
        Path top = there.getRoot();
        if (top == null || there.startsWith(root)) {
            return there;
        }
        Path below = root.resolve(top.relativize(there));
        try {
            return Files.isSameFile(there, below) ? there : below;
        } catch (IOException e) {
            return Files.exists(below) ? below : there;
        }
    }

    /**
     * Whether a signal and a socket reach it. The users of a container may be others under the same
     * numbers, and where its pids are others its socket is found only under its root.
     */
    boolean isReachable() {
        Optional<Path> ours = link(SELF.resolve("ns/user"));
        boolean sameUsers =
                link(proc.resolve("ns/user")).map(it -> ours.equals(Optional.of(it))).orElse(true);
        return sameUsers && (pidThere() == pid || Files.isReadable(temporary()));
    }

    /** The temporary folder of a process that has one of its own. */
    Optional<Path> ownTemporary() {
        Path theirs = temporary();
        return Files.isReadable(theirs) && !here(TMP).equals(TMP)
                ? Optional.of(theirs)
                : Optional.empty();
    }

    private Path temporary() {
        return proc.resolve("root/tmp");
    }

    /** The pid that it has for itself; another than for us in most containers. */
    long pidThere() {
        return new ProcessKey(pid, "").there().pid();
    }

    private static Optional<Path> link(Path link) {
        try {
            return Optional.of(Files.readSymbolicLink(link));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private Optional<ProcessHandle> handle() {
        return ProcessHandle.of(pid);
    }

    private List<String> strings(String name) {
        try {
            String text = new String(Files.readAllBytes(proc.resolve(name)), UTF_8);
            return text.isEmpty() ? List.of() : Arrays.asList(text.split("\0", 0));
        } catch (IOException e) {
            return List.of();
        }
    }
}
